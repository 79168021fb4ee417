import type { FieldKeyword } from '../../db/queries/keyword-field.ts';
import { countCharacters } from '../../lib/text.ts';
import { stopWords } from '../listings/stop-words.ts';
import { readBrand } from '../listings/suggest-phrases.ts';
import { listFieldWords } from './field-text.ts';
import { differByPlural, holdsWord, listWords, wordFinder } from './words.ts';

const maxIds = 200;

/** What the store indexes besides the field. `subtitle` is null where it is not known. */
export interface IndexedTexts {
  name: string;
  developer: string | null;
  subtitle: string | null;
}

export interface JudgedWord {
  term: string;
  inTitle: boolean | null;
  inSubtitle: boolean | null;
  duplicate: boolean;
  plural: boolean;
  brand: boolean;
  stopword: boolean;
  bytes: number;
  trackedKeywordIds: number[];
  keywordId: number | null;
  bestPosition: number | null;
  traffic: number | null;
  difficulty: number | null;
}

/** Each word of a normalised field, in its order. `listing` is null while it has not been read: then nothing is said of it. */
export function judgeWords(
  normalized: string,
  listing: IndexedTexts | null,
  keywords: readonly FieldKeyword[],
): JudgedWord[] {
  const words = listFieldWords(normalized);
  const brand = listing ? listWords(readBrand(listing) ?? '') : [];
  const shown = listing ? [...listWords(listing.name), ...listWords(listing.subtitle ?? '')] : [];
  const found = keywords.map((keyword) => ({ keyword, holds: wordFinder(keyword.phrase) }));
  return words.map((term, index) => {
    const before = words.slice(0, index);
    const holders = found.filter(({ holds }) => holds(term)).map(({ keyword }) => keyword);
    const exact = holders.find((keyword) => keyword.phrase === term);
    const positions = holders.flatMap((keyword) => keyword.latestPosition ?? []);
    return {
      term,
      inTitle: listing && holdsWord(listing.name, term),
      inSubtitle: listing && listing.subtitle !== null ? holdsWord(listing.subtitle, term) : null,
      duplicate: before.includes(term),
      plural: [...before, ...shown].some((other) => differByPlural(other, term)),
      brand: brand.includes(term),
      // Who follows a phrase with the word wants it found.
      stopword: stopWords.has(term) && holders.length === 0,
      bytes: Buffer.byteLength(term),
      trackedKeywordIds: holders.slice(0, maxIds).map((keyword) => keyword.id),
      keywordId: exact?.id ?? null,
      bestPosition: positions.length === 0 ? null : Math.min(...positions),
      traffic: exact?.traffic ?? null,
      difficulty: exact?.difficulty ?? null,
    };
  });
}

/** A word that is found without the field's help, or that nobody looks for. */
export function isWasted(word: JudgedWord): boolean {
  return (
    Boolean(word.inTitle) ||
    Boolean(word.inSubtitle) ||
    word.duplicate ||
    word.plural ||
    word.brand ||
    word.stopword
  );
}

/** The characters that the field would be shorter by without its wasted words. */
export function countWasted(normalized: string, judged: readonly JudgedWord[]): number {
  let next = 0;
  const kept = normalized
    .split(',')
    .map((phrase) => listFieldWords(phrase).filter(() => !isWasted(judged[next++]!)))
    .filter((words) => words.length > 0);
  return (
    countCharacters(normalized) - countCharacters(kept.map((words) => words.join(' ')).join(','))
  );
}
