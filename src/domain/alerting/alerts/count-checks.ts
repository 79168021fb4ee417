import { notChecked } from '#domain/tracking/rankings/daily-rank-codec.ts';
import { isTracked } from '#domain/tracking/rankings/tracking-periods.ts';
import type { VisibleRow } from '#domain/tracking/rankings/visible-rows.ts';

/** Tracked and checked keywords of a day. */
export interface DayChecks {
  followed: number;
  checked: number;
}

/** Adds a keyword's row to its days; those that are not counted are undefined. */
export function countChecks(days: readonly (DayChecks | undefined)[], row: VisibleRow): void {
  for (let index = 0; index < days.length; index += 1) {
    const day = days[index];
    if (!day || !isTracked(row.trackedDepths[index]!)) continue;
    day.followed += 1;
    if (row.dailyRanks[index] !== notChecked) day.checked += 1;
  }
}
