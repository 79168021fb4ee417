import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cleanLine, cleanText } from '#domain/tracking/listings/clean-listing.ts';
import { anyCharacter } from '../harness/any-character.ts';

const long = (text: string, most: number) => cleanText(text, most)?.replace(/\s+/g, ' ') ?? null;

test('a line is cleaned as a text is, and its white space is single spaces', () => {
  const space = fc.constantFrom(' ', '  ', '\t', '\n', '\u00a0', '\u2009', '\u3000', '\ufeff', '');
  const word = fc.oneof(fc.constantFrom('Habit', 'für', '習慣', 'привычка'), anyCharacter);
  const texts = fc.array(fc.tuple(space, word, space), { maxLength: 8 }).map((it) => it.join(''));
  fc.assert(
    fc.property(texts, fc.constantFrom(3, 20, 500), (text, most) => {
      expect(cleanLine(text, most)).toBe(long(text, most));
    }),
    { numRuns: 5_000 },
  );
  for (let code = 0; code <= 0xffff; code += 1) {
    const text = `a ${String.fromCharCode(code)}b`;
    expect(cleanLine(text, 500)).toBe(long(text, 500));
  }
});
