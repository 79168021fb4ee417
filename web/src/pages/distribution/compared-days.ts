import type { Span } from '#web/queries/apps.ts';
import type { DistributionDay } from '#web/queries/rankings.ts';
import { checkedOf } from './bands.ts';
import { findCompleteDays, isFull } from './complete-days.ts';

export interface ComparedDays {
  first: DistributionDay;
  last: DistributionDay;
  /**
   * Whether both days are almost completely checked. Otherwise, a difference may come from coverage
   * alone.
   */
  areFull: boolean;
}

/**
 * The days to compare: those of the address, or the default ones. At least one of them was checked.
 */
export function findComparedDays(
  days: readonly DistributionDay[],
  span: Span,
  requested?: { a: string | null; b: string | null },
): ComparedDays {
  const dayOf = (date: string | null | undefined) => days.find((day) => day.date === date);
  const [a, b] = [dayOf(requested?.a), dayOf(requested?.b)];
  if (a && b && a.date < b.date) return { first: a, last: b, areFull: isFull(a) && isFull(b) };
  const full = findCompleteDays(days, span);
  if (full) return { ...full, areFull: true };
  const checked = days.filter((day) => checkedOf(day) > 0);
  return { first: checked[0]!, last: checked.at(-1)!, areFull: false };
}
