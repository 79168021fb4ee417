import {
  insertDailyRanks,
  findSerpOfDay,
  listDayOfMarket,
  releaseUrgent,
  updateLatestRanks,
  type StoredResponse,
  type BackfillListing,
  type FirstCheck,
} from '#db/queries/rankings/catch-up.ts';
import type { MarketToCheck } from '#db/queries/rankings/checks.ts';
import { findDayProbes } from '#db/queries/runs/store-probes.ts';
import { dayIndexInMonth, monthOf, startOfDayMs, type UtcDay } from '#lib/dates.ts';
import type { Services } from '#domain/base/context.ts';
import { StoreError, type StoreRequestOptions } from '#domain/base/ports.ts';
import {
  planStoreRetry,
  type StoreRetryPolicy,
  type StoreWorkOptions,
} from '#domain/base/plan-store-retry.ts';
import { encodePosition, decodePosition } from './daily-rank-codec.ts';
import { unpackIds } from './pack-serp.ts';
import { positionsOf, type Positions } from './positions-of.ts';
import { examinedDepth } from './position.ts';
import { requireInTime } from './require-in-time.ts';
import { requireProvider } from './require-provider.ts';
import { noPositions, unconfirmed } from './search-errors.ts';
import { searchWithConfirmation } from './search-with-confirmation.ts';

/**
 * Fills in a market that was searched today before somebody began to track it, or to track it
 * deeper. Usually the day's stored results contain the positions. A second search is made only when
 * they do not (deeper than stored or examined). Existing ranks stay. Without a search it waits as
 * long as one, because a rank that came at once would reveal that others track the market.
 */
export async function catchUp(
  services: Services,
  market: MarketToCheck,
  day: UtcDay,
  options: StoreWorkOptions,
): Promise<'checked' | 'skipped' | 'rescheduled'> {
  const at = { marketId: market.id, day, month: monthOf(day), dayIndex: dayIndexInMonth(day) };
  const [listings, kept] = [
    await listDayOfMarket(services.systemDb, at),
    await findSerpOfDay(services.systemDb, at),
  ];
  const shown = listings.filter((listing) => listing.isOutdated && hasDailyRank(listing, kept));
  const lacking = listings.filter((listing) => !hasDailyRank(listing, kept));
  const decided = kept && decidePositions(kept, lacking);
  try {
    if (lacking.length > 0 && !decided)
      await searchAgain(services, market, { at, lacking }, options);
    else if (shown.length + lacking.length > 0) await delayAsSearch(services, market, options);
    const firstCheck = firstCheckAt(day, services.clock.now());
    if (shown.length > 0 && kept)
      await updateLatestRanks(services.systemDb, {
        ...at,
        checkedAt: timeOf(day, kept),
        firstCheck,
        ...current(shown, kept),
      });
    if (lacking.length > 0 && kept && decided)
      await insertDailyRanks(services.systemDb, {
        ...at,
        depth: kept.depth,
        checkedAt: timeOf(day, kept),
        firstCheck,
        ...decided,
      });
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return rescheduleLater(services, options.retry, { market, day, error });
  }
  await releaseUrgent(services.systemDb, market, { day, retryAt: null, attempts: 0, marker: null });
  return shown.length + lacking.length > 0 ? 'checked' : 'skipped';
}

/**
 * A found position is final. "Not found" must reach the largest tracked depth, unless the store has
 * no more results.
 */
function hasDailyRank(listing: BackfillListing, kept: StoredResponse | undefined): boolean {
  const position = decodePosition(listing.dailyRank);
  if (position === undefined) return false;
  return (
    position !== null ||
    listing.depth >= listing.requested ||
    (kept !== undefined && kept.ended !== 'depth')
  );
}

/** Each listing's position by the stored results; undefined when they do not decide one of them. */
function decidePositions(
  kept: StoredResponse,
  lacking: readonly (BackfillListing & { id: number })[],
): Positions | undefined {
  const ids = unpackIds(kept.ids);
  const isWhole = kept.resultCount <= ids.length;
  const positions: (number | null)[] = [];
  for (const listing of lacking) {
    const index = ids.indexOf(listing.id);
    if (index === -1 && !(isWhole && (kept.ended !== 'depth' || kept.depth >= listing.requested)))
      return undefined;
    positions.push(index === -1 ? null : index + 1);
  }
  return {
    listingIds: lacking.map((listing) => listing.id),
    positions,
    dailyRanks: positions.map(encodePosition),
  };
}

/** A result examined to one depth, unless a deeper search came in between for some. */
function current(
  listings: readonly BackfillListing[],
  kept: StoredResponse,
): { listingIds: number[]; positions: (number | null)[]; depths: number[] } {
  return {
    listingIds: listings.map((listing) => listing.id),
    positions: listings.map((listing) => decodePosition(listing.dailyRank)!),
    depths: listings.map((listing) => listing.depth || kept.depth),
  };
}

function delayAsSearch(
  { searchDelay }: Services,
  { store, provider, usualRequests }: MarketToCheck,
  options: StoreRequestOptions,
): Promise<void> {
  const requests = Math.max(1, Math.round(usualRequests ?? 1));
  return searchDelay.wait({ store, provider, requests }, options);
}

/** Whole seconds, as every other copy of the time of a check has them. */
function firstCheckAt(day: UtcDay, now: Date): FirstCheck {
  const second = Math.max(0, Math.floor((now.getTime() - startOfDayMs(day)) / 1000));
  return { at: new Date(startOfDayMs(day) + second * 1000), second };
}

function timeOf(day: UtcDay, kept: StoredResponse): Date {
  return new Date(startOfDayMs(day) + kept.seconds * 1000);
}

async function searchAgain(
  services: Services,
  market: MarketToCheck,
  late: {
    at: { marketId: number; day: UtcDay; month: UtcDay; dayIndex: number };
    lacking: readonly BackfillListing[];
  },
  options: StoreRequestOptions,
): Promise<void> {
  const response = await searchWithConfirmation(services, market, options);
  requireProvider(market, response);
  requireInTime(market.store, late.at.day, services.clock.now());
  const depth = examinedDepth(response);
  if (depth === 0) throw noPositions(market.store);
  const seen = positionsOf(late.lacking, response);
  if (seen.positions.includes(null)) await requireWorkingProbe(services, market, late.at.day);
  const checkedAt = services.clock.now();
  await insertDailyRanks(services.systemDb, {
    ...late.at,
    depth,
    checkedAt,
    firstCheck: firstCheckAt(late.at.day, checkedAt),
    ...seen,
  });
}

/** An app that is not found needs a provider whose probe works. */
async function requireWorkingProbe(
  { systemDb }: Services,
  { store, provider }: MarketToCheck,
  day: UtcDay,
): Promise<void> {
  const { probes } = await findDayProbes(systemDb, store, day);
  if (!probes.some((probe) => probe.provider === provider && probe.state === 'degraded')) return;
  throw unconfirmed(store);
}

async function rescheduleLater(
  services: Services,
  retry: StoreRetryPolicy,
  { market, day, error }: { market: MarketToCheck; day: UtcDay; error: StoreError },
): Promise<'rescheduled'> {
  const decision = planStoreRetry(retry, error, market.attempts, services.clock.now());
  const [retryAt, attempts] =
    decision.kind === 'again' ? [decision.at, decision.attempts] : [null, 0];
  await releaseUrgent(services.systemDb, market, { day, retryAt, attempts, marker: error.marker });
  return 'rescheduled';
}
