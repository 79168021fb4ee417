import type { z } from 'zod';
import type { charts } from '#contract/charts.ts';
import type { Tx } from '#db/database.ts';
import {
  findChart,
  findChartGap,
  listChartDates,
  listCharts,
  type StoredChart,
} from '#db/queries/charts/charts.ts';
import { addDays, utcDayOf, type UtcDay } from '#lib/dates.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { notFound } from '#domain/base/errors.ts';
import { loadRatingsOn } from '../listings/storefront-ratings.ts';
import { unpackIds } from '../rankings/pack-serp.ts';
import { readListings, toSerpItem } from '../serps/stored-serp.ts';
import {
  findFollowedChart,
  listFollowedCharts,
  toOwnChartInstant,
  type FollowedCharts,
  type RankableChart,
} from './followed-charts.ts';

type Operation = (typeof charts)['GET /charts'];
type Query = z.output<Operation['query']>;
export type ChartOfDay = z.input<Operation['responses'][200]>;

/** The maximum age of the latest reading when no day is requested. */
const lookbackDays = 400;

/**
 * A stored chart, by default the latest. Only charts that an app of this workspace tracks are
 * visible, from its first day on; for others it throws not_found, whoever tracks them.
 */
export async function getChart(ctx: Ctx, query: Query): Promise<ChartOfDay> {
  const today = utcDayOf(ctx.clock.now());
  return inTenant(ctx, async (tx) => {
    const apps = await listFollowedCharts(tx, ctx, { store: query.store });
    const storeTaskId = await findStoreTask(tx, query);
    const date = query.date ?? (await findNewest(tx, apps, query, storeTaskId, today)) ?? today;
    const followed = date > today ? undefined : findFollowed(apps, query, date);
    if (!followed) throw notFound();
    const kept = storeTaskId === null ? undefined : await findChart(tx, storeTaskId, date);
    const shown = { store: query.store, country: query.country, ...followed, date };
    if (kept)
      return {
        ...shown,
        state: 'read',
        depth: kept.depth,
        readAt: toOwnChartInstant(apps, query.country, kept.readAt).toISOString(),
        items: await readItems(tx, ctx, kept, query),
      };
    const reason = storeTaskId === null ? undefined : await findChartGap(tx, storeTaskId, date);
    return { ...shown, state: 'not_checked', reason: reason ?? 'not_yet_run', items: [] };
  });
}

async function findStoreTask(
  tx: Tx,
  { store, country, chart, ...query }: Query,
): Promise<number | null> {
  const category = query.category ?? null;
  const known = await listCharts(tx, store, [country], category === null ? [] : [category]);
  return known.find((row) => row.category === category && row.chart === chart)?.storeTaskId ?? null;
}

async function findNewest(
  tx: Tx,
  apps: FollowedCharts[],
  query: Query,
  storeTaskId: number | null,
  today: UtcDay,
): Promise<UtcDay | undefined> {
  const dates =
    storeTaskId === null
      ? []
      : await listChartDates(tx, storeTaskId, { from: addDays(today, -lookbackDays), to: today });
  return dates.findLast((date) => findFollowed(apps, query, date) !== undefined);
}

/** The chart as one of the apps tracks it on a day; undefined when none does. */
function findFollowed(
  apps: FollowedCharts[],
  query: Query,
  day: UtcDay,
): RankableChart | undefined {
  const key = { ...query, categoryId: query.category ?? null };
  for (const app of apps) {
    const chart = findFollowedChart(app, key, day);
    if (chart) return chart;
  }
  return undefined;
}

async function readItems(
  tx: Tx,
  ctx: Ctx,
  kept: StoredChart,
  { country, limit }: Pick<Query, 'country' | 'limit'>,
) {
  const ids = unpackIds(kept.ids).slice(0, limit);
  const listings = await readListings(tx, ctx, ids, { appId: null, countries: [country] });
  const ratingsOf = await loadRatingsOn(tx, ids, { country, day: kept.day });
  return ids.map((id, index) => {
    const listing = listings.get(id)!;
    return { ...toSerpItem(listing, index + 1, ratingsOf(id)), isOwn: listing.appId !== null };
  });
}
