import { rm } from 'node:fs/promises';
import { afterEach, expect, test } from 'vitest';
import { formatOf } from '#listing-files/formats.ts';
import { readFolder } from '#listing-files/read-folder.ts';
import { readBaseline, withoutKnown, writeBaseline } from '#listing-lint/baseline.ts';
import { checkTrackedWords } from '#listing-lint/coverage/check-tracked-words.ts';
import type { Finding } from '#listing-lint/finding.ts';
import { readLintConfig } from '#listing-lint/lint-config.ts';
import type { Log } from 'sarif';
import { lintListing } from '#listing-lint/lint-listing.ts';
import { lintRules, ruleNames } from '#listing-lint/lint-rules.ts';
import { reportCoverage } from '#listing-lint/reports/report-coverage.ts';
import { reportGithub, summarize } from '#listing-lint/reports/report-github.ts';
import { reportSarif } from '#listing-lint/reports/report-sarif.ts';
import { reportText } from '#listing-lint/reports/report-text.ts';
import { cleanListings, faultyListings } from './faulty-listings.ts';
import { makeFolder } from './golden-folders.ts';

const levels = new Set<string | undefined>(['error', 'warning', 'note', 'none']);
const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

async function lintMade(made: (typeof faultyListings)[number]): Promise<Finding[]> {
  const folder = await makeFolder(made.files);
  folders.push(folder);
  const config = readLintConfig('config', JSON.stringify(made.config ?? {}));
  const found = await readFolder(folder, made.tool);
  expect(found.length).toBeGreaterThan(0);
  return found.flatMap(({ listing }) => lintListing(listing, config));
}

