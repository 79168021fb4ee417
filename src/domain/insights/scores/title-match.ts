import { toLowerCase } from '#lib/lower-case.ts';
import { collapseWhiteSpace } from '#lib/text.ts';
import type { DifficultyFormula } from './formulas.ts';

const segmenter = new Intl.Segmenter('und', { granularity: 'word' });
/** The segmenter takes twenty times as long and gives the same result. */
const plain = /^[a-z0-9 ]*$/;
/** Scripts without spaces, in which words depend on their context. */
const dense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Shorter words written together have another meaning too often. */
const minJoined = 5;

type Values = Pick<
  DifficultyFormula['normalisations'],
  'titleAllWords' | 'titleAllWordsClose' | 'titleSomeWords'
>;

/** A text prepared for comparison: lower case, with its words in any script. */
export interface Words {
  text: string;
  words: string[];
  /** The first index of each word. */
  indexes: Map<string, number>;
}

export function toWords(text: string): Words {
  const normal = toLowerCase(collapseWhiteSpace(text.normalize('NFKC')));
  const words = plain.test(normal)
    ? normal.split(' ').filter((word) => word !== '')
    : splitWords(normal);
  return {
    text: normal,
    words,
    indexes: new Map(words.map((word, index) => [word, index] as const).toReversed()),
  };
}

function splitWords(text: string): string[] {
  return [...segmenter.segment(text)].filter((part) => part.isWordLike).map((part) => part.segment);
}

/**
 * How well a title matches a phrase, 0–1. All words in order and adjacent give 1, also when they
 * are written together or apart. All words in another arrangement give 0.85 or more, the closer the
 * higher. Some of the words give their share of 0.5.
 */
export function matchTitle(phrase: Words, title: Words, values: Values): number {
  if (isNamed(phrase, title)) return 1;
  if (phrase.words.length === 0) return 0;
  const words = [...new Set(phrase.words)];
  const found = words.flatMap((word) => title.indexes.get(word) ?? []);
  if (found.length < words.length) return (values.titleSomeWords * found.length) / words.length;
  const span = Math.max(...found) - Math.min(...found) + 1;
  return values.titleAllWords + (values.titleAllWordsClose * words.length) / span;
}

/**
 * True when the text contains the whole phrase, also with its words written together or apart:
 * "PrizePicks" contains "prize picks", and the other way round.
 */
export function isNamed(phrase: Words, text: Words): boolean {
  if (phrase.words.length === 0) return phrase.text !== '' && text.text.includes(phrase.text);
  if (dense.test(phrase.text)) return text.text.includes(phrase.text);
  const joined = phrase.words.join('');
  // The words of the phrase, or one word that they make together, must be there. A description has
  // hundreds of words, nearly all with another first character.
  const first = joined.charCodeAt(0);
  return text.words.some(
    (word, start) =>
      word.charCodeAt(0) === first && startsAt(phrase.words, joined, text.words, start),
  );
}

function startsAt(
  phrase: readonly string[],
  joined: string,
  words: readonly string[],
  start: number,
): boolean {
  if (phrase.every((word, index) => words[start + index] === word)) return true;
  if (joined.length < minJoined) return false;
  let left = joined;
  for (let at = start; at < words.length && left.startsWith(words[at]!); at += 1) {
    left = left.slice(words[at]!.length);
    if (left === '') return true;
  }
  return false;
}

/** The share of the phrase's words in the text, 0–1. */
export function shareOfWords(phrase: Words, text: Words): number {
  if (isNamed(phrase, text)) return 1;
  const words = [...new Set(phrase.words)];
  return words.length === 0
    ? 0
    : words.filter((word) => text.indexes.has(word)).length / words.length;
}
