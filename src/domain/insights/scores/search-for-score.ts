import {
  profileOf,
  StoreError,
  type SearchResponse,
  type StoreRequestOptions,
  type Stores,
} from '#domain/base/ports.ts';
import { areConsistent, needsConfirmation } from '#domain/tracking/rankings/position.ts';
import { minResultsWithoutConfirmation } from '#domain/tracking/rankings/search-with-confirmation.ts';
import type { MarketQuery } from './fetch-hints.ts';

const askAgainMs = 20_000;

/**
 * The live results of a phrase: one search, and a second one when the first is nearly empty,
 * because stores respond that way when they throttle. When the second does not confirm it, only the
 * seen positions count as examined. Throws StoreError, `unreadable` when neither returned anything.
 */
export async function searchForScore(
  stores: Stores,
  { store, country, phrase }: MarketQuery,
  options: StoreRequestOptions,
): Promise<SearchResponse> {
  // One request, whatever the store, because further pages add little to a score.
  const depth = profileOf(store).search.firstPage;
  const search = () => stores[store].search({ phrase, country, depth }, options);
  const isShort = (response: SearchResponse) =>
    needsConfirmation(store, response.items.length, null, depth);
  const first = await search();
  if (!isShort(first)) return first;
  const second = await search();
  const fuller = second.items.length > first.items.length ? second : first;
  const count = fuller.items.length;
  const isConfirmed =
    count >= minResultsWithoutConfirmation &&
    areConsistent(first.items.length, second.items.length);
  if (isConfirmed || !isShort(fuller)) return fuller;
  if (count > 0) return { ...fuller, depthReached: count, end: 'truncated' };
  const message = `two searches of ${store} returned nothing, which needs confirmation`;
  throw new StoreError({
    store,
    failure: 'unreadable',
    marker: 'implausible',
    message,
    retryAfterMs: askAgainMs,
  });
}
