import {
  profileOf,
  StoreError,
  type SearchResponse,
  type StoreRequestOptions,
} from '#domain/base/ports.ts';
import { areConsistent, isSmall } from '#domain/tracking/rankings/position.ts';
import { minResultsWithoutConfirmation } from '#domain/tracking/rankings/search-with-confirmation.ts';
import type { Services } from '#domain/base/context.ts';
import { cardsOf } from '#domain/tracking/listings/look-up-cards.ts';
import type { MarketQuery } from './fetch-hints.ts';
import { readPositions } from './formulas.ts';

const askAgainMs = 20_000;

/**
 * The live results of a phrase: one search, and a second one when the first is nearly empty,
 * because stores respond that way when they throttle. When the second does not confirm it, only the
 * seen positions count as examined. Throws StoreError, `unreadable` when neither returned anything.
 */
export async function searchForScore(
  services: Pick<Services, 'stores' | 'settings' | 'log'>,
  market: MarketQuery,
  options: StoreRequestOptions,
): Promise<SearchResponse> {
  const response = await searchConfirmed(services, market, options);
  const first = response.items.slice(0, readPositions);
  const { cards } = await cardsOf(services, market, first, options);
  const named = first.map(({ storeAppId }, index) => ({ storeAppId, card: cards[index]! }));
  return { ...response, items: [...named, ...response.items.slice(readPositions)] };
}

/** By the provider of tracked positions, so that a phrase scores the same once it is tracked. */
async function searchConfirmed(
  { stores, settings }: Pick<Services, 'stores' | 'settings'>,
  { store, country, device, phrase }: MarketQuery,
  options: StoreRequestOptions,
): Promise<SearchResponse> {
  // One request, whatever the store, because further pages add little to a score.
  const depth = profileOf(store).search.firstPage;
  const provider = settings.searchProviders[store][0]!;
  const query = { provider, phrase, country, device, depth };
  const search = () => stores[store].search(query, options);
  const isShort = (response: SearchResponse) => isSmall(store, response.items.length, depth);
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
