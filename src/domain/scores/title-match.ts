import { toLowerCase } from '../../lib/lower-case.ts';
import { collapseWhiteSpace } from '../../lib/text.ts';
import type { DifficultyFormula } from './formulas.ts';

const segmenter = new Intl.Segmenter('und', { granularity: 'word' });
/** Asking the segmenter takes twenty times as long, and says the same. */
const plain = /^[a-z0-9 ]*$/;
/** Scripts without spaces: what a word is depends on its neighbours there. */
const dense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

type Values = Pick<
  DifficultyFormula['normalisations'],
  'titleAllWords' | 'titleAllWordsClose' | 'titleSomeWords'
>;

/** A text ready to be compared: lower case, and its words in any script. */
export interface Words {
  text: string;
  words: string[];
  /** Where each word stands first. */
  places: Map<string, number>;
}

export function toWords(text: string): Words {
  const normal = toLowerCase(collapseWhiteSpace(text.normalize('NFKC')));
  const words = plain.test(normal)
    ? normal.split(' ').filter((word) => word !== '')
    : splitWords(normal);
  return {
    text: normal,
    words,
    places: new Map(words.map((word, index) => [word, index] as const).toReversed()),
  };
}

function splitWords(text: string): string[] {
  return [...segmenter.segment(text)].filter((part) => part.isWordLike).map((part) => part.segment);
}

/**
 * How far a title names a phrase, 0–1. 1: all words in a row, as in the phrase. All words, but apart or turned around:
 * 0.85 and up, the closer the more. Some of the words: their share of 0.5.
 */
export function matchTitle(phrase: Words, title: Words, values: Values): number {
  if (isNamed(phrase, title)) return 1;
  if (phrase.words.length === 0) return 0;
  const wanted = [...new Set(phrase.words)];
  const found = wanted.flatMap((word) => title.places.get(word) ?? []);
  if (found.length < wanted.length) return (values.titleSomeWords * found.length) / wanted.length;
  const span = Math.max(...found) - Math.min(...found) + 1;
  return values.titleAllWords + (values.titleAllWordsClose * wanted.length) / span;
}

/** True when the phrase stands in the text as a whole. */
export function isNamed(phrase: Words, text: Words): boolean {
  if (phrase.words.length === 0) return phrase.text !== '' && text.text.includes(phrase.text);
  if (dense.test(phrase.text)) return text.text.includes(phrase.text);
  if (!phrase.words.every((word) => text.places.has(word))) return false;
  return text.words.some((_, start) => startsAt(phrase.words, text.words, start));
}

function startsAt(phrase: readonly string[], words: readonly string[], start: number): boolean {
  return phrase.every((word, index) => words[start + index] === word);
}

/** The share of the phrase's words that the text holds, 0–1. */
export function shareOfWords(phrase: Words, text: Words): number {
  if (isNamed(phrase, text)) return 1;
  const wanted = [...new Set(phrase.words)];
  return wanted.length === 0
    ? 0
    : wanted.filter((word) => text.places.has(word)).length / wanted.length;
}
