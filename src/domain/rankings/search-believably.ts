import type { MarketToCheck } from '../../db/queries/checks.ts';
import type { Services } from '../context.ts';
import { StoreError, type Cost, type SearchAnswer, type StoreRequestOptions } from '../ports.ts';
import { doAgree, isSuspicious } from './position.ts';

/** A new market with fewer results than this may be small, or its first answers may both have been withheld. */
export const tooFewToBelieveAtOnce = 20;
const secondPairAfterMs = 20_000;
/** Of a pair that waits for the second. */
const marker = 'implausible';

const addCosts = (a: Cost, b: Cost): Cost => ({
  requests: a.requests + b.requests,
  bytes: a.bytes + b.bytes,
  ms: a.ms + b.ms,
});

/**
 * A search, and a second one when the first is implausible; the costs of both count. An answer far below the market's
 * usual, or next to nothing at first sight, has to be given by two pairs of searches, some time apart, to be believed.
 */
export async function searchBelievably(
  services: Services,
  market: MarketToCheck,
  options: StoreRequestOptions,
): Promise<SearchAnswer> {
  const store = services.stores[market.store];
  const query = { phrase: market.phrase, country: market.country, depth: market.depth };
  const isShort = (answer: SearchAnswer) =>
    isSuspicious(market.store, answer.items.length, market.usualResults, market.depth);
  const first = await store.search(query, options);
  if (!isShort(first)) return first;
  const second = await store.search(query, options);
  const fuller = {
    ...(second.items.length >= first.items.length ? second : first),
    cost: addCosts(first.cost, second.cost),
  };
  const needsSecondPair =
    market.usualResults !== null || fuller.items.length < tooFewToBelieveAtOnce;
  const isConfirmed =
    doAgree(first.items.length, second.items.length) &&
    (!needsSecondPair || market.lastMarker === marker);
  if (isConfirmed || !isShort(fuller)) return fuller;
  const message = `two searches of a market that usually has ${market.usualResults ?? 'an unknown number'} gave ${first.items.length} and ${second.items.length} results`;
  throw new StoreError({
    store: market.store,
    failure: 'unreadable',
    marker,
    message,
    retryAfterMs: secondPairAfterMs,
  });
}
