import { completeWithFallback, type MarketToCheck } from '#db/queries/rankings/checks.ts';
import { findDayProbes } from '#db/queries/runs/store-probes.ts';
import type { Services } from '#domain/base/context.ts';
import { StoreError, type SearchResponse, type StoreRequestOptions } from '#domain/base/ports.ts';
import type { UtcDay } from '#lib/dates.ts';
import { nameResults } from '../listings/name-results.ts';
import { isFarShorter } from '../anomalies/is-far-shorter.ts';
import type { ListingCache } from '../listings/intern-listings.ts';
import { packIds } from './pack-serp.ts';
import { examinedDepth, isSmall } from './position.ts';
import { positionsOf } from './positions-of.ts';

/** True when the operator asks the provider whose order the market's positions have. */
export const isConfigured = ({ settings }: Services, market: MarketToCheck): boolean =>
  settings.searchProviders[market.store].includes(market.provider);

/** The configured providers besides that of the positions, without those whose probe fails. */
export async function listFallbacks(
  { systemDb, settings }: Services,
  market: MarketToCheck,
  day: UtcDay,
): Promise<string[]> {
  const others = settings.searchProviders[market.store].filter(
    (provider) => provider !== market.provider,
  );
  if (others.length === 0) return [];
  const { probes } = await findDayProbes(systemDb, market.store, day);
  const failing = probes.filter(({ state }) => state === 'degraded');
  return others.filter((name) => failing.every(({ provider }) => provider !== name));
}

/**
 * Asks other providers in their order, and keeps the first response beside the day's gap, whose
 * reason is `marker`. Throws the StoreError of the last one when none responded.
 */
export async function fallBack(
  services: Services & { listingCache: ListingCache },
  market: MarketToCheck,
  { day, marker, providers }: { day: UtcDay; marker: string; providers: readonly string[] },
  options: StoreRequestOptions,
): Promise<void> {
  const response = await searchFirst(services, market, providers, options);
  const kept = response.items.slice(0, services.settings.serpStoredDepth);
  const { listingIds } = await nameResults(services, { ...market, day }, kept, options);
  const seen = positionsOf(market.tracked, response);
  await completeWithFallback(services.systemDb, {
    marketId: market.id,
    day,
    marker,
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
 * A second search replaces a result with far fewer entries than the market's usual ones. Throws
 * StoreError `implausible` when both are like that.
 */
async function searchTwice(
  { stores }: Services,
  { store, provider, phrase, country, depth, usualResults }: MarketToCheck,
  options: StoreRequestOptions,
): Promise<SearchResponse> {
  for (let attempt = 0; attempt < 2; attempt++) {
    const response = await stores[store].search({ provider, phrase, country, depth }, options);
    const count = response.items.length;
    const isShort =
      usualResults === null
        ? isSmall(store, count, depth)
        : isFarShorter(count, { usualResults, depth });
    if (!isShort) return response;
  }
  throw new StoreError({
    store,
    failure: 'unreadable',
    marker: 'implausible',
    message: `two searches with ${provider} gave far fewer results than usual`,
  });
}
