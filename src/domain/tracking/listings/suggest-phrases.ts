import { maxPhraseCharacters, maxPhraseWords } from '#domain/base/text/phrase.ts';
import { normalisePhrase } from '#lib/normalise-phrase.ts';
import { countCharacters } from '#lib/text.ts';
import { stopWords } from '#lib/stop-words.ts';

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
/** The end of a description holds contact addresses and subscription terms. */
const describedLength = 3_000;

/**
 * Weights of a whole part between separators, of a run of its words, and of a single word, which is
 * the vaguest search.
 */
const worth: Record<PhraseSource, { part: number; gram: number; word: number }> = {
  title: { part: 100, gram: 70, word: 46 },
  subtitle: { part: 84, gram: 60, word: 38 },
  summary: { part: 50, gram: 42, word: 20 },
  category: { part: 40, gram: 0, word: 22 },
  description: { part: 0, gram: 14, word: 4 },
};
const brandWorth = 64;
/** Lower-weighted phrases must occur twice in the listing. */
const sureWorth = 38;

// Scripts without spaces, in which hyphens and ampersands need none either.
const dense = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}';
const denseCharacter = new RegExp(`[${dense}]`, 'u');
const separator = new RegExp(
  `[\\n\\r|:;,.!?()[\\]{}<>"“”„«»•·・*~–—―/\\\\،؛؟、。！？；：（）【】「」『』《》〈〉｜]|\\s[-+&]\\s|(?<=[${dense}])[-+&]|[-+&](?=[${dense}])`,
  'u',
);
const segmenter = new Intl.Segmenter('und', { granularity: 'word' });

/**
 * Phrases from a listing, best first, as a first choice of keywords: each as it would be tracked
 * (normalized, at most 5 words and 100 characters), no two with the same words, at most 16. Works
 * for scripts without spaces.
 */
export function suggestPhrases(texts: ListingTexts): SuggestedPhrase[] {
  const brand = readBrand(texts);
  const description = texts.description?.slice(0, describedLength) ?? null;
  const all = [texts.name, texts.subtitle, texts.summary, texts.category, description]
    .map((text) => normalisePhrase(text ?? ''))
    .join('\n');
  const candidates = [
    ...(brand === null ? [] : [{ phrase: brand, source: 'title' as const, score: brandWorth }]),
    ...listCandidates('title', texts.name, brand),
    ...listCandidates('subtitle', texts.subtitle, brand),
    ...listCandidates('summary', texts.summary, brand),
    ...listCandidates('category', texts.category, brand),
    ...listCandidates('description', description, brand),
  ].filter(
    ({ phrase, source, score }) =>
      isTrackable(phrase) &&
      (source === 'category' || score >= sureWorth || countOf(phrase, all) > 1),
  );
  const ranked = candidates
    .map((candidate) => ({
      ...candidate,
      score: candidate.score + 5 * Math.min(5, countOf(candidate.phrase, all) - 1),
    }))
    .toSorted((a, b) => b.score - a.score);
  return pickDistinct(ranked);
}

/**
 * The first part of a title with several parts is usually the name, not the function. A title of
 * one part has no such part.
 */
export function readBrand({
  name,
  developer,
}: Pick<ListingTexts, 'name' | 'developer'>): string | null {
  const [first, second] = splitParts(name);
  if (
    first === undefined ||
    (listWords(first).length > 3 && (!denseCharacter.test(first) || first.length > 8))
  )
    return null;
  if (second !== undefined) return first;
  return developer !== null && normalisePhrase(developer).startsWith(first) ? first : null;
}

function listCandidates(
  source: PhraseSource,
  text: string | null,
  brand: string | null,
): Candidate[] {
  if (text === null) return [];
  const { part: partWorth, gram: gramWorth, word: wordWorth } = worth[source];
  return splitParts(text)
    .filter((part) => part !== brand)
    .flatMap((part) => {
      const words = listWords(part);
      const grams = gramWorth === 0 ? [] : listGrams(words, part);
      const scored = grams.map(({ phrase, length }) => ({
        phrase,
        source,
        score: length === 1 ? wordWorth : gramWorth + length,
      }));
      const isWhole = partWorth > 0 && isWholePhrase(words);
      const score = words.length === 1 ? (partWorth + wordWorth) / 2 : partWorth;
      return isWhole ? [{ phrase: part, source, score }, ...scored] : scored;
    })
    .filter(({ phrase }) => brand === null || !containsPhrase(phrase, brand));
}

/**
 * Normalised stretches of text between separators. A hyphen between letters belongs to its word.
 */
export function splitParts(text: string): string[] {
  return text
    .normalize('NFKC')
    .split(separator)
    .map((part) =>
      normalisePhrase(part).replace(/^[^\p{L}\p{N}]{1,50}|[^\p{L}\p{N}\p{M}]{1,50}$/gu, ''),
    )
    .filter((part) => part !== '');
}

/** Keeps a part as it is, except a single vague word and leading or trailing stop words. */
function isWholePhrase(words: Word[]): boolean {
  const [first] = words;
  if (first === undefined) return false;
  return words.length === 1
    ? isDistinctive(first.text, 1)
    : !stopWords.has(first.text) && !stopWords.has(words.at(-1)!.text);
}

export interface Word {
  text: string;
  start: number;
  end: number;
}

export function listWords(part: string): Word[] {
  return [...segmenter.segment(part)]
    .filter((segment) => segment.isWordLike)
    .map(({ segment, index }) => ({ text: segment, start: index, end: index + segment.length }));
}

/**
 * Runs of up to three words without a stop word at either end, cut from the part so that its
 * spacing stays.
 */
function listGrams(words: Word[], part: string): { phrase: string; length: number }[] {
  return words.flatMap((first, index) =>
    words
      .slice(index, index + maxWordsInGram)
      .map((last, more) => ({ last, length: more + 1 }))
      .filter(
        ({ last, length }) => isDistinctive(first.text, length) && isDistinctive(last.text, length),
      )
      .map(({ last, length }) => ({ phrase: part.slice(first.start, last.end), length })),
  );
}

/**
 * A single word needs three letters. In scripts without spaces it needs two, because syllables are
 * not words.
 */
export function isDistinctive(word: string, length: number): boolean {
  if (stopWords.has(word) || /^\p{N}+$/u.test(word)) return false;
  if (/^\p{Script=Hiragana}+$/u.test(word)) return countCharacters(word) > 3;
  return denseCharacter.test(word)
    ? countCharacters(word) > 1
    : length > 1 || countCharacters(word) >= (/\p{Script=Hangul}/u.test(word) ? 2 : 3);
}

function isTrackable(phrase: string): boolean {
  return (
    countCharacters(phrase) <= maxPhraseCharacters && phrase.split(' ').length <= maxPhraseWords
  );
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

/** At word boundaries in scripts with spaces; anywhere in those without. */
function containsPhrase(text: string, phrase: string): boolean {
  return denseCharacter.test(phrase) ? text.includes(phrase) : ` ${text} `.includes(` ${phrase} `);
}
