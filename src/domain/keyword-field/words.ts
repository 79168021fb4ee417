import { normalisePhrase } from '../keywords/phrase.ts';
import { functionWords } from '../listings/stop-words.ts';

/** Scripts that set no spaces between words. */
const dense =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** The words of a text as the field would hold them; punctuation separates. */
export function listWords(text: string): string[] {
  return [...new Set(toPlain(normalisePhrase(text)).split(' '))].filter((word) => word !== '');
}

/** On word borders; anywhere in scripts without spaces. A word of signs alone is looked for as it is. */
export function holdsWord(text: string, word: string): boolean {
  return wordFinder(text)(word);
}

/** The same for many words of one text. */
export function wordFinder(text: string): (word: string) => boolean {
  const normal = normalisePhrase(text);
  const bordered = ` ${toPlain(normal)} `;
  return (word) => {
    const plain = toPlain(word);
    return plain === '' || dense.test(word)
      ? normal.includes(word)
      : bordered.includes(` ${plain} `);
  };
}

/** Of a phrase, each once. Words like "with" and "the" are never among them: stores do not rank by them. */
export function listMissingWords(phrase: string, holds: (word: string) => boolean): string[] {
  return [...new Set(phrase.split(' '))].filter((word) => !functionWords.has(word) && !holds(word));
}

function toPlain(text: string): string {
  return text.replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ').trim();
}

/** True for two words that only the plural of English, and of what forms it alike, tells apart: `app` and `apps`, `story` and `stories`. */
export function differByPlural(a: string, b: string): boolean {
  return a !== b && singularOf(a) === singularOf(b);
}

/** Their s is their own. */
const singulars = new Set([
  'always',
  'gas',
  'lens',
  'news',
  'christmas',
  'pancreas',
  'canvas',
  'atlas',
  'texas',
]);

function singularOf(word: string): string {
  if (!/^[a-z]{4,}$/.test(word) || singulars.has(word)) return word;
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:[sxz]|ch|sh)es$/.test(word)) return word.slice(0, -2);
  return /[^siu]s$/.test(word) ? word.slice(0, -1) : word;
}
