/** Lower case, with one form for each character, as searches compare words. */
export const fold = (text: string): string => text.normalize('NFKC').toLowerCase();

/** The words of a text, folded, in their order. */
export function wordsOf(text: string): string[] {
  return fold(text).match(/[\p{L}\p{N}\p{M}#+]+/gu) ?? [];
}

/** Scripts without spaces between words. */
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Khmer}\p{sc=Lao}]/u;

/** True for a word that the text has; in a script without spaces, anywhere in it. */
export function wordFinder(text: string): (word: string) => boolean {
  const words = new Set(wordsOf(text));
  const whole = fold(text);
  return (word) => words.has(word) || (unspaced.test(word) && whole.includes(word));
}

/** The phrases that a text has as whole words, folded. */
export function findPhrases(text: string, phrases: readonly string[]): string[] {
  const padded = ` ${wordsOf(text).join(' ')} `;
  return phrases.filter((phrase) => padded.includes(` ${wordsOf(phrase).join(' ')} `));
}

/** The line of an offset in a text, from 0. */
export const lineOf = (text: string, offset: number): number =>
  text.slice(0, offset).split('\n').length - 1;
