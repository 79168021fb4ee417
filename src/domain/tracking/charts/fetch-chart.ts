import { findListingIds, upsertChart } from '#db/queries/charts/charts.ts';
import type { StoreTaskRow } from '#db/queries/store-tasks/store-tasks.ts';
import type { UtcDay } from '#lib/dates.ts';
import { compareResults, markUntrusted } from '../drift/compare-results.ts';
import type { CardReading } from '#db/queries/listings/listings.ts';
import { internCards, recordNames, recordRatings } from '../listings/intern-listings.ts';
import {
  StoreError,
  type AppCard,
  type StoreName,
  type StoreRequestOptions,
} from '#domain/base/ports.ts';
import type { CheckServices } from '../rankings/check-market.ts';
import { packIds } from '../rankings/pack-serp.ts';
import { requireInTime } from '../rankings/require-in-time.ts';

/** The depth to which both stores show a chart. */
const maxDepth = 200;

/**
 * Reads a top chart once for all workspaces and stores it. The last reading of a day wins. Throws
 * StoreError, and then nothing is stored.
 */
export async function readChart(
  services: CheckServices,
  task: StoreTaskRow,
  day: UtcDay,
  options: StoreRequestOptions,
): Promise<{ requests: number }> {
  const { store, country, category } = task;
  if (task.chart === null) throw new Error(`task ${task.id} names no chart`);
  const response = await services.stores[store].chart(
    { chart: task.chart, category, country, limit: maxDepth },
    options,
  );
  requireInTime(store, day, services.clock.now());
  const depth = Math.min(response.depthReached, maxDepth);
  const { cost } = response;
  if (depth === 0)
    throw new StoreError({
      store,
      failure: 'unreadable',
      marker: 'no-positions',
      message: 'a chart without a first position',
      cost,
    });
  const at = { store, source: 'chart', day };
  const reading = compareResults(String(task.id), response.items, []);
  if (reading !== null) services.fieldWatch.add(at, [reading]);
  const drifting = services.fieldWatch.listDrifting(at);
  const cards = response.items.slice(0, maxDepth).map((card) => markUntrusted(card, drifting));
  const ids = await idsOf(services, store, cards, { day, country });
  await upsertChart(services.systemDb, {
    storeTaskId: task.id,
    day,
    depth,
    readAt: services.clock.now(),
    ids: packIds(ids),
  });
  return { requests: cost.requests };
}

/**
 * Chart cards have less detail than search cards (iOS: no ratings), so known listings take only
 * their names and ratings in the storefront from them.
 */
async function idsOf(
  services: CheckServices,
  store: StoreName,
  cards: AppCard[],
  reading: CardReading,
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
  const { systemDb, listingCache } = services;
  const interned = await internCards(systemDb, listingCache, store, unknown, reading);
  unknown.forEach((card, index) => ids.set(card.storeAppId, interned[index]!));
  const listingIds = cards.map((card) => ids.get(card.storeAppId)!);
  await recordNames(systemDb, listingCache, cards, { ...reading, listingIds });
  await recordRatings(systemDb, listingCache, cards, { ...reading, listingIds });
  return listingIds;
}
