import { maxPhraseCharacters, maxPhraseWords, normalisePhrase } from '../keywords/phrase.ts';
import { countCharacters } from '../../lib/text.ts';
import { stopWords } from './stop-words.ts';

export type PhraseSource = 'title' | 'subtitle' | 'summary' | 'category' | 'description';

export interface SuggestedPhrase {
  phrase: string;
  source: PhraseSource;
}

export interface ListingTexts {
  name: string;
  developer: string | null;
  subtitle: string | null;
  summary: string | null;
  description: string | null;
  category: string | null;
}

interface Candidate extends SuggestedPhrase {
  score: number;
}

const maxPhrases = 16;
const maxWordsInGram = 3;
/** The end of a description is contact addresses and terms of subscription. */
const describedLength = 3_000;

/** What a whole part between separators is worth, and a run of its words; a single word is the vaguest search. */
const worth: Record<PhraseSource, { part: number; gram: number; word: number }> = {
  title: { part: 100, gram: 70, word: 44 },
  subtitle: { part: 84, gram: 60, word: 38 },
  summary: { part: 50, gram: 42, word: 20 },
  category: { part: 36, gram: 0, word: 36 },
  description: { part: 0, gram: 14, word: 4 },
};
const brandWorth = 64;

const segmenter = new Intl.Segmenter('und', { granularity: 'word' });

/**
 * Phrases read off a listing, best first, for a first pick of keywords: each as it would be tracked (normalised, at most
 * 5 words and 100 characters), no two with the same words. Works for scripts without spaces. At most 16.
 */
export function suggestPhrases(texts: ListingTexts): SuggestedPhrase[] {
  const brand = readBrand(texts);
  const all = Object.values(texts).filter((text) => text !== null).map(normalisePhrase).join('\n').slice(0, 2 * describedLength);
  const candidates = [
    ...(brand === null ? [] : [{ phrase: brand, source: 'title' as const, score: brandWorth }]),
    ...listCandidates('title', texts.name, brand),
    ...listCandidates('subtitle', texts.subtitle, brand),
    ...listCandidates('summary', texts.summary, brand),
    ...listCandidates('category', texts.category, brand),
    ...listCandidates('description', texts.description?.slice(0, describedLength) ?? null, brand).filter(({ phrase }) => countOf(phrase, all) > 1),
  ].filter(({ phrase }) => isTrackable(phrase));
  const ranked = candidates
    .map((candidate) => ({ ...candidate, score: candidate.score + 5 * Math.min(5, countOf(candidate.phrase, all) - 1) }))
    .toSorted((a, b) => b.score - a.score);
  return pickDistinct(ranked);
}

/** The first part of a title in several, or the whole title where it is the developer's name. */
function readBrand({ name, developer }: ListingTexts): string | null {
  const parts = splitParts(name);
  const first = parts[0];
  if (first === undefined) return null;
  if (parts.length > 1 && listWords(first).length <= 3) return first;
  return developer !== null && normalisePhrase(developer).startsWith(first) ? first : null;
}

function listCandidates(source: PhraseSource, text: string | null, brand: string | null): Candidate[] {
  if (text === null) return [];
  return splitParts(text).flatMap((part) => {
    if (part === brand) return [];
    const words = listWords(part);
    const whole = words.length > 0 && words.length <= maxPhraseWords && part.split(' ').length <= maxPhraseWords && worth[source].part > 0;
    const grams = source === 'category' ? [] : listGrams(words, part);
    const scored = grams.map(({ phrase, length }) => ({ phrase, source, score: length === 1 ? worth[source].word : worth[source].gram + length }));
    const isPlain = whole && !stopWords.has(words[0]!.text) && !stopWords.has(words.at(-1)!.text);
    const wholes = isPlain ? [{ phrase: part, source, score: worth[source].part }] : [];
    return [...wholes, ...scored].filter(({ phrase }) => brand === null || !containsPhrase(phrase, brand));
  });
}

/** Normalised stretches of text between separators. A hyphen separates only with space around it. */
function splitParts(text: string): string[] {
  return text
    .split(/[\n\r|:;,.!?()[\]{}<>"“”„«»•·・*~–—―/\\，、。！？；：（）【】「」『』《》〈〉｜]|\s[-+&]\s/u)
    .map((part) => normalisePhrase(part).replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}\p{M}]+$/gu, ''))
    .filter((part) => part !== '');
}

interface Word {
  text: string;
  start: number;
  end: number;
}

function listWords(part: string): Word[] {
  return [...segmenter.segment(part)]
    .filter((segment) => segment.isWordLike)
    .map(({ segment, index }) => ({ text: segment, start: index, end: index + segment.length }));
}

/** Runs of up to three words that neither begin nor end with a stop word, cut out of the part so that its spacing stays. */
function listGrams(words: Word[], part: string): { phrase: string; length: number }[] {
  return words.flatMap((first, index) =>
    words
      .slice(index, index + maxWordsInGram)
      .map((last, more) => ({ last, length: more + 1 }))
      .filter(({ last, length }) => isTelling(first.text, length) && isTelling(last.text, length))
      .map(({ last, length }) => ({ phrase: part.slice(first.start, last.end), length })),
  );
}

/** A word alone has to say more: three letters, or two of a script in which a letter is a syllable or a word. */
function isTelling(word: string, length: number): boolean {
  if (stopWords.has(word) || /^\p{N}+$/u.test(word)) return false;
  const isDense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(word);
  return length > 1 || countCharacters(word) >= (isDense ? 2 : 3);
}

function isTrackable(phrase: string): boolean {
  return countCharacters(phrase) <= maxPhraseCharacters && phrase.split(' ').length <= maxPhraseWords;
}

function pickDistinct(ranked: Candidate[]): SuggestedPhrase[] {
  const picked: SuggestedPhrase[] = [];
  const seen = new Set<string>();
  for (const { phrase, source } of ranked) {
    const key = phrase.split(' ').toSorted().join(' ');
    if (seen.has(key)) continue;
    seen.add(key);
    picked.push({ phrase, source });
    if (picked.length === maxPhrases) break;
  }
  return picked;
}

function countOf(phrase: string, text: string): number {
  return text.split(phrase).length - 1;
}

/** On word borders in scripts with spaces; anywhere in those without. */
function containsPhrase(text: string, phrase: string): boolean {
  return ` ${text} `.includes(` ${phrase} `) || (!phrase.includes(' ') && /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/u.test(phrase) && text.includes(phrase));
}
