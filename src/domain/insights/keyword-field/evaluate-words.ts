import type { FieldKeyword } from '#db/queries/keyword-field/keyword-field.ts';
import { countCharacters } from '#lib/text.ts';
import { stopWords } from '#lib/stop-words.ts';
import { readBrand } from '#domain/tracking/listings/suggest-phrases.ts';
import { listFieldWords } from './field-text.ts';
import { differByPlural, holdsWord, listWords, wordFinder } from '#lib/phrase-words.ts';

const maxIds = 200;

/** The indexed texts besides the field. `subtitle` is null when unknown. */
export interface IndexedTexts {
  name: string;
  developer: string | null;
  subtitle: string | null;
}

export interface EvaluatedWord {
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

/** Each word of a normalised field, in order. Nothing is evaluated while `listing` is null. */
export function evaluateWords(
  normalized: string,
  listing: IndexedTexts | null,
  keywords: readonly FieldKeyword[],
): EvaluatedWord[] {
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
      // A word of a tracked phrase is useful.
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

/** A word that is indexed without the field, or that nobody searches for. */
export function isWasted(word: EvaluatedWord): boolean {
  return (
    Boolean(word.inTitle) ||
    Boolean(word.inSubtitle) ||
    word.duplicate ||
    word.plural ||
    word.brand ||
    word.stopword
  );
}

/** The number of characters that the wasted words take. */
export function countWasted(normalized: string, evaluated: readonly EvaluatedWord[]): number {
  let next = 0;
  const kept = normalized
    .split(',')
    .map((phrase) => listFieldWords(phrase).filter(() => !isWasted(evaluated[next++]!)))
    .filter((words) => words.length > 0);
  return (
    countCharacters(normalized) - countCharacters(kept.map((words) => words.join(' ')).join(','))
  );
}
