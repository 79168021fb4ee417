import type { MarketToCheck } from '#db/queries/rankings/checks.ts';
import type { Services } from '#domain/base/context.ts';
import {
  addCosts,
  StoreError,
  type SearchResponse,
  type StoreRequestOptions,
} from '#domain/base/ports.ts';
import { areConsistent, needsConfirmation } from './position.ts';

/** A new market with fewer results than this may be small, or both results were withheld. */
export const minResultsWithoutConfirmation = 20;
const confirmationDelayMs = 20_000;
/** Marks the first of two pairs. */
const marker = 'implausible';

type Searched = Pick<
  MarketToCheck,
  'store' | 'provider' | 'phrase' | 'country' | 'device' | 'depth' | 'usualResults' | 'lastMarker'
>;

/**
 * Searches, and searches again when the first result is implausible. Both costs count. A result far
 * below the market's usual, or nearly empty at first, is accepted only when two pairs of searches,
 * some time apart, repeat it.
 */
export async function searchWithConfirmation(
  services: Services,
  market: Searched,
  options: StoreRequestOptions,
): Promise<SearchResponse> {
  const store = services.stores[market.store];
  const { provider, phrase, country, device, depth } = market;
  const query = { provider, phrase, country, device, depth };
  const isShort = (response: SearchResponse) =>
    needsConfirmation(market.store, response.items.length, market.usualResults, market.depth);
  const first = await store.search(query, options);
  if (!isShort(first)) return first;
  const second = await store.search(query, options);
  const fuller = {
    ...(second.items.length >= first.items.length ? second : first),
    cost: addCosts(first.cost, second.cost),
  };
  const needsSecondPair =
    market.usualResults !== null || fuller.items.length < minResultsWithoutConfirmation;
  const isConfirmed =
    areConsistent(first.items.length, second.items.length) &&
    (!needsSecondPair || market.lastMarker === marker);
  if (isConfirmed || !isShort(fuller)) return fuller;
  const message =
    `two searches of a market that usually has ${market.usualResults ?? 'an unknown number'} ` +
    `gave ${first.items.length} and ${second.items.length} results`;
  throw new StoreError({
    store: market.store,
    failure: 'unreadable',
    marker,
    message,
    retryAfterMs: confirmationDelayMs,
  });
}
