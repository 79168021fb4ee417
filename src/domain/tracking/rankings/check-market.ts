import { insertDailyRanks } from '#db/queries/rankings/catch-up.ts';
import {
  rescheduleCheck,
  findMarketToCheck,
  listTrackedListings,
  completeWithGap,
  type MarketToCheck,
} from '#db/queries/rankings/checks.ts';
import { recordCheck, type CheckRecord } from '#db/queries/rankings/record-check.ts';
import { linkToLast } from '#db/queries/serp-chains/serp-chains.ts';
import { dayIndexInMonth, monthOf, startOfDayMs, type UtcDay } from '#lib/dates.ts';
import type { Services } from '#domain/base/context.ts';
import type { FieldWatch } from '../drift/field-watch.ts';
import type { ListingCache } from '../listings/intern-listings.ts';
import { nameResults } from '../listings/name-results.ts';
import {
  pacingMarkers,
  StoreError,
  type SearchResponse,
  type StoreRequestOptions,
} from '#domain/base/ports.ts';
import { recountPastDay } from './count-days.ts';
import { planStoreRetry, type StoreWorkOptions } from '#domain/base/plan-store-retry.ts';
import { catchUp } from './catch-up.ts';
import { countFailures } from './count-failures.ts';
import { encodeDay } from './daily-rank-codec.ts';
import {
  failuresBeforeFallback,
  fallBack,
  findObstacle,
  listFallbacks,
  listOthers,
  type FallbackPlan,
} from './fall-back.ts';
import { keepRatings } from './keep-ratings.ts';
import { packIds, packStrengths } from './pack-serp.ts';
import { planEvaluation } from './plan-evaluation.ts';
import { positionsOf } from './positions-of.ts';
import { examinedDepth } from './position.ts';
import { requireInTime } from './require-in-time.ts';
import { requireProvider } from './require-provider.ts';
import { isSampled, sampleComparison } from './sample-comparison.ts';
import { noPositions, unconfirmed } from './search-errors.ts';
import { searchWithConfirmation } from './search-with-confirmation.ts';
import { watchResults } from './watch-results.ts';

export type CheckOutcome = 'checked' | 'gap' | 'rescheduled' | 'skipped';

interface Checked {
  market: MarketToCheck;
  day: UtcDay;
}

/** As long as between two probes of a provider that fails. */
const otherProbesMs = 5 * 60_000;

export interface CheckServices extends Services {
  listingCache: ListingCache;
  fieldWatch: FieldWatch;
}

/**
 * Searches a market once for `day` and writes the result for everyone who tracks an app in it. The
 * day was fixed when the check was planned, so a result stored within an hour after midnight still
 * belongs to it. A failed search writes no rank: it is retried within the day, and then leaves a
 * gap with its reason.
 */
export async function checkMarket(
  services: CheckServices,
  input: { marketId: number; day: UtcDay },
  options: StoreWorkOptions,
): Promise<CheckOutcome> {
  const market = await findMarketToCheck(services.systemDb, input.marketId, input.day);
  if (!market || market.depth === 0) return 'skipped';
  if (market.checkedOn !== null && market.checkedOn > input.day) return 'skipped';
  if (market.checkedOn === input.day) return catchUp(services, market, input.day, options);
  const checked = { market, day: input.day };
  try {
    if (await isLeftToFallback(services, checked, options)) return 'gap';
    const searched = await countFailures(services, { ...market, day: input.day }, () =>
      searchWithConfirmation(services, market, options),
    );
    const response = watchResults(services, checked, searched);
    const outcome = await record(services, checked, response, options);
    if (outcome === 'checked') await compareIfSampled(services, checked, response, options);
    return outcome;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return handleStoreFailure(services, options, { ...checked, error });
  }
}

/**
 * True when the day is a gap because the provider of the positions is not asked. While its failed
 * probes may be chance, and while each provider that could be asked instead fails, the market waits
 * without an attempt.
 */
async function isLeftToFallback(
  services: CheckServices,
  { market, day }: Checked,
  options: StoreRequestOptions,
): Promise<boolean> {
  const obstacle = findObstacle(services, market);
  if (obstacle === null) return false;
  const isFailing = obstacle.marker === 'probe';
  if (isFailing && market.failures < failuresBeforeFallback) throw unconfirmed(market.store);
  const providers = await listFallbacks(services, market, day);
  if (providers.length > 0 || obstacle.marker === 'provider-off') {
    await checkWithFallback(services, { market, day, ...obstacle, providers }, options);
    return true;
  }
  if (isFailing && listOthers(services, market).length > 0)
    throw unconfirmed(market.store, otherProbesMs);
  const gap = { marketId: market.id, day, ...obstacle };
  if (!(await completeWithGap(services.systemDb, gap))) throw unconfirmed(market.store);
  await recountPastDay(services, day, [market.id]);
  return true;
}

async function checkWithFallback(
  services: CheckServices,
  { market, day, ...fallback }: Checked & FallbackPlan,
  options: StoreRequestOptions,
): Promise<void> {
  await fallBack(services, market, { day, ...fallback }, options);
  await recountPastDay(services, day, [market.id]);
}

