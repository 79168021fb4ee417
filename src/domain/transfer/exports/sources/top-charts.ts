import type { Tx } from '#db/database.ts';
import { listCharts, listStoredCharts, type StoredChart } from '#db/queries/charts/charts.ts';
import type { SerpListing } from '#db/queries/serps/serps.ts';
import { addDays, maxDay, type UtcDay } from '#lib/dates.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { toOwnChartInstant, type FollowedCharts } from '#domain/tracking/charts/followed-charts.ts';
import {
  getFollowedCharts,
  listSpots,
  toIds,
  type Spot,
} from '#domain/tracking/charts/get-category-ranks.ts';
import { unpackIds } from '#domain/tracking/rankings/pack-serp.ts';
import { readListings } from '#domain/tracking/serps/stored-serp.ts';
import { sourceOf, type ExportScope } from '../export-source.ts';

type TopChart = Spot & {
  depth: number;
  readAt: string;
  /** First position first. */
  apps: { storeAppId: string; name: string | null }[];
};

const daysPerPage = 7;

/** Whole charts in which the app may be ranked, newest day first: `category_ranks` has its own. */
async function* readPages({ ctx, app, from, to }: ExportScope): AsyncGenerator<TopChart[]> {
  for (let last = to; last >= from; last = addDays(last, -daysPerPage)) {
    const first = maxDay(from, addDays(last, 1 - daysPerPage));
    yield await inTenant(ctx, async (tx) => {
      const followed = await getFollowedCharts(tx, ctx, app.id);
      return readCharts(tx, ctx, followed, { from: first, to: last });
    });
  }
}

async function readCharts(
  tx: Tx,
  ctx: Ctx,
  app: FollowedCharts,
  range: { from: UtcDay; to: UtcDay },
): Promise<TopChart[]> {
  const countries = [...app.countries.keys()].sort();
  const spots = listSpots(app, range, countries);
  const categories = [...new Set(spots.flatMap(({ category }) => category?.id ?? []))];
  const known = await listCharts(tx, app.store, countries, categories);
  const stored = await listStoredCharts(tx, {
    storeTaskIds: known.map(({ storeTaskId }) => storeTaskId),
    ...range,
  });
  const taskIds = new Map(known.map((row) => [keyOf(row), row.storeTaskId]));
  const charts = new Map(stored.map((row) => [`${row.storeTaskId} ${row.day}`, row]));
  const found = spots.flatMap((spot) => {
    const chart = charts.get(`${taskIds.get(keyOf(toIds(spot)))} ${spot.date}`);
    return chart === undefined ? [] : [{ spot, chart }];
  });
  const names = await readNames(tx, ctx, found);
  return found.map(({ spot, chart }) => toTopChart(app, spot, chart, names.get(spot.country)!));
}

type Names = ReadonlyMap<number, SerpListing>;

/** The apps in the charts, by country, because each storefront has names of its own. */
async function readNames(
  tx: Tx,
  ctx: Ctx,
  found: readonly { spot: Spot; chart: StoredChart }[],
): Promise<Map<string, Names>> {
  const names = new Map<string, Names>();
  for (const [country, charts] of Map.groupBy(found, ({ spot }) => spot.country)) {
    const ids = charts.flatMap(({ chart }) => unpackIds(chart.ids));
    names.set(country, await readListings(tx, ctx, ids, { appId: null, countries: [country] }));
  }
  return names;
}

function toTopChart(
  app: FollowedCharts,
  spot: Spot,
  { depth, readAt, ids }: StoredChart,
  names: Names,
): TopChart {
  return {
    ...spot,
    depth,
    readAt: toOwnChartInstant([app], spot.country, readAt).toISOString(),
    apps: unpackIds(ids).map((id) => {
      const { storeAppId, name } = names.get(id)!;
      return { storeAppId, name };
    }),
  };
}

const keyOf = (chart: { country: string; category: string | null; chart: string }): string =>
  `${chart.country} ${chart.chart} ${chart.category ?? ''}`;

export const topCharts = sourceOf<TopChart>({ columns: {}, hasDays: true, pages: readPages });
