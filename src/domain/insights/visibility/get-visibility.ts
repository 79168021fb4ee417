import type { z } from 'zod';
import type { visibility } from '#contract/visibility.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { decodePosition } from '#domain/tracking/rankings/daily-rank-codec.ts';
import { marketFilterOf, type MarketFilter } from '#domain/tracking/rankings/followed-keywords.ts';
import { loadVisibleRows } from '#domain/tracking/rankings/load-visible-rows.ts';
import { isTracked } from '#domain/tracking/rankings/tracking-periods.ts';
import type { VisibleRow } from '#domain/tracking/rankings/visible-rows.ts';
import { parseDayRange, windowOf, type DayRange } from '#domain/base/day-window.ts';
import { loadLiveKeywords } from '#domain/tracking/serps/live-keywords.ts';
import { DayTally, keywordWeights, visibilityFormula } from './visibility-index.ts';

export type Visibility = z.input<
  (typeof visibility)['GET /apps/{id}/visibility']['responses'][200]
>;

/**
 * The app's visibility by day, oldest first. All days use today's scores as weights, and `same`
 * keywords, so that only positions move the line. Throws not_found, invalid_request.
 */
export async function getVisibility(
  ctx: Ctx,
  appId: number,
  query: DayRange & MarketFilter & { keywords?: 'all' | 'same' },
): Promise<Visibility> {
  const { from, to } = parseDayRange(query, ctx.clock.now());
  const window = windowOf(from, to);
  const tracked = await inTenant(ctx, async (tx) => {
    const { app, keywords } = await loadLiveKeywords(tx, ctx, appId, marketFilterOf(query));
    const followed = keywords.map((keyword) => ({ ...keyword, listingId: app.listingId }));
    const rows = await loadVisibleRows(tx, window, followed);
    return keywords.map(({ traffic }, index): WeighedRow => ({ row: rows[index]!, traffic }));
  });
  const counted = query.keywords === 'same' ? findSame(tracked) : tracked;
  const traffic = counted.map((keyword) => keyword.traffic);
  const weights = keywordWeights(traffic);
  const scored = traffic.filter((score) => score !== null).length;
  const tallies = window.days.map(() => new DayTally());
  for (const [index, { row }] of counted.entries()) countRow(row, weights[index]!, tallies);
  const added = countAdded(tracked, window.days.length);
  const items = window.days.map((date, day) => {
    const { index, coverage, ...counts } = tallies[day]!.measure();
    return {
      date,
      index: round(index, 2),
      coverage: round(coverage, 4),
      added: added[day]!,
      ...counts,
    };
  });
  const inputs = {
    weighting: scored > 0 ? ('traffic' as const) : ('equal' as const),
    keywords: counted.length,
    tracked: tracked.length,
    scored,
  };
  return {
    country: query.country ?? null,
    device: query.device ?? null,
    formula: visibilityFormula,
    inputs,
    items,
    nextCursor: null,
    total: items.length,
  };
}

interface WeighedRow {
  row: VisibleRow;
  traffic: number | null;
}

/** Keywords tracked on the first and on the last day on which any was. */
function findSame(tracked: readonly WeighedRow[]): WeighedRow[] {
  const days = tracked.flatMap(({ row: { trackedDepths } }) => {
    const first = trackedDepths.findIndex(isTracked);
    return first === -1 ? [] : [{ first, last: trackedDepths.findLastIndex(isTracked) }];
  });
  const first = Math.min(...days.map((day) => day.first));
  const last = Math.max(...days.map((day) => day.last));
  return tracked.filter(({ row: { trackedDepths } }) =>
    [first, last].every((day) => trackedDepths[day] !== undefined && isTracked(trackedDepths[day])),
  );
}

/** By day, the keywords that were not tracked the day before; none on the first day. */
function countAdded(tracked: readonly WeighedRow[], days: number): number[] {
  const added = Array.from({ length: days }, () => 0);
  for (const { row } of tracked)
    for (let day = 1; day < days; day += 1)
      if (isTracked(row.trackedDepths[day]!) && !isTracked(row.trackedDepths[day - 1]!))
        added[day]! += 1;
  return added;
}

/** Adds a keyword to each day on which it was tracked. */
function countRow(
  { dailyRanks, trackedDepths }: VisibleRow,
  weight: number,
  tallies: readonly DayTally[],
): void {
  for (const [day, tally] of tallies.entries()) {
    if (isTracked(trackedDepths[day]!)) tally.add(decodePosition(dailyRanks[day]!), weight);
  }
}

function round(value: number | null, digits: number): number | null {
  return value === null ? null : Math.round(value * 10 ** digits) / 10 ** digits;
}
