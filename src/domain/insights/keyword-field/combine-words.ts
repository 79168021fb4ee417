import type { FieldKeyword } from '#db/queries/keyword-field/keyword-field.ts';
import { listFieldWords } from './field-text.ts';
import type { IndexedTexts } from './evaluate-words.ts';
import { listMissingWords, listWords, wordFinder } from '#lib/phrase-words.ts';

const maxListed = 200;

export interface Combinations {
  words: number;
  pairs: number;
  tracked: { keywordId: number; phrase: string; covered: boolean; missing: string[] }[];
  covered: number;
  total: number;
}

/**
 * The tracked phrases that the words of title, subtitle and field cover together; the first 200 by
 * traffic are listed.
 */
export function combineWords(
  normalized: string,
  listing: IndexedTexts | null,
  keywords: readonly FieldKeyword[],
): Combinations {
  const holds = wordFinder([listing?.name ?? '', listing?.subtitle ?? '', normalized].join('\n'));
  const words = new Set([
    ...listWords(listing?.name ?? ''),
    ...listWords(listing?.subtitle ?? ''),
    ...listFieldWords(normalized),
  ]);
  const listed = keywords.map(({ id, phrase }) => {
    const missing = listMissingWords(phrase, holds);
    return { keywordId: id, phrase, covered: missing.length === 0, missing };
  });
  return {
    words: words.size,
    pairs: (words.size * (words.size - 1)) / 2,
    tracked: listed.slice(0, maxListed),
    covered: listed.filter((keyword) => keyword.covered).length,
    total: listed.length,
  };
}
