import { normalisePhrase } from './normalise-phrase.ts';
import { functionWords } from './stop-words.ts';

/** Scripts without spaces between words. */
const dense =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** The words of a text as the keyword field would contain them. Punctuation separates words. */
export function listWords(text: string): string[] {
  return [...new Set(toPlain(normalisePhrase(text)).split(' '))].filter((word) => word !== '');
}

/**
 * Matches at word boundaries; anywhere in scripts without spaces. A word of symbols alone matches
 * literally.
 */
export function holdsWord(text: string, word: string): boolean {
  return wordFinder(text)(word);
}

/** Prepares a text once, to look for many words in it like `holdsWord`. */
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

/**
 * The words of a phrase that a text lacks, each once, without function words such as "with" and
 * "the", by which stores do not rank, and without signs such as "&" next to other words.
 */
export function listMissingWords(phrase: string, holds: (word: string) => boolean): string[] {
  const words = [...new Set(phrase.split(' '))];
  const withoutSigns = words.filter((word) => !isSign(word));
  return (withoutSigns.length > 0 ? withoutSigns : words).filter(
    (word) => !functionWords.has(word) && !holds(word),
  );
}

/** Punctuation and symbols that nobody searches for beside a word; emoji and flags may be. */
function isSign(word: string): boolean {
  return /^[\p{P}\p{S}]+$/u.test(word) && !/[\p{Extended_Pictographic}\p{RI}]/u.test(word);
}

function toPlain(text: string): string {
  return text.replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ').trim();
}

/**
 * True for two words that differ only by a regular English plural: `app` and `apps`, `story` and
 * `stories`, `movie` and `movies`.
 */
export function differByPlural(a: string, b: string): boolean {
  const ofA = singularsOf(a);
  return a !== b && singularsOf(b).some((word) => ofA.includes(word));
}

/** Words that end in s in the singular. */
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

/**
 * The words whose plural a word may be; the word itself when it is none. The spelling alone does
 * not distinguish `boxes`, of `box`, from `sizes`, of `size`.
 */
function singularsOf(word: string): string[] {
  if (!/^[a-z]{4,}$/.test(word) || singulars.has(word)) return [word];
  const [withoutS, withoutEs] = [word.slice(0, -1), word.slice(0, -2)];
  if (word.endsWith('ies') && word.length > 4) return [`${word.slice(0, -3)}y`, withoutS];
  if (/(?:[sxz]|ch|sh)es$/.test(word)) return [withoutEs, withoutS];
  return /[^siu]s$/.test(word) ? [withoutS] : [word];
}
