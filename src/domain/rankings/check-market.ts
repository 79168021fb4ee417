import { addCells } from '../../db/queries/catch-up.ts';
import {
  deferCheck,
  findMarketToCheck,
  listTrackedListings,
  recordCheck,
  settleWithGap,
  type CheckRecord,
  type MarketToCheck,
} from '../../db/queries/checks.ts';
import { dayIndexInMonth, monthOf, startOfDayMs, type UtcDay } from '../../lib/dates.ts';
import type { Services } from '../context.ts';
import { internCards, type ListingCache } from '../listings/intern-listings.ts';
import { StoreError, type SearchAnswer, type StoreRequestOptions } from '../ports.ts';
import { recountWhenOver } from '../runs/count-days.ts';
import { nextTry } from '../runs/next-try.ts';
import { catchUp } from './catch-up.ts';
import { encodeDay } from './cells.ts';
import { packIds, packStrengths } from './pack-serp.ts';
import { placesOf } from './places-of.ts';
import { examinedDepth } from './position.ts';
import { searchBelievably } from './search-believably.ts';

export type CheckOutcome = 'checked' | 'gap' | 'deferred' | 'skipped';

export interface CheckServices extends Services {
  listingCache: ListingCache;
}

/**
 * Searches a market once for `day` and writes what was seen for everyone who follows an app in it.
 * The day was fixed when the check was planned: an answer stored after midnight still belongs to it.
 * A failed search writes no cell: it is tried again within the day, then leaves a gap with its reason.
 */
export async function checkMarket(
  services: CheckServices,
  input: { marketId: number; day: UtcDay },
  options: StoreRequestOptions,
): Promise<CheckOutcome> {
  const market = await findMarketToCheck(services.systemDb, input.marketId, input.day);
  if (!market || market.depth === 0) return 'skipped';
  if (market.checkedOn !== null && market.checkedOn > input.day) return 'skipped';
  if (market.checkedOn === input.day) return catchUp(services, market, input.day, options);
  try {
    const answer = await searchBelievably(services, market, options);
    return await record(services, market, input.day, answer);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return settleFailure(services, market, input.day, error);
  }
}

async function record(
  services: CheckServices,
  market: MarketToCheck,
  day: UtcDay,
  answer: SearchAnswer,
): Promise<CheckOutcome> {
  const depth = examinedDepth(answer);
  if (depth === 0)
    throw new StoreError({
      store: market.store,
      failure: 'unreadable',
      marker: 'no-places',
      message: 'the answer was cut off before its first place',
    });
  const seen = placesOf(market.tracked, answer);
  const kept = answer.items.slice(0, services.settings.serpKeepDepth);
  const keptIds = await internCards(
    services.systemDb,
    services.listingCache,
    market.store,
    kept,
    day,
  );
  // The packed months keep seconds; so does everything else, that one check has one time everywhere.
  const checkedAt = new Date(Math.floor(services.clock.now().getTime() / 1000) * 1000);
  const check = {
    marketId: market.id,
    store: market.store,
    version: market.version,
    day,
    month: monthOf(day),
    dayIndex: dayIndexInMonth(day),
    depth,
    wantedDepth: market.depth,
    dayBytes: encodeDay(
      depth,
      Math.max(0, Math.floor((checkedAt.getTime() - startOfDayMs(day)) / 1000)),
    ),
    checkedAt,
    ...seen,
    resultCount: answer.items.length,
    ended: answer.end,
    provider: answer.provider,
    language: answer.language,
    keptIds: packIds(keptIds),
    strengths: packStrengths(kept),
    requests: answer.cost.requests,
  };
  const { outcome, isWatchedByMore } = await recordCheck(services.systemDb, check);
  // While the store's canary fails, what it does not show may simply be withheld.
  if (outcome === 'doubted') {
    throw new StoreError({
      store: market.store,
      failure: 'refused',
      marker: 'canary',
      message: 'the store is degraded; not found is not believed',
    });
  }
  if (outcome === 'known') return 'skipped';
  if (isWatchedByMore) await recordLateComers(services, check, answer);
  await recountWhenOver(services, day);
  return 'checked';
}

/** Whoever began to be tracked since the search began: its answer says where they stand too. */
async function recordLateComers(
  services: Services,
  check: CheckRecord,
  answer: SearchAnswer,
): Promise<void> {
  const known = new Set(check.listingIds);
  const late = (await listTrackedListings(services.systemDb, check.marketId)).filter(
    (listing) => !known.has(listing.id),
  );
  if (late.length > 0) await addCells(services.systemDb, { ...check, ...placesOf(late, answer) });
}

async function settleFailure(
  services: Services,
  market: MarketToCheck,
  day: UtcDay,
  error: StoreError,
): Promise<CheckOutcome> {
  const decision = nextTry(error, market.attempts, services.clock.now());
  if (decision.kind === 'give-up') {
    await settleWithGap(services.systemDb, { marketId: market.id, day, marker: error.marker });
    await recountWhenOver(services, day);
    services.log.warn(
      { market: market.id, store: market.store, day, marker: error.marker },
      'a market has no answer today',
    );
    return 'gap';
  }
  // What was merely put off leaves standing why the last try had no answer: a first pair of short answers waits for its second.
  const isPutOff = decision.attempts > 0 && decision.attempts === market.attempts;
  const marker = isPutOff ? (market.lastMarker ?? error.marker) : error.marker;
  await deferCheck(services.systemDb, {
    marketId: market.id,
    day,
    attempts: decision.attempts,
    retryAt: decision.at,
    marker,
  });
  return 'deferred';
}
