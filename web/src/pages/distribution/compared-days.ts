import type { DistributionDay } from '#web/queries/rankings.ts';
import { checkedOf } from './bands.ts';
import { findCompleteDays } from './complete-days.ts';

export interface ComparedDays {
  first: DistributionDay;
  last: DistributionDay;
  /**
   * Whether both days are almost completely checked. Otherwise, a difference may come from coverage
   * alone.
   */
  areFull: boolean;
}

/** The default days to compare. At least one of them was checked. */
export function findComparedDays(days: readonly DistributionDay[]): ComparedDays {
  const full = findCompleteDays(days);
  if (full) return { ...full, areFull: true };
  const checked = days.filter((day) => checkedOf(day) > 0);
  return { first: checked[0]!, last: checked.at(-1)!, areFull: false };
}
