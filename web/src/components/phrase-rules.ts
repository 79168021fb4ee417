/** The store's own limits; the API holds them too, this only says so while typing. */
const mostWords = 5;
const mostCharacters = 100;

/** One phrase a line; commas and semicolons part them too. */
export function readPhrases(text: string): string[] {
  const phrases = text.split(/[\n,;]+/).map((phrase) => phrase.trim().replace(/\s+/g, ' '));
  return [...new Set(phrases.filter(Boolean))];
}

export function isTooLong(phrase: string): boolean {
  return phrase.split(' ').length > mostWords || [...phrase].length > mostCharacters;
}