async function compareIfSampled(
  services: CheckServices,
  { market, day }: Checked,
  response: SearchResponse,
  options: StoreRequestOptions,
): Promise<void> {
  if (!isSampled(market.id, day, services.settings.comparisonPercent)) return;
  const [other] = await listFallbacks(services, market, day);
  if (other !== undefined)
    await sampleComparison(services, { market, day, other: other.provider }, response, options);
}

async function record(
  services: CheckServices,
  { market, day }: Checked,
  response: SearchResponse,
  options: StoreRequestOptions,
): Promise<CheckOutcome> {
  requireProvider(market, response);
  requireInTime(market.store, day, services.clock.now());
  const depth = examinedDepth(response);
  if (depth === 0) throw noPositions(market.store);
  const seen = positionsOf(market.tracked, response);
  const kept = response.items.slice(0, services.settings.serpStoredDepth);
  const named = await nameResults(services, { ...market, day }, kept, options);
  const lists = {
    ids: packIds(named.listingIds),
    strengths: packStrengths(await keepRatings(services, { country: market.country, day }, named)),
  };
  // The packed months store seconds, and so do all other copies, so that a check has one time
  // everywhere.
  const checkedAt = new Date(Math.floor(services.clock.now().getTime() / 1000) * 1000);
  const second = Math.max(0, Math.floor((checkedAt.getTime() - startOfDayMs(day)) / 1000));
  const check = {
    marketId: market.id,
    store: market.store,
    version: market.version,
    day,
    month: monthOf(day),
    dayIndex: dayIndexInMonth(day),
    depth,
    requestedDepth: market.depth,
    dayBytes: encodeDay(depth, second),
    checkedAt,
    second,
    ...seen,
    resultCount: response.items.length,
    evaluateAt: planEvaluation(market, {
      ...seen,
      resultCount: response.items.length,
      checkedAt,
    }),
    ended: response.end,
    provider: response.provider,
    language: response.language,
    storedIds: lists.ids,
    strengths: lists.strengths,
    link: linkToLast(market.lastSerp, day, lists),
    ads: response.ads,
    requests: response.cost.requests + named.cost.requests,
  };
  const { outcome, hasNewTrackers } = await recordCheck(services.systemDb, check);
  if (outcome === 'unconfirmed') throw unconfirmed(market.store);
  if (outcome === 'known') return 'skipped';
  if (hasNewTrackers) await recordNewlyTracked(services, check, response);
  return 'checked';
}

/** Records listings that became tracked during the search. Its results include them too. */
async function recordNewlyTracked(
  services: Services,
  check: CheckRecord,
  response: SearchResponse,
): Promise<void> {
  const known = new Set(check.listingIds);
  const late = (await listTrackedListings(services.systemDb, check.marketId)).filter(
    (listing) => !known.has(listing.id),
  );
  if (late.length > 0)
    await insertDailyRanks(services.systemDb, {
      ...check,
      firstCheck: { at: check.checkedAt, second: check.second },
      ...positionsOf(late, response),
    });
}

async function handleStoreFailure(
  services: CheckServices,
  options: StoreWorkOptions,
  { market, day, error }: Checked & { error: StoreError },
): Promise<CheckOutcome> {
  const decision = planStoreRetry(options.retry, error, market.attempts, services.clock.now());
  if (decision.kind === 'give-up') {
    if (await giveUpWithFallback(services, options, { market, day, error })) return 'gap';
    // A fallback failed, and the day is searched once the provider of the positions recovers.
    const isLeftOut = findObstacle(services, market)?.marker === 'probe';
    const marker = isLeftOut ? 'probe' : error.marker;
    const isWritten = await completeWithGap(services.systemDb, {
      marketId: market.id,
      day,
      marker,
    });
    if (!isWritten && isLeftOut) {
      const recovered = unconfirmed(market.store);
      return handleStoreFailure(services, options, { market, day, error: recovered });
    }
    await recountPastDay(services, day, [market.id]);
    services.log.warn(
      { market: market.id, store: market.store, day, marker: error.marker },
      'market check failed, no retry left today',
    );
    return 'gap';
  }
  // A delay of ours keeps the reason of the last failure, because a first pair of short results
  // waits for its second pair.
  const isOurs = decision.attempts === market.attempts || pacingMarkers.includes(error.marker);
  const known = market.attempts > 0 && isOurs ? market.lastMarker : null;
  const marker = known ?? error.marker;
  await rescheduleCheck(services.systemDb, {
    marketId: market.id,
    day,
    attempts: decision.attempts,
    retryAt: decision.at,
    marker,
  });
  return 'rescheduled';
}

/** False where no other provider responds, or where the failure is that of another provider. */
async function giveUpWithFallback(
  services: CheckServices,
  options: StoreWorkOptions,
  { error, ...checked }: Checked & { error: StoreError },
): Promise<boolean> {
  const { marker } = error;
  const { market, day } = checked;
  if (options.signal.aborted) return false;
  if (findObstacle(services, market) !== null) return false;
  const providers = await listFallbacks(services, market, day);
  if (providers.length === 0) return false;
  try {
    const fallback = { marker, reason: 'store_error' as const, providers };
    await checkWithFallback(services, { ...checked, ...fallback }, options);
    return true;
  } catch (failure) {
    if (!(failure instanceof StoreError)) throw failure;
    services.log.info({ market: market.id, marker: failure.marker }, 'no fallback responds');
    return false;
  }
}
