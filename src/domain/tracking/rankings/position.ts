import { profileOf, type SearchResponse, type StoreName } from '#domain/base/ports.ts';

/** An older position no longer counts as current. */
export const positionMaxAgeDays = 3;

/** The examined depth. When the store has no more results, nothing deeper could have been found. */
export function examinedDepth(
  response: Pick<SearchResponse, 'end' | 'depthRequested' | 'depthReached'>,
): number {
  return response.end === 'truncated' ? response.depthReached : response.depthRequested;
}

/** The 1-based position of the app in the results, or null: examined and not found. */
export function positionIn(
  response: Pick<SearchResponse, 'items'>,
  storeAppId: string,
): number | null {
  const index = response.items.findIndex((item) => item.storeAppId === storeAppId);
  return index === -1 ? null : index + 1;
}

/** True for a first search of a market with few results: the market may be small, or throttled. */
export function isSmall(store: StoreName, resultCount: number, askedFor: number): boolean {
  return resultCount < Math.min(profileOf(store).search.minFirstResults, askedFor);
}

/** Two results are consistent when neither is more than twice the other, give or take two. */
export function areConsistent(first: number, second: number): boolean {
  return Math.max(first, second) <= 2 * Math.min(first, second) + 2;
}
