import { normalisePhrase } from '#lib/normalise-phrase.ts';

/** Limits of the API, repeated here to show problems while typing. */
const maxWords = 5;
const maxCharacters = 100;

/** The items of a list. NFKC comes first, because it makes wide commas ASCII. */
export const splitList = (text: string): string[] => text.normalize('NFKC').split(/[\n,;、،؛]+/);

/** Splits lines, commas and semicolons into phrases as the API stores them, each once. */
export function parsePhrases(text: string): string[] {
  return [...new Set(splitList(text).map(normalisePhrase))].filter(Boolean);
}

export const isTooLong = (phrase: string): boolean => findExcess(phrase) !== null;

/** The limit that a phrase exceeds; null when it fits. */
export function findExcess(phrase: string) {
  const words = phrase.split(' ').length;
  if (words > maxWords) return { unit: 'Words', length: words, limit: maxWords } as const;
  const { length } = [...phrase];
  return length > maxCharacters
    ? ({ unit: 'Characters', length, limit: maxCharacters } as const)
    : null;
}
