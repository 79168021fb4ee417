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
import { packIds } from './pack-serp.ts';
import { examinedDepth, isSmall } from './position.ts';
import { positionsOf } from './positions-of.ts';
import { requireInTime } from './require-in-time.ts';
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

/**
 * The configured providers besides that of the positions that serve the market's device, without
 * those whose probe fails.
 */
export async function listFallbacks(
  { systemDb, settings }: Services,
  market: MarketToCheck,
  day: UtcDay,
): Promise<string[]> {
  const others = settings.searchProviders[market.store].filter(
    (provider) =>
      provider !== market.provider && servesDevice(market.store, provider, market.device),
  );
  if (others.length === 0) return [];
  const { probes } = await findDayProbes(systemDb, market.store, day);
  const failing = probes.filter(({ state }) => state === 'degraded');
  return others.filter((name) => failing.every(({ provider }) => provider !== name));
}

/** The provider that is used instead, and why. */
export interface FallbackPlan {
  marker: string;
  reason: Obstacle['reason'];
  providers: readonly string[];
}

/**
 * Asks other providers in their order, and keeps the first response beside the day's gap with its
 * reason and marker. Throws the StoreError of the last one when none responded, or in time.
 */
export async function fallBack(
  services: Services & { listingCache: ListingCache; fieldWatch: FieldWatch },
  market: MarketToCheck,
  { day, marker, reason, providers }: FallbackPlan & { day: UtcDay },
  options: StoreRequestOptions,
): Promise<void> {
  const searched = await searchFirst(services, market, providers, options);
  requireInTime(market.store, day, services.clock.now());
  const response = watchResults(services, { market, day }, searched);
  const kept = response.items.slice(0, services.settings.serpStoredDepth);
  const { listingIds } = await nameResults(services, { ...market, day }, kept, options);
  const seen = positionsOf(market.tracked, response);
  await completeWithFallback(services.systemDb, {
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
}

/** The first response that examined a position. */
async function searchFirst(
  services: Services,
  market: MarketToCheck,
  providers: readonly string[],
  options: StoreRequestOptions,
): Promise<SearchResponse> {
  let failure = new StoreError({
    store: market.store,
    failure: 'refused',
    marker: 'probe',
    message: 'every search provider fails its probe',
  });
  for (const provider of providers) {
    try {
      const response = await searchTwice(services, { ...market, provider }, options);
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
