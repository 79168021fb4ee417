import fc from 'fast-check';

const firstSurrogate = 0xd800;
const surrogates = 0x800;
const last = 0x10_ffff - surrogates;

/**
 * Any character of Unicode, for `fc.string({ unit: anyCharacter })`: the same characters as its
 * `binary`, which lists all of them first and so takes a second in each process.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: last })
  .map((number) => String.fromCodePoint(number < firstSurrogate ? number : number + surrogates));
