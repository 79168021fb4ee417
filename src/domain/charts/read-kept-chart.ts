import type { z } from 'zod';
import type { charts } from '../../contract/charts.ts';
import type { Tx } from '../../db/database.ts';
import {
  findChart,
  findChartGap,
  listChartDates,
  listCharts,
  type KeptChart,
} from '../../db/queries/charts.ts';
import { addDays, utcDayOf, type UtcDay } from '../../lib/dates.ts';
import { inTenant, type Ctx } from '../context.ts';
import { notFound } from '../errors.ts';
import { unpackIds } from '../rankings/pack-serp.ts';
import { readListings, toSerpItem } from '../serps/kept-serp.ts';
import {
  isFollowed,
  listFollowedCharts,
  wantedOn,
  type FollowedCharts,
  type WantedChart,
} from './followed-charts.ts';

type Operation = (typeof charts)['GET /charts'];
type Query = z.output<Operation['query']>;
export type ChartOfDay = z.input<Operation['responses'][200]>;

/** How far back the newest reading may lie when no day is asked for. */
const reachDays = 400;

/**
 * A chart as kept, the newest without a word. Only what an app of this workspace follows, from the day it began to: anything
 * else is not_found, whoever else has it read.
 */
export async function readKeptChart(ctx: Ctx, query: Query): Promise<ChartOfDay> {
  const today = utcDayOf(ctx.clock.now());
  return inTenant(ctx, async (tx) => {
    const apps = await listFollowedCharts(tx, ctx, { store: query.store });
    const choreId = await findChore(tx, query);
    const date = query.date ?? (await findNewest(tx, apps, query, choreId, today)) ?? today;
    const wanted = date > today ? undefined : findWanted(apps, query, date);
    if (!wanted) throw notFound();
    const kept = choreId === null ? undefined : await findChart(tx, choreId, date);
    const shown = { store: query.store, country: query.country, ...wanted, date };
    if (kept)
      return {
        ...shown,
        state: 'read',
        depth: kept.depth,
        readAt: kept.readAt.toISOString(),
        items: await readItems(tx, ctx, kept, query.limit),
      };
    const reason = choreId === null ? undefined : await findChartGap(tx, choreId, date);
    return { ...shown, state: 'not_checked', reason: reason ?? 'not_yet_run', items: [] };
  });
}

async function findChore(
  tx: Tx,
  { store, country, chart, ...query }: Query,
): Promise<number | null> {
  const category = query.category ?? null;
  const known = await listCharts(tx, store, [country], category === null ? [] : [category]);
  return known.find((row) => row.category === category && row.chart === chart)?.choreId ?? null;
}

async function findNewest(
  tx: Tx,
  apps: FollowedCharts[],
  query: Query,
  choreId: number | null,
  today: UtcDay,
): Promise<UtcDay | undefined> {
  const dates =
    choreId === null
      ? []
      : await listChartDates(tx, choreId, { from: addDays(today, -reachDays), to: today });
  return dates.findLast((date) => findWanted(apps, query, date) !== undefined);
}

/** The chart as one of the apps follows it on a day; undefined where none does. */
function findWanted(apps: FollowedCharts[], query: Query, day: UtcDay): WantedChart | undefined {
  for (const app of apps) {
    const isSame = ({ category, chart }: WantedChart) =>
      (category?.id ?? null) === (query.category ?? null) && chart === query.chart;
    const wanted = isFollowed(app, query.country, day)
      ? wantedOn(app, day).find(isSame)
      : undefined;
    if (wanted) return wanted;
  }
  return undefined;
}

async function readItems(tx: Tx, ctx: Ctx, kept: KeptChart, limit: number) {
  const ids = unpackIds(kept.ids).slice(0, limit);
  const listings = await readListings(tx, ctx, ids);
  return ids.map((id, index) => {
    const listing = listings.get(id)!;
    return { ...toSerpItem(listing, index + 1, undefined), isOwn: listing.appId !== null };
  });
}
