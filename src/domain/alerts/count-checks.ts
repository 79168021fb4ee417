import type { UtcDay } from '../../lib/dates.ts';
import { notChecked } from '../rankings/cells.ts';
import { isFollowed } from '../rankings/terms.ts';
import type { VisibleRow } from '../rankings/visible.ts';

/** How many keywords were followed on a day, and how many of them were checked. */
export interface DayChecks {
  followed: number;
  checked: number;
}

/** Adds a keyword's row to the days that `tally` has. */
export function countChecks(
  tally: ReadonlyMap<UtcDay, DayChecks>,
  row: VisibleRow,
  days: readonly UtcDay[],
): void {
  for (const [index, date] of days.entries()) {
    const day = tally.get(date);
    if (!day || !isFollowed(row.terms[index]!)) continue;
    day.followed += 1;
    if (row.cells[index] !== notChecked) day.checked += 1;
  }
}
