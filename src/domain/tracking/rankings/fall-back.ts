import { completeWithFallback, type MarketToCheck } from '#db/queries/rankings/checks.ts';
import { findDayProbes } from '#db/queries/runs/store-probes.ts';
import type { Services } from '#domain/base/context.ts';
import { StoreError, type SearchResponse, type StoreRequestOptions } from '#domain/base/ports.ts';
import type { UtcDay } from '#lib/dates.ts';
import type { FieldWatch } from '../drift/field-watch.ts';
import { nameResults } from '../listings/name-results.ts';
import type { ListingCache } from '../listings/intern-listings.ts';
import { packIds } from './pack-serp.ts';
import { examinedDepth } from './position.ts';
import { positionsOf } from './positions-of.ts';
import { searchWithConfirmation } from './search-with-confirmation.ts';
import { watchResults } from './watch-results.ts';

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
  services: Services & { listingCache: ListingCache; fieldWatch: FieldWatch },
  market: MarketToCheck,
  { day, marker, providers }: { day: UtcDay; marker: string; providers: readonly string[] },
  options: StoreRequestOptions,
): Promise<void> {
  const searched = await searchFirst(services, market, providers, options);
  const response = watchResults(services, { market, day }, searched);
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
      const response = await searchWithConfirmation(services, { ...market, provider }, options);
      if (examinedDepth(response) > 0) return response;
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      failure = error;
    }
  }
  throw failure;
}
