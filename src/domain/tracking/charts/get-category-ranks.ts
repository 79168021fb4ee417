import type { z } from 'zod';
import type { charts } from '#contract/charts.ts';
import type { Tx } from '#db/database.ts';
import { listDays, startOfDayMs, type UtcDay } from '#lib/dates.ts';
import { decodeCursor, encodeCursor } from '#lib/text.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { AppError, notFound } from '#domain/base/errors.ts';
import type { ChartName } from '#domain/base/ports.ts';
import { parseDayRange } from '#domain/base/day-window.ts';
import { readImportedFacts } from '../imported-facts/read-imported-facts.ts';
import { isRead, positionIn, loadChartDays, type ChartDays } from './chart-days.ts';
import {
  isFollowed,
  listFollowedCharts,
  rankableChartsOn,
  toOwnChartInstant,
  type FollowedCharts,
  type RankableChart,
} from './followed-charts.ts';

type Operation = (typeof charts)['GET /apps/{id}/category-ranks'];
export type CategoryRanks = z.input<Operation['responses'][200]>;
type Query = z.output<Operation['query']>;
type CategoryRank = CategoryRanks['items'][number];
type ReadRank = Exclude<CategoryRank, { state: 'not_checked' }>;

/** A chart of a day in list order: newest day first, then country, then chart. */
export interface Spot extends RankableChart {
  date: UtcDay;
  country: string;
}

/**
 * Lists the app's positions in the charts in which it may be ranked, on the days when it tracked
 * them, and imported ones. Throws not_found.
 */
export async function getCategoryRanks(
  ctx: Ctx,
  appId: number,
  query: Query,
): Promise<CategoryRanks> {
  const range = parseDayRange(query, ctx.clock.now());
  const after = readRankCursor(query.cursor);
  return inTenant(ctx, async (tx) => {
    const app = await getFollowedCharts(tx, ctx, appId);
    const imported = await loadImportedRanks(tx, ctx, appId, { ...query, ...range });
    return listRanks(tx, app, { ...query, ...range, after, imported });
  });
}

interface RankRange extends Pick<Query, 'country' | 'chart' | 'limit'> {
  from: UtcDay;
  to: UtcDay;
  /** The key of the last rank of the page before. */
  after: string | null;
}

/**
 * A page of the positions of a listing in the charts that an app tracks, on the days on which they
 * were read.
 */
export async function listReadRanks(
  tx: Tx,
  listing: FollowedCharts,
  range: RankRange,
): Promise<{ items: ReadRank[]; nextCursor: string | null; total: number | null }> {
  const { items, ...page } = await listRanks(tx, listing, { ...range, imported: new Map() });
  return { ...page, items: items.filter((rank) => rank.state !== 'not_checked') };
}

async function listRanks(
  tx: Tx,
  app: FollowedCharts,
  query: RankRange & { fill?: Query['fill']; imported: ImportedRanks },
): Promise<CategoryRanks> {
  const { after, imported } = query;
  const countries = [...app.countries.keys()]
    .filter((country) => query.country === undefined || country === query.country)
    .sort();
  const days = await loadChartDays(tx, app, { ...query, countries });
  const isShown = (spot: Spot) =>
    query.fill === 'gaps' || isRead(days.find(toIds(spot), spot.date));
  const spots = mergeSpots(listSpots(app, query, countries, query.chart).filter(isShown), imported);
  const left = after === null ? spots : spots.filter((spot) => keyOf(spot) > after);
  const page = left.slice(0, query.limit);
  return {
    items: page.map((spot) => toCategoryRank(app, spot, days, imported)),
    nextCursor: left.length > page.length ? encodeCursor([keyOf(page.at(-1)!)]) : null,
    total: spots.length,
  };
}

/** An app of this workspace with its visible charts. Throws not_found. */
export async function getFollowedCharts(tx: Tx, ctx: Ctx, appId: number): Promise<FollowedCharts> {
  const [app] = await listFollowedCharts(tx, ctx, { appId });
  if (!app) throw notFound();
  return app;
}

/** The charts in which an app may be ranked, on the days on which it tracked them. */
export function listSpots(
  app: FollowedCharts,
  range: { from: UtcDay; to: UtcDay },
  countries: string[],
  chart?: ChartName,
): Spot[] {
  return listDays(range.from, range.to)
    .toReversed()
    .flatMap((date) => {
      const rankable = rankableChartsOn(app, date).filter(
        (candidate) => chart === undefined || candidate.chart === chart,
      );
      return countries
        .filter((country) => isFollowed(app, country, date))
        .flatMap((country) => rankable.map((one) => ({ date, country, ...one })));
    });
}

/** Imported ranks by their key in the list. */
type ImportedRanks = ReadonlyMap<string, CategoryRank & Spot>;

async function loadImportedRanks(
  tx: Tx,
  ctx: Ctx,
  appId: number,
  { from, to, country, chart }: Pick<Query, 'country' | 'chart'> & { from: UtcDay; to: UtcDay },
): Promise<ImportedRanks> {
  const ranks = await readImportedFacts(tx, ctx, { kind: 'category_ranks', appId, from, to });
  const requested = ranks.filter(
    (rank) =>
      (country === undefined || rank.country === country) &&
      (chart === undefined || rank.chart === chart),
  );
  return new Map(requested.map(({ appId: _appId, ...rank }) => [keyOf(rank), rank]));
}

/** In the order of the list. */
function mergeSpots(own: readonly Spot[], imported: ImportedRanks): Spot[] {
  if (imported.size === 0) return [...own];
  const spots = new Map<string, Spot>(imported);
  for (const spot of own) spots.set(keyOf(spot), spot);
  return [...spots].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, spot]) => spot);
}

/**
 * A day without a reading of this instance may have an imported one. An imported rank of a chart
 * that the app did not track that day shows no reading of this instance: others tracked it.
 */
function toCategoryRank(
  app: FollowedCharts,
  spot: Spot,
  days: ChartDays,
  imported: ImportedRanks,
): CategoryRank {
  const fromImport = imported.get(keyOf(spot));
  if (fromImport === spot) return fromImport;
  const day = days.find(toIds(spot), spot.date);
  if (!isRead(day))
    return (
      fromImport ?? {
        ...spot,
        state: 'not_checked',
        reason: day?.reason ?? 'not_yet_run',
      }
    );
  const position = positionIn(day);
  return {
    ...spot,
    state: position === null ? 'not_found' : 'ranked',
    position,
    depth: day.depth,
    checkedAt: toOwnChartInstant([app], spot.country, day.readAt).toISOString(),
  };
}

export function toIds(spot: {
  country: string;
  category: RankableChart['category'];
  chart: ChartName;
}) {
  return { country: spot.country, category: spot.category?.id ?? null, chart: spot.chart };
}

const chartOrder: Record<ChartName, number> = { free: 0, paid: 1, grossing: 2 };
const farDay = 9_999_999_999_999;

/** Sorts as text in the order of the list. */
function keyOf({ date, country, category, chart }: Spot): string {
  const daysBack = String(farDay - startOfDayMs(date)).padStart(13, '0');
  return [daysBack, country, category?.id ?? '', chartOrder[chart]].join(' ');
}

const keyShape = /^\d{13} [a-z]{2} \w{0,60} [012]$/;

/** The key of a cursor; null without one. Throws invalid_cursor. */
export function readRankCursor(cursor: string | undefined): string | null {
  if (cursor === undefined) return null;
  const [key] = decodeCursor(cursor, 1) ?? [];
  if (typeof key !== 'string' || !keyShape.test(key)) throw new AppError('invalid_cursor');
  return key;
}
