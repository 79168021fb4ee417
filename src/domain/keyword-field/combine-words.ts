import type { FieldKeyword } from '../../db/queries/keyword-field.ts';
import { listFieldWords } from './field-text.ts';
import type { IndexedTexts } from './judge-words.ts';
import { listMissingWords, listWords, wordFinder } from './words.ts';

const maxListed = 200;

export interface Combinations {
  words: number;
  pairs: number;
  tracked: { keywordId: number; phrase: string; covered: boolean; missing: string[] }[];
  covered: number;
  total: number;
}

/** Which tracked phrases the words of title, subtitle and field make up together; the first 200 by traffic are listed. */
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
  const judged = keywords.map(({ id, phrase }) => {
    const missing = listMissingWords(phrase, holds);
    return { keywordId: id, phrase, covered: missing.length === 0, missing };
  });
  return {
    words: words.size,
    pairs: (words.size * (words.size - 1)) / 2,
    tracked: judged.slice(0, maxListed),
    covered: judged.filter((keyword) => keyword.covered).length,
    total: judged.length,
  };
}
