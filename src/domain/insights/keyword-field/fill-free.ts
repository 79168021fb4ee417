import { countCharacters } from '#lib/text.ts';
import { stopWords } from '#lib/stop-words.ts';
import { listFieldWords } from './field-text.ts';
import { differByPlural, listWords, wordFinder } from '#lib/phrase-words.ts';

export type FillSource = 'tracked' | 'listing' | 'serp' | 'competitors';

/** A phrase whose words may be added to the field; best first. */
export interface FillCandidate {
  phrase: string;
  source: FillSource;
  keywordId: number | null;
}

export interface Fill {
  term: string;
  characters: number;
  source: FillSource;
  keywordIds: number[];
}

const maxFills = 30;
const maxIds = 200;

/**
 * Words that are in neither the field nor `shown` (title and subtitle), best first, as many as fit
 * into the free characters.
 */
export function fillFree(
  normalized: string,
  maxCharacters: number,
  shown: string,
  candidates: readonly FillCandidate[],
): Fill[] {
  const field = listFieldWords(normalized);
  const shownWords = listWords(shown);
  const isShown = wordFinder(shown);
  const fills = new Map<string, Fill>();
  let used = countCharacters(normalized);
  for (const { phrase, source, keywordId } of candidates) {
    for (const term of listWords(phrase)) {
      const known = fills.get(term);
      if (
        known &&
        keywordId !== null &&
        known.keywordIds.length < maxIds &&
        !known.keywordIds.includes(keywordId)
      )
        known.keywordIds.push(keywordId);
      if (
        known ||
        fills.size === maxFills ||
        isShown(term) ||
        !addsSomething(term, [...field, ...fills.keys()], shownWords)
      )
        continue;
      const characters = countCharacters(term) + (used > 0 ? 1 : 0);
      if (used + characters > maxCharacters) continue;
      used += characters;
      fills.set(term, {
        term,
        characters,
        source,
        keywordIds: keywordId === null ? [] : [keywordId],
      });
    }
  }
  return [...fills.values()];
}

function addsSomething(
  term: string,
  words: readonly string[],
  shownWords: readonly string[],
): boolean {
  if (stopWords.has(term) || /^\p{N}+$/u.test(term) || words.includes(term)) return false;
  return ![...words, ...shownWords].some((word) => differByPlural(word, term));
}
