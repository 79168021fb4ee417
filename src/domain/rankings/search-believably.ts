import type { MarketToCheck } from '../../db/queries/checks.ts';
import type { Services } from '../context.ts';
import { StoreError, type SearchAnswer, type StoreRequestOptions } from '../ports.ts';
import { doAgree, isSuspicious } from './position.ts';

/**
 * A search, and a second one when the first is implausible. An answer far below the market's usual has to be given by two
 * pairs of searches, minutes apart, before it is the new usual. What the market costs a day is learned from the answer that
 * is believed: tomorrow it is usual and needs no second search.
 */
export async function searchBelievably(services: Services, market: MarketToCheck, options: StoreRequestOptions): Promise<SearchAnswer> {
  const store = services.stores[market.store];
  const query = { phrase: market.phrase, country: market.country, depth: market.depth };
  const isShort = (answer: SearchAnswer) => isSuspicious(answer.items.length, market.usualResults, market.depth);
  const first = await store.search(query, options);
  if (!isShort(first)) return first;
  const second = await store.search(query, options);
  const fuller = second.items.length >= first.items.length ? second : first;
  const isConfirmed = doAgree(first.items.length, second.items.length) && (market.usualResults === null || market.attempts > 0);
  if (isConfirmed || !isShort(fuller)) return fuller;
  const message = `two searches of a market that usually has ${market.usualResults} gave ${first.items.length} and ${second.items.length} results`;
  throw new StoreError({ store: market.store, failure: 'unreadable', marker: 'implausible', message });
}
