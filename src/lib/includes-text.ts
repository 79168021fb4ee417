import { toLowerCase } from './lower-case.ts';

/** An expression that PostgreSQL understands, too, and what its matches are replaced with. */
interface Fold {
  pattern: RegExp;
  by: string;
}

export const apostrophes: Fold = { pattern: /[‘’ʼ]/gu, by: "'" };
/**
 * Vowel signs and the lengthening stroke: the same Arabic word is written with and without them.
 */
export const arabicMarks: Fold = { pattern: /[\u0640\u064B-\u065F\u0670]/gu, by: '' };

const folds: { isFor: RegExp; fold: Fold }[] = [
  // A final sigma is a sigma.
  { isFor: /[Σσς]/, fold: { pattern: /ς/gu, by: 'σ' } },
  { isFor: /['‘’ʼ]/, fold: apostrophes },
  { isFor: /(?=\p{L})\p{Script=Arabic}/u, fold: arabicMarks },
  { isFor: /\s/, fold: { pattern: /\s{2,}|[\t-\r]/gu, by: ' ' } },
];

/**
 * What is replaced in a text and in a part of it before they are compared. Only what the part has,
 * because each takes about as long as the search.
 */
export const foldsFor = (part: string): Fold[] =>
  folds.filter(({ isFor }) => isFor.test(part)).map(({ fold }) => fold);

export const applyFolds = (text: string, applied: readonly Fold[]): string =>
  applied.reduce((folded, { pattern, by }) => folded.replaceAll(pattern, by), text);

/** As `containsText` of src/db/contains-text.ts, which PostgreSQL evaluates. */
export function includesText(text: string, part: string): boolean {
  const needed = foldsFor(part.normalize('NFKC'));
  const fold = (value: string) => applyFolds(toLowerCase(value.normalize('NFKC')), needed);
  return fold(text).includes(fold(part));
}
