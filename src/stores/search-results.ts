import type { AppCard, SearchResponse, SearchResult } from '#domain/base/ports.ts';

/** The results of a response that has the facts of every app. */
export const toSearchResults = (cards: readonly AppCard[]): SearchResult[] =>
  cards.map((card) => ({ storeAppId: card.storeAppId, card }));

/**
 * The part of a response that one request gives. A list with `hasMore` does not say how many
 * results follow it, so only those that it names were examined.
 */
export function cutToDepth(
  { results, hasMore }: { results: readonly SearchResult[]; hasMore: boolean },
  depth: number,
): Pick<SearchResponse, 'items' | 'depthRequested' | 'depthReached' | 'end'> {
  const items = results.slice(0, depth);
  const isDeep = items.length === depth;
  return {
    items,
    depthRequested: depth,
    depthReached: items.length,
    end: isDeep ? 'depth' : hasMore ? 'truncated' : 'exhausted',
  };
}
