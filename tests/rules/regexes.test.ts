import { createContext, Script } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { findSlowRegexes, listRegexes, repeatsAmbiguously } from '#scripts/rules/regexes.ts';
import { cpuMsOf } from '../harness/cpu-time.ts';
import { draw, isLong } from '../harness/short-form.ts';
import { evaluate } from './inline-source.ts';
import { tree } from './tree.ts';

/**
 * Long enough that quadratic time takes seconds: an expression that is merely not exponential fails
 * too.
 */
const length = 40_000;
const limitMs = 100;
/** The number of an expression's characters that are tried in pairs. */
const paired = isLong ? 8 : 3;

describe('regular expressions', () => {
  it.each([
    '(a+)+',
    '^(\\w+\\s?)*$',
    '(?:[a-z]+)*x',
    '([^"]*|x+)*',
    '((ab)*)*',
    '(-?[a-z]+)*',
    '([a-z]{2,})+',
    '(-[a-z-]+)*',
  ])('/%s/ is reported', (source) => {
    expect(repeatsAmbiguously(source)).toBe(true);
  });

  it.each([
    '^[a-z]+$',
    '^[a-z0-9]+(-[a-z0-9]+)*$',
    '(\\.\\d+)*',
    '(?:/[^/]+)+',
    '(ab)+',
    '[(a+)+]',
    '\\(a+\\)+',
    '(a+){1,3}',
  ])('/%s/ is linear', (source) => {
    expect(repeatsAmbiguously(source)).toBe(false);
  });

  it('that a function creates are reported, constants are not', () => {
    expect(
      evaluate(
        findSlowRegexes,
        'src/lib/a.ts',
        'export const find = (text: string) => new RegExp(text);',
      ),
    ).toHaveLength(1);
    expect(
      evaluate(findSlowRegexes, 'src/lib/a.ts', "export const find = new RegExp('[a-z]');"),
    ).toEqual([]);
  });

  // The short form draws a third of them: `npm run check` reads each for what makes them slow.
  it(`read ${length} hostile characters each in less than ${limitMs} ms`, () => {
    const slow: string[] = [];
    const flagsOf = (regex: { flags: string }) => regex.flags.replaceAll('y', '');
    const different = Map.groupBy(
      listRegexes(tree),
      (regex) => `${regex.source}/${flagsOf(regex)}`,
    );
    const regexes = [...different.values()].map(([regex]) => regex!);
    for (const regex of draw('expressions', Math.ceil(regexes.length / 3), regexes)) {
      const flags = flagsOf(regex);
      const texts = hostileTexts(regex.source);
      // A run with a time limit costs more than most expressions do.
      if (endsBeforeTimeout(regex.source, flags, texts)) continue;
      const found = texts.find((text) => !endsInTime(regex.source, flags, text));
      const line = `${regex.path}:${regex.line} /${regex.source}/`;
      if (found !== undefined) slow.push(`${line} on ${JSON.stringify(found.slice(0, 12))} …`);
    }
    expect(slow).toEqual([]);
  });

  it('that are known to be slow fail the measurement', () => {
    expect(endsInTime('^(a+)+$', '', `${'a'.repeat(length)}!`)).toBe(false);
    const quadratic = '^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$';
    expect(hostileTexts(quadratic).every((text) => endsInTime(quadratic, '', text))).toBe(false);
    const outerSpace = '^ *| *$';
    expect(hostileTexts(outerSpace).every((text) => endsInTime(outerSpace, 'g', text))).toBe(false);
  });
});

/** Runs of what the expression matches, each with an end that it does not match. */
function hostileTexts(source: string): string[] {
  const characters = [
    ...new Set([
      ...source.replace(/\\[a-zA-Z]|[()[\]{}*+?^$|\\]/g, ''),
      'a',
      'A',
      '0',
      ' ',
      '\n',
      '-',
      '.',
    ]),
  ].slice(0, 24);
  const pieces = [
    ...characters,
    ...characters
      .slice(0, paired)
      .flatMap((one) => characters.slice(0, paired).map((other) => one + other)),
  ];
  // An email address is refused at its second @, after the run has reached the second half of the
  // expression. A run inside the text is behind everything that is bound to its beginning.
  const frames = [
    (run: string) => `${run}\u0000`,
    (run: string) => `a@${run}@`,
    (run: string) => `x${run}x`,
  ];
  return pieces.flatMap((piece) =>
    frames.map((frame) => frame(piece.repeat(length / piece.length))),
  );
}

const input = createContext({ source: '', flags: '', texts: [''] });
// A replacement goes on behind the first match, which `g` makes it do.
const search = new Script(
  'texts.forEach((text) => text.replace(new RegExp(source, flags), String))',
);

/** Three attempts; one in which a busy machine gave little time does not count. */
function endsInTime(source: string, flags: string, text: string): boolean {
  let hasEnded = false;
  for (let slow = 0; slow < 3 && !hasEnded;) {
    const cpuMs = cpuMsOf(() => {
      hasEnded = endsBeforeTimeout(source, flags, [text]);
    });
    if (cpuMs > limitMs / 2) slow += 1;
  }
  return hasEnded;
}

function endsBeforeTimeout(source: string, flags: string, texts: readonly string[]): boolean {
  Object.assign(input, { source, flags, texts });
  try {
    search.runInContext(input, { timeout: limitMs });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false;
    throw error;
  }
}
