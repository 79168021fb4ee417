/** Limits of the API, repeated here to show problems while typing. */
const maxWords = 5;
const maxCharacters = 100;

/** Splits lines, commas and semicolons into phrases. */
export function parsePhrases(text: string): string[] {
  const phrases = text.split(/[\n,;]+/).map((phrase) => phrase.trim().replace(/\s+/g, ' '));
  return [...new Set(phrases.filter(Boolean))];
}

export function isTooLong(phrase: string): boolean {
  return phrase.split(' ').length > maxWords || [...phrase].length > maxCharacters;
}
