import { findListingIds, upsertChart } from '../../db/queries/charts.ts';
import type { ChoreRow } from '../../db/queries/chores.ts';
import type { UtcDay } from '../../lib/dates.ts';
import { internCards } from '../listings/intern-listings.ts';
import { StoreError, type AppCard, type StoreName, type StoreRequestOptions } from '../ports.ts';
import type { CheckServices } from '../rankings/check-market.ts';
import { packIds } from '../rankings/pack-serp.ts';

/** As far as both stores show a chart. */
export const chartPlaces = 200;

/** Reads a top chart once for everyone and keeps it: the day's last reading stands. Throws StoreError; then nothing is kept. */
export async function readChart(
  services: CheckServices,
  chore: ChoreRow,
  day: UtcDay,
  options: StoreRequestOptions,
): Promise<{ requests: number }> {
  const { store, country, category } = chore;
  if (chore.chart === null) throw new Error(`chore ${chore.id} names no chart`);
  const answer = await services.stores[store].chart(
    { chart: chore.chart, category, country, limit: chartPlaces },
    options,
  );
  const depth = Math.min(answer.depthReached, chartPlaces);
  const { cost } = answer;
  if (depth === 0)
    throw new StoreError({
      store,
      failure: 'unreadable',
      marker: 'no-places',
      message: 'a chart without a first place',
      cost,
    });
  const ids = await idsOf(services, store, answer.items.slice(0, chartPlaces), day);
  await upsertChart(services.systemDb, {
    choreId: chore.id,
    day,
    depth,
    readAt: services.clock.now(),
    ids: packIds(ids),
  });
  return { requests: cost.requests };
}

/** A chart's cards tell less than a search's (iOS: no ratings), so what is known of a listing already is not renewed from them. */
async function idsOf(
  services: CheckServices,
  store: StoreName,
  cards: AppCard[],
  day: UtcDay,
): Promise<number[]> {
  const cached = cards.map(
    ({ storeAppId }) => [storeAppId, services.listingCache.get(store, storeAppId)?.id] as const,
  );
  const uncached = cached.flatMap(([storeAppId, id]) => (id === undefined ? storeAppId : []));
  const ids =
    uncached.length > 0
      ? await findListingIds(services.systemDb, store, uncached)
      : new Map<string, number>();
  for (const [storeAppId, id] of cached) if (id !== undefined) ids.set(storeAppId, id);
  const unknown = cards.filter((card) => !ids.has(card.storeAppId));
  const interned = await internCards(services.systemDb, services.listingCache, store, unknown, day);
  unknown.forEach((card, index) => ids.set(card.storeAppId, interned[index]!));
  return cards.map((card) => ids.get(card.storeAppId)!);
}
