import type { z } from 'zod';
import type { visibility } from '#contract/visibility.ts';
import { inTenant, type Reader } from '#domain/base/context.ts';
import { decodePosition } from '#domain/tracking/rankings/daily-rank-codec.ts';
import { isTracked } from '#domain/tracking/rankings/tracking-periods.ts';
import type { VisibleRow } from '#domain/tracking/rankings/visible-rows.ts';
import { parseDayRange, windowOf, type DayRange } from '#domain/base/day-window.ts';
import { loadCountedKeywords, type VisibilityFilter } from './load-counted-keywords.ts';
import { presentVisibility } from './present-visibility.ts';
import { DayTally, roundDay } from './visibility-index.ts';

export type Visibility = z.input<
  (typeof visibility)['GET /apps/{id}/visibility']['responses'][200]
>;

/**
 * The app's visibility by day, oldest first. All days use today's scores as weights, and `same`
 * keywords, so that only positions move the line. Throws not_found, invalid_request.
 */
export async function getVisibility(
  ctx: Reader,
  appId: number,
  query: DayRange & VisibilityFilter,
): Promise<Visibility> {
  const { from, to } = parseDayRange(query, ctx.clock.now());
  const window = windowOf(from, to);
  const loaded = await inTenant(ctx, (tx) =>
    loadCountedKeywords(tx, ctx, appId, { window, filter: query }),
  );
  const tallies = window.days.map(() => new DayTally());
  for (const { row, weight } of loaded.counted) countRow(row, weight, tallies);
  const added = countAdded(
    loaded.tracked.map(({ row }) => row),
    window.days.length,
  );
  const items = window.days.map((date, day) => ({
    date,
    added: added[day]!,
    ...roundDay(tallies[day]!.measure()),
  }));
  return presentVisibility(query, loaded, items);
}

/** By day, the keywords that were not tracked the day before; none on the first day. */
function countAdded(tracked: readonly VisibleRow[], days: number): number[] {
  const added = Array.from({ length: days }, () => 0);
  for (const { trackedDepths } of tracked)
    for (let day = 1; day < days; day += 1)
      if (isTracked(trackedDepths[day]!) && !isTracked(trackedDepths[day - 1]!)) added[day]! += 1;
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
