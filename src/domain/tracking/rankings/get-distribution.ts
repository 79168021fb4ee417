import type { z } from 'zod';
import type { rankings } from '#contract/rankings.ts';
import { addDays, type UtcDay } from '#lib/dates.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { notChecked, notFoundByte, decodePosition } from './daily-rank-codec.ts';
import { listFollowed, marketFilterOf, type MarketFilter } from './followed-keywords.ts';
import { classifyChange } from './rank-change.ts';
import { loadVisibleRows } from './load-visible-rows.ts';
import { loadAppSegments } from './provider-series.ts';
import { isTracked, unseen } from './tracking-periods.ts';
import { findCheckedBefore, pairAt, type VisibleRow } from './visible-rows.ts';
import { parseDayRange, windowOf, type DayRange } from '#domain/base/day-window.ts';

export type Distribution = z.input<
  (typeof rankings)['GET /apps/{id}/rankings/distribution']['responses'][200]
>;
type Day = Distribution['items'][number];

/** Entries and exits compare with the previous checked day, at most three days back. */
const lookbackDays = 3;

/**
 * Counts keywords by range of positions, oldest day first, without those that were not tracked.
 */
export async function getDistribution(
  ctx: Ctx,
  appId: number,
  query: DayRange & MarketFilter,
): Promise<Distribution> {
  const { from, to } = parseDayRange(query, ctx.clock.now());
  const window = windowOf(addDays(from, -lookbackDays), to);
  const { rows, segments } = await inTenant(ctx, async (tx) => ({
    rows: await loadVisibleRows(
      tx,
      window,
      await listFollowed(tx, ctx, appId, marketFilterOf(query)),
    ),
    segments: await loadAppSegments(tx, appId, windowOf(from, to)),
  }));
  const items = window.days.slice(lookbackDays).map((date): Day => ({
    date,
    top1: 0,
    top2to3: 0,
    top4to10: 0,
    top11to50: 0,
    top51to100: 0,
    top101toDepth: 0,
    notFound: 0,
    notChecked: 0,
    notTracked: 0,
    entered: 0,
    left: 0,
  }));
  for (const row of rows) countRow(row, window.days, items);
  return { items, nextCursor: null, total: items.length, segments };
}

/** Adds a keyword to each of its days. The items begin `lookbackDays` after the row does. */
function countRow(row: VisibleRow, days: readonly UtcDay[], items: Day[]): void {
  for (const [item, day] of items.entries()) {
    const index = item + lookbackDays;
    const trackedDepth = row.trackedDepths[index]!;
    if (trackedDepth === unseen) continue;
    if (!isTracked(trackedDepth)) {
      day.notTracked += 1;
      continue;
    }
    day[bandOf(row.dailyRanks[index]!)] += 1;
    if (row.dailyRanks[index] === notChecked) continue;
    const before = findCheckedBefore(row, index, lookbackDays);
    // Only a pair with one day not found needs the comparison.
    if (
      before < 0 ||
      (row.dailyRanks[before] === notFoundByte) === (row.dailyRanks[index] === notFoundByte)
    )
      continue;
    const kind = classifyChange(pairAt(row, days, before)!, pairAt(row, days, index)!);
    if (kind === 'entered' || kind === 'left') day[kind] += 1;
  }
}

function bandOf(byte: number): Exclude<keyof Day, 'date' | 'notTracked' | 'entered' | 'left'> {
  const position = decodePosition(byte);
  if (position === undefined) return 'notChecked';
  if (position === null) return 'notFound';
  if (position === 1) return 'top1';
  if (position <= 3) return 'top2to3';
  if (position <= 10) return 'top4to10';
  if (position <= 50) return 'top11to50';
  return position <= 100 ? 'top51to100' : 'top101toDepth';
}
