import { markUnconfirmed, type MarketToCheck } from '#db/queries/rankings/checks.ts';
import type { Services } from '#domain/base/context.ts';
import {
  addCosts,
  addEarlierCost,
  StoreError,
  type SearchResponse,
  type StoreRequestOptions,
} from '#domain/base/ports.ts';
import { reportResponse } from '../anomalies/report-response.ts';
import { isRecentlyWhole } from '../anomalies/response-monitor.ts';
import { searchReferences, type ReferenceOutcome } from '../anomalies/search-references.ts';
import {
  findConfirmationReason,
  isConfirmedDrop,
  type ConfirmationReason,
} from './confirmation-reason.ts';
import { areConsistent } from './position.ts';

/** A new market with fewer results than this may be small, or both results were withheld. */
export const minResultsWithoutConfirmation = 20;
const hourMs = 3_600_000;
/** The second pair of searches follows soon, the others after an hour each. */
const retryAfterMs = { first: 20_000, later: hourMs };
/** An unusual result must last this long; longer on an instance with too little to compare with. */
const waitMs = { compared: 2 * hourMs, alone: 20 * hourMs };
const marker = 'implausible';

interface Pair {
  first: SearchResponse;
  second: SearchResponse;
  /** The one with more results, and the other one. */
  fuller: SearchResponse;
  other: SearchResponse;
}

/**
 * Searches, and searches again when the first result is implausible. Both costs count. A result
 * that differs from the market's usual ones as if the store withheld results is accepted only when
 * it is the same hours later and searches of other markets are whole. Throws StoreError
 * `implausible` until then.
 */
export async function searchWithConfirmation(
  services: Services,
  market: MarketToCheck,
  options: StoreRequestOptions,
): Promise<SearchResponse> {
  const { store, provider, phrase, country, device, depth } = market;
  const query = { provider, phrase, country, device, depth };
  const search = () => services.stores[store].search(query, options);
  const first = await search();
  const firstReason = findConfirmationReason(market, first);
  await compareWithUsual(services, market, first, firstReason);
  if (firstReason === null) return first;
  const second = await search().catch(addEarlierCost(first.cost));
  const cost = addCosts(first.cost, second.cost);
  const secondReason = findConfirmationReason(market, second);
  if (secondReason === null) return { ...second, cost };
  const isSecondFuller = second.items.length >= first.items.length;
  const [longer, other] = isSecondFuller ? [second, first] : [first, second];
  const reason = isSecondFuller ? secondReason : firstReason;
  const fuller = { ...longer, cost };
  if (await isConfirmed(services, market, { first, second, fuller, other }, reason, options))
    return fuller;
  if (reason !== 'small') await keepUnconfirmed(services, market, fuller);
  throw implausible(market, { first, second });
}

/** Only the first search of a day counts, so that a market is not counted again with each retry. */
async function compareWithUsual(
  services: Services,
  { store, provider, usualResults, attempts }: MarketToCheck,
  response: SearchResponse,
  reason: ConfirmationReason | null,
): Promise<void> {
  if (usualResults === null || attempts > 0) return;
  await reportResponse(services, { store, provider, isShort: reason === 'shorter' }, response);
}

async function isConfirmed(
  services: Services,
  market: MarketToCheck,
  { first, second, fuller, other }: Pair,
  reason: ConfirmationReason,
  options: StoreRequestOptions,
): Promise<boolean> {
  // Both searches lack the app, and nothing else is unusual.
  if (reason === 'dropped' && isConfirmedDrop(market, fuller, other)) return true;
  if (!areConsistent(first.items.length, second.items.length)) return false;
  if (reason === 'small')
    return (
      (fuller.items.length >= minResultsWithoutConfirmation || market.lastMarker === marker) &&
      (await compareReferences(services, market, options)) !== 'short'
    );
  const waitedMs = unconfirmedMs(services, market, fuller);
  if (waitedMs < waitMs.compared) return false;
  const outcome = await compareReferences(services, market, options);
  return outcome === 'whole' || (outcome === 'unknown' && waitedMs >= waitMs.alone);
}

/** For how long the market's results have been as they are now. */
function unconfirmedMs(
  services: Services,
  { unconfirmedSince, unconfirmedResults }: MarketToCheck,
  { items }: SearchResponse,
): number {
  if (unconfirmedSince === null || !areConsistent(unconfirmedResults ?? 0, items.length)) return 0;
  return services.clock.now().getTime() - unconfirmedSince.getTime();
}

/** The latest responses of other markets say whether the store withholds results just now. */
async function compareReferences(
  services: Services,
  { id, store, provider }: MarketToCheck,
  options: StoreRequestOptions,
): Promise<ReferenceOutcome> {
  const nowMs = services.clock.now().getTime();
  if (isRecentlyWhole(services, { store, provider, nowMs })) return 'whole';
  return searchReferences(services, { store, provider, except: id }, options);
}

async function keepUnconfirmed(
  services: Services,
  market: MarketToCheck,
  response: SearchResponse,
): Promise<void> {
  const isAsBefore = unconfirmedMs(services, market, response) > 0;
  if (isAsBefore) return;
  await markUnconfirmed(services.systemDb, {
    marketId: market.id,
    since: services.clock.now(),
    results: response.items.length,
  });
}

function implausible(
  { store, usualResults, lastMarker }: MarketToCheck,
  { first, second }: Pick<Pair, 'first' | 'second'>,
): StoreError {
  return new StoreError({
    store,
    failure: 'unreadable',
    marker,
    message:
      `two searches of a market that usually has ${usualResults ?? 'an unknown number'} ` +
      `gave ${first.items.length} and ${second.items.length} results`,
    retryAfterMs: lastMarker === marker ? retryAfterMs.later : retryAfterMs.first,
  });
}
