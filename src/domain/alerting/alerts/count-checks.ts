import type { UtcDay } from '#lib/dates.ts';
import { notChecked } from '#domain/tracking/rankings/daily-rank-codec.ts';
import { isTracked } from '#domain/tracking/rankings/tracking-periods.ts';
import type { VisibleRow } from '#domain/tracking/rankings/visible-rows.ts';

/** Tracked and checked keywords of a day. */
export interface DayChecks {
  followed: number;
  checked: number;
}

/** Adds a keyword's row to the days of `tally`. */
export function countChecks(
  tally: ReadonlyMap<UtcDay, DayChecks>,
  row: VisibleRow,
  days: readonly UtcDay[],
): void {
  for (const [index, date] of days.entries()) {
    const day = tally.get(date);
    if (!day || !isTracked(row.trackedDepths[index]!)) continue;
    day.followed += 1;
    if (row.dailyRanks[index] !== notChecked) day.checked += 1;
  }
}
