import { describe, expect, it } from 'vitest';
import { findBadNames, findLong, lengthLimits } from '../../scripts/rules/shape.ts';
import { findBannedCode, findPromises } from '../../scripts/rules/source.ts';
import { readTree } from '../../scripts/rules/tree.ts';
import { judge, print } from './plant.ts';

const tree = readTree();

describe('code', () => {
  it('the tree holds nothing that is banned', () => {
    expect(print([...findBannedCode(tree), ...findPromises(tree)])).toEqual([]);
  });

  it.each([
    [
      'the environment read outside of config',
      'src/boot/a.ts',
      'export const port = process.env.PORT;',
    ],
    ['the environment handed on whole', 'web/src/a.ts', 'start(process.env);'],
    [
      'a query in a verb',
      'src/domain/a.ts',
      'const rows = await query(`select id from apps where id = ${id}`);',
    ],
    ['a named statement in a job', 'src/jobs/a.ts', 'sql`/* find-app */ select 1`;'],
    [
      'a statement that writes',
      'src/boot/a.ts',
      "await client.query('  UPDATE apps SET name = $1');",
    ],
    [
      'a common table expression',
      'src/api/a.ts',
      'run(`\n  with due as (select 1) select * from due`);',
    ],
    ['a local day', 'src/domain/a.ts', 'const day = new Date().getDate();'],
    ['a local year', 'simulator/a.ts', 'date.getFullYear();'],
    ['a local hour set', 'web/src/a.tsx', 'date.setHours(0);'],
    ['the zone of the machine', 'src/lib/a.ts', 'date.getTimezoneOffset();'],
    ['a date from its parts', 'src/lib/a.ts', 'new Date(2026, 10, 21);'],
    ['Date as a function', 'src/lib/a.ts', 'log(Date());'],
    ['a date as local text', 'src/lib/a.ts', 'date.toLocaleDateString();'],
    ['a number as local text', 'src/lib/a.ts', 'count.toLocaleString();'],
    [
      'a format without a zone',
      'web/src/a.ts',
      "new Intl.DateTimeFormat('en', { dateStyle: 'medium' });",
    ],
    ['any by assertion', 'tests/api/a.ts', `const x = body as ${'any'};`],
    ['a test alone', 'tests/api/a.ts', "it.only('x', () => {});"],
    ['a test for later', 'tests/api/a.ts', "it.todo('x');"],
    ['a test that never runs', 'tests/api/a.ts', "describe.skip('x', () => {});"],
  ])('%s is caught', (_name, path, text) => {
    expect(judge(findBannedCode, path, text)).toHaveLength(1);
  });

  it.each([
    ['the environment in config', 'src/config/a.ts', 'read(process.env);'],
    ['a query in db', 'src/db/queries/a.ts', 'sql`select 1`;'],
    [
      'words that only begin like a query',
      'src/domain/a.ts',
      "const text = 'Select an app'; const other = 'Update failed'; const more = 'with care';",
    ],
    [
      'UTC parts',
      'src/lib/a.ts',
      'date.getUTCDate(); new Date(ms); new Date(); Date.UTC(2026, 10, 21);',
    ],
    ['a format in UTC', 'web/src/a.ts', "new Intl.DateTimeFormat('en', { timeZone: 'UTC' });"],
    ['a test that says what it needs', 'tests/queue/a.ts', "it.skipIf(!redis)('x', () => {});"],
  ])('%s is fine', (_name, path, text) => {
    expect(judge(findBannedCode, path, text)).toEqual([]);
  });

  it.each([
    '// TODO: later',
    '/* FIXME */',
    '-- XXX',
    '// @ts-ignore',
    "throw new Error('not implemented');",
  ])('%s is caught', (text) => {
    expect(judge(findPromises, 'src/db/migrations/0001_a.sql', text)).toHaveLength(1);
  });
});

describe('names and lengths', () => {
  it('the tree keeps them', () => {
    expect(print([...findBadNames(tree), ...findLong(tree)])).toEqual([]);
  });

  it.each([
    'src/lib/rankMonths.ts',
    'web/src/Page.tsx',
    'src/lib/rank_months.ts',
    'src/lib/utils.ts',
    'src/domain/helpers/a.ts',
    'src/lib/types.ts',
    'src/queue/manager.ts',
  ])('%s is caught', (path) => {
    expect(judge(findBadNames, path, '')).toHaveLength(1);
  });

  it.each([
    'README.md',
    '.env.example',
    '.ci/run',
    'src/db/migrations/0001_accounts.sql',
    'web/src/a-page.module.css',
    'src/domain/tokens/manage.ts',
  ])('%s is a good name', (path) => {
    expect(judge(findBadNames, path, '')).toEqual([]);
  });

  it.each([
    ['src/domain/a/b.ts', 201],
    ['src/db/queries/a.ts', 301],
    ['src/api/routes/a.ts', 251],
    ['src/jobs/a.ts', 121],
    ['tests/a.test.ts', 501],
  ])('%s of %i lines is caught', (path, lines) => {
    expect(print(findLong([{ path, text: '\n'.repeat(lines) }]))).toHaveLength(1);
    expect(print(findLong([{ path, text: '\n'.repeat(lines - 1) }]))).toEqual([]);
  });

  it('a long function is caught, the functions inside it are counted apart', () => {
    const body = (lines: number) => '  step();\n'.repeat(lines);
    expect(
      print(findLong([{ path: 'src/lib/a.ts', text: `function long() {\n${body(69)}}\n` }])),
    ).toHaveLength(1);
    expect(
      print(
        findLong([
          {
            path: 'src/lib/a.ts',
            text: `function factory() {\n${`  const a = () => {\n${body(30)}  };\n`.repeat(3)}}\n`,
          },
        ]),
      ),
    ).toEqual([]);
  });

  it('every source file has a limit', () => {
    const free = tree.filter(
      (file) =>
        /^(src|web\/src|simulator|tests|scripts|bench)\/.*\.tsx?$/.test(file.path) &&
        !lengthLimits.some((row) => row.files.test(file.path)),
    );
    expect(free.map((file) => file.path)).toEqual([]);
  });
});
