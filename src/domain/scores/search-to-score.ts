import {
  StoreError,
  type SearchAnswer,
  type StoreName,
  type StoreRequestOptions,
  type Stores,
} from '../ports.ts';
import { doAgree, isSuspicious } from '../rankings/position.ts';
import { tooFewToBelieveAtOnce } from '../rankings/search-believably.ts';
import type { AskedMarket } from './ask-hints.ts';

/** What one page of results holds: a request gives all of Apple's, and Play shows no more than these today. */
const depths: Record<StoreName, number> = { ios: 200, android: 30 };
const askAgainMs = 20_000;

/**
 * The results of a phrase as they are now: one search, and a second where the first shows little, as both stores do when
 * they would rather not. Where the second does not bear it out, only the places that were seen count as examined. Throws
 * StoreError, `unreadable` where neither showed anything.
 */
export async function searchToScore(
  stores: Stores,
  { store, country, phrase }: AskedMarket,
  options: StoreRequestOptions,
): Promise<SearchAnswer> {
  const search = () => stores[store].search({ phrase, country, depth: depths[store] }, options);
  const isShort = (answer: SearchAnswer) =>
    isSuspicious(store, answer.items.length, null, depths[store]);
  const first = await search();
  if (!isShort(first)) return first;
  const second = await search();
  const fuller = second.items.length > first.items.length ? second : first;
  const count = fuller.items.length;
  const isConfirmed =
    count >= tooFewToBelieveAtOnce && doAgree(first.items.length, second.items.length);
  if (isConfirmed || !isShort(fuller)) return fuller;
  if (count > 0) return { ...fuller, depthReached: count, end: 'truncated' };
  const message = `two searches of ${store} showed nothing, which is not believed before they are repeated`;
  throw new StoreError({
    store,
    failure: 'unreadable',
    marker: 'implausible',
    message,
    retryAfterMs: askAgainMs,
  });
}