/** The elements of one list that the other does not have, counted. */
function minus(one: readonly string[], other: readonly string[]): string[] {
  const left = [...other];
  return one.filter((item) => {
    const at = left.indexOf(item);
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
}

test.each([...faultyListings, ...cleanListings])(
  '$name: no fault is missed, none is false',
  async (made) => {
    const findings = await lintMade(made);
    const found = findings.map(({ rule, locale }) => `${rule} ${locale}`);
    expect({ missed: minus(made.faults, found), false: minus(found, made.faults) }).toEqual({
      missed: [],
      false: [],
    });
  },
);

test('every rule finds a fault of the made listings', () => {
  const found = new Set(
    faultyListings.flatMap(({ faults }) => faults.map((fault) => fault.split(' ')[0])),
  );
  // They need the tracked phrases of a server: tests/cli/lint-coverage.test.ts.
  const ofServer = ['tracked-word-missing', 'keyword-without-phrase'];
  expect(ruleNames.filter((name) => !found.has(name))).toEqual(ofServer);
});

test('keywords of default/ are compared with the phrases of the locales that inherit them', () => {
  const files = { 'default/keywords.txt': 'habit,lumen', 'en-US/name.txt': 'Habits' };
  const listing = formatOf('deliver').read('', new Map(Object.entries(files)));
  const phrases = [
    { phrase: 'habit', country: 'us' },
    { phrase: 'lumen', country: 'de' },
  ];
  const locales = new Map([
    ['us', ['en-US']],
    ['de', ['de-DE']],
  ]);
  const config = readLintConfig('config', '{}');
  expect(checkTrackedWords(listing, { store: 'ios', phrases, locales }, config)).toEqual([
    {
      rule: 'keyword-without-phrase',
      level: 'info',
      file: 'default/keywords.txt',
      line: 1,
      locale: 'default',
      field: null,
      message: expect.stringMatching(/^"lumen" is in no phrase that is tracked in us/),
    },
  ]);
});

const finding = (more: Partial<Finding> = {}): Finding => ({
  rule: 'too-long',
  level: 'error',
  file: 'metadata/en-US/name.txt',
  line: 1,
  locale: 'en-US',
  field: 'title',
  message: 'The title has 31 characters.',
  ...more,
});

test('a baseline leaves out what it knows and reports one more of the same', () => {
  const text = writeBaseline([finding(), finding({ file: 'b.txt' })]);
  const known = readBaseline('baseline.json', text);
  const edited = finding({ message: 'The title has 40 characters.' });
  expect(withoutKnown([edited, finding({ file: 'b.txt' })], known)).toEqual([]);
  expect(withoutKnown([finding(), edited], known)).toEqual([edited]);
  expect(() => readBaseline('baseline.json', '{"known":[]}')).toThrow(
    /baseline.json is not.*Write/,
  );
});

test('annotations are ten at most, the worst first, and the last one counts the others', () => {
  const many = Array.from({ length: 30 }, (_, at) => finding({ line: at + 1 }));
  const lines = reportGithub(many).split('\n');
  expect(lines).toHaveLength(10);
  expect(lines[9]).toBe('::notice::21 more findings are in the summary of the job.');
  expect(reportGithub(many.slice(0, 10)).split('\n')).toHaveLength(10);
  const hostile = finding({ file: 'a:b,c.txt', message: '100 %\n::error::x' });
  expect(reportGithub([hostile])).toBe(
    '::error file=a%3Ab%2Cc.txt,line=1,title=too-long::100 %25 ::error::x',
  );
});

test('a summary has all findings without their markup, and stays below the limit of GitHub', () => {
  const text = summarize([finding({ message: '<img src=x> | [link](http://x) @team' })]);
  expect(text).toContain('1 error, 0 warnings, 0 notes');
  expect(text).not.toMatch(/<img|\[link|@team/);
  const long = summarize(
    Array.from({ length: 20_000 }, () => finding({ message: 'ä'.repeat(60) })),
  );
  expect(Buffer.byteLength(long)).toBeLessThan(1024 * 1024);
  expect(long).toMatch(/\d+ more findings did not fit/);
});

test('SARIF has the rules, levels, locations and fingerprints without the text', () => {
  const log = JSON.parse(
    reportSarif([finding(), finding({ level: 'info', file: 'a b.txt' })], '1.2.3'),
  );
  const [run] = log.runs;
  expect(log.version).toBe('2.1.0');
  expect(run.tool.driver.rules).toEqual([
    {
      id: 'too-long',
      shortDescription: { text: lintRules['too-long'].summary },
      defaultConfiguration: { level: 'error' },
    },
  ]);
  expect(run.results[1]).toMatchObject({
    ruleId: 'too-long',
    level: 'note',
    locations: [
      { physicalLocation: { artifactLocation: { uri: 'a%20b.txt' }, region: { startLine: 1 } } },
    ],
    partialFingerprints: { 'toprungFinding/v1': 'too-long a b.txt en-US title' },
  });
});

test('SARIF of real findings has what its specification requires', async () => {
  const findings = (await Promise.all(faultyListings.map(lintMade))).flat();
  const log = JSON.parse(reportSarif(findings, '1.2.3')) as Log;
  expect([log.version, log.runs.length]).toEqual(['2.1.0', 1]);
  const { tool, results = [] } = log.runs[0]!;
  const { name, version, rules = [] } = tool.driver;
  expect([name, version]).toEqual(['Toprung', '1.2.3']);
  expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
  expect(rules.length).toBeGreaterThan(20);
  for (const { id, shortDescription, defaultConfiguration } of rules)
    expect([id, shortDescription?.text, levels.has(defaultConfiguration?.level)]).toEqual([
      expect.stringMatching(/^[a-z0-9-]+$/),
      expect.stringMatching(/\.$/),
      true,
    ]);
  expect(results).toHaveLength(findings.length);
  for (const [at, { ruleId, ruleIndex, level, message, locations = [] }] of results.entries()) {
    expect([ruleId, rules[ruleIndex!]?.id]).toEqual([findings[at]!.rule, findings[at]!.rule]);
    expect([levels.has(level), message.text!.length > 0, locations.length]).toEqual([
      true,
      true,
      1,
    ]);
    const { artifactLocation, region } = locations[0]!.physicalLocation!;
    const uri = artifactLocation!.uri!;
    // A relative reference of URIs: it names the file from wherever the repository is.
    const resolved = new URL(uri, 'file:///repository/');
    expect(uri).not.toMatch(/^\/|^[a-z]+:|\\|(^|\/)\.\.(\/|$)/i);
    expect(decodeURIComponent(resolved.pathname)).toBe(`/repository/${findings[at]!.file}`);
    expect([resolved.search, resolved.hash]).toEqual(['', '']);
    expect(region!.startLine).toSatisfy((line: number) => Number.isInteger(line) && line >= 1);
  }
});

test('SARIF escapes what a path may have, and keeps the 5,000 worst', () => {
  const odd = ['a b.txt', 'a?b#c.txt', '100%.txt', 'ü.txt', 'a:b/name.txt'];
  const many = Array.from({ length: 5_001 }, (_, at) => finding({ file: odd[at % odd.length]! }));
  const { results = [] } = (JSON.parse(reportSarif(many, '1')) as Log).runs[0]!;
  expect(results).toHaveLength(5_000);
  for (const [at, file] of odd.entries()) {
    const { uri } = results[at]!.locations![0]!.physicalLocation!.artifactLocation!;
    expect(decodeURIComponent(new URL(uri!, 'file:///x/').pathname)).toBe(`/x/${file}`);
  }
});

test('no report shows a control character of a listing', () => {
  const file = 'x\u001b[2J\n::error::y/name.txt';
  const hostile = [finding({ file, message: 'x\u001b[2Jy' })];
  expect(reportText(hostile, 1)).toBe(
    'error   x [2J ::error::y/name.txt:1  x [2Jy [too-long]\n\n' +
      '1 error, 0 warnings, 0 notes in 1 listing.',
  );
  expect(reportGithub(hostile)).toBe(
    '::error file=x [2J %3A%3Aerror%3A%3Ay/name.txt,line=1,title=too-long::x [2Jy',
  );
  expect(summarize(hostile)).toContain('| x &#91;2J ::error::y/name.txt:1 | x &#91;2Jy |');
  const covered = { country: 'us', total: 1, before: 0, after: 1, lost: [] };
  expect(reportCoverage([{ ...covered, gained: ['a\u001b[2J'] }])).toMatch(/ {2}\+ a \[2J$/);
});

test('a configuration with an unknown rule names the key', () => {
  expect(() => readLintConfig('lint.json', '{"rules":{"x":"off"}}')).toThrow(/^lint.json: rules/);
  expect(() => readLintConfig('lint.json', '{')).toThrow(/not JSON.*Correct it/);
  for (const text of ['x\n::error::y', '{"x\\n::error::y":1}'])
    expect(() => readLintConfig('lint.json', text)).toThrow(/^lint.json[^\n]+$/);
});
