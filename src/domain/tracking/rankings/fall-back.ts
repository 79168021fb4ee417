import { completeWithFallback, type MarketToCheck } from '#db/queries/rankings/checks.ts';
import { findDayProbes } from '#db/queries/runs/store-probes.ts';
import type { Services } from '#domain/base/context.ts';
import {
  servesDevice,
  StoreError,
  type SearchResponse,
  type StoreRequestOptions,
} from '#domain/base/ports.ts';
import type { UtcDay } from '#lib/dates.ts';
import type { FieldWatch } from '../drift/field-watch.ts';
import { nameResults } from '../listings/name-results.ts';
import { isFarShorter } from '../anomalies/is-far-shorter.ts';
import type { ListingCache } from '../listings/intern-listings.ts';
import { countFailures } from './count-failures.ts';
import { packIds } from './pack-serp.ts';
import { examinedDepth, isSmall } from './position.ts';
import { positionsOf } from './positions-of.ts';
import { requireInTime } from './require-in-time.ts';
import { unconfirmed } from './search-errors.ts';
import { watchResults } from './watch-results.ts';

interface Obstacle {
  marker: 'device' | 'probe' | 'provider-off';
  reason: 'store_error' | 'not_served';
}

/**
 * Why the provider whose order the market's positions have is not asked: it has no results of the
 * device, it fails its probe, or the operator does not name it.
 */
export function findObstacle({ settings }: Services, market: MarketToCheck): Obstacle | null {
  const { store, provider, device, isDegraded } = market;
  if (!servesDevice(store, provider, device)) return { marker: 'device', reason: 'not_served' };
  if (isDegraded) return { marker: 'probe', reason: 'store_error' };
  const isConfigured = settings.searchProviders[store].includes(provider);
  return isConfigured ? null : { marker: 'provider-off', reason: 'store_error' };
}

/** A provider may fail a probe by chance, so others are asked only after this many failures. */
export const failuresBeforeFallback = 3;

/** The configured providers besides that of the positions that serve the market's device. */
export function listOthers(
  { settings }: Services,
  { store, provider, device }: MarketToCheck,
): string[] {
  return settings.searchProviders[store].filter(
    (other) => other !== provider && servesDevice(store, other, device),
  );
}

export interface Fallback {
  provider: string;
  /** Its failed checks in a row. */
  failures: number;
}

/** Those providers without the ones whose probe fails. */
export async function listFallbacks(
  services: Services,
  market: MarketToCheck,
  day: UtcDay,
): Promise<Fallback[]> {
  const others = listOthers(services, market);
  if (others.length === 0) return [];
  const { probes } = await findDayProbes(services.systemDb, market.store, day);
  return others.flatMap((provider) => {
    const probe = probes.find((one) => one.provider === provider);
    return probe?.state === 'degraded' ? [] : [{ provider, failures: probe?.failures ?? 0 }];
  });
}

/** The provider that is used instead, and why. */
export interface FallbackPlan {
  marker: string;
  reason: Obstacle['reason'];
  providers: readonly Fallback[];
}

/**
 * Asks other providers in their order, and keeps the first response beside the day's gap with its
 * reason and marker. Throws the StoreError of the last one when none responded, or in time, or when
 * the provider of the positions has passed its probe meanwhile.
 */
export async function fallBack(
  services: Services & { listingCache: ListingCache; fieldWatch: FieldWatch },
  market: MarketToCheck,
  { day, marker, reason, providers }: FallbackPlan & { day: UtcDay },
  options: StoreRequestOptions,
): Promise<void> {
  const searched = await searchFirst(services, market, { day, providers }, options);
  requireInTime(market.store, day, services.clock.now());
  const response = watchResults(services, { market, day }, searched);
  const kept = response.items.slice(0, services.settings.serpStoredDepth);
  const { listingIds } = await nameResults(services, { ...market, day }, kept, options);
  const seen = positionsOf(market.tracked, response);
  const isWritten = await completeWithFallback(services.systemDb, {
    marketId: market.id,
    day,
    marker,
    reason,
    provider: response.provider,
    depth: examinedDepth(response),
    checkedAt: services.clock.now(),
    resultCount: response.items.length,
    ended: response.end,
    storedIds: packIds(listingIds),
    listingIds: seen.listingIds,
    positions: seen.positions,
  });
  if (!isWritten && marker === 'probe') throw unconfirmed(market.store);
}

/** The first response that examined a position. */
async function searchFirst(
  services: Services,
  market: MarketToCheck,
  { day, providers }: { day: UtcDay; providers: readonly Fallback[] },
  options: StoreRequestOptions,
): Promise<SearchResponse> {
  let failure = new StoreError({
    store: market.store,
    failure: 'refused',
    marker: 'probe',
    message: 'every search provider fails its probe',
  });
  for (const fallback of providers) {
    const asked = { ...market, ...fallback };
    try {
      const response = await countFailures(services, { ...asked, day }, () =>
        searchTwice(services, asked, options),
      );
      if (examinedDepth(response) > 0) return response;
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      failure = error;
    }
  }
  throw failure;
}

/**
 * A second search replaces a result that is small, unless the market is. Throws StoreError
 * `implausible` when both are like that. The usual length is another provider's, whose lists may be
 * far longer.
 */
async function searchTwice(
  { stores }: Services,
  { store, provider, phrase, country, device, depth, usualResults }: MarketToCheck,
  options: StoreRequestOptions,
): Promise<SearchResponse> {
  const query = { provider, phrase, country, device, depth };
  for (let attempt = 0; attempt < 2; attempt++) {
    const response = await stores[store].search(query, options);
    const count = response.items.length;
    const isUsual = usualResults !== null && !isFarShorter(count, { usualResults, depth });
    if (isUsual || !isSmall(store, count, depth)) return response;
  }
  throw new StoreError({
    store,
    failure: 'unreadable',
    marker: 'implausible',
    message: `two searches with ${provider} gave very few results`,
  });
}
