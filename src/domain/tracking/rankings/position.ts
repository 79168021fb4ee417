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

/**
 * True for an empty result, or one at most half as long as the market's usual: stores respond 200
 * with little or nothing when they throttle.
 */
export function needsConfirmation(
  store: StoreName,
  resultCount: number,
  usualResults: number | null,
  askedFor: number,
): boolean {
  const { minFirstResults } = profileOf(store).search;
  if (usualResults === null) return resultCount < Math.min(minFirstResults, askedFor);
  const expected = Math.min(usualResults, askedFor);
  return resultCount < expected && resultCount <= expected / 2;
}

/** Two results are consistent when neither is more than twice the other, give or take two. */
export function areConsistent(first: number, second: number): boolean {
  return Math.max(first, second) <= 2 * Math.min(first, second) + 2;
}
