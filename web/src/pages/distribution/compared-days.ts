import type { DistributionDay } from '../../queries/rankings.ts';
import { findFullDays } from '../overview/figures.ts';
import { checkedOf } from './bands.ts';

export interface ComparedDays {
  first: DistributionDay;
  last: DistributionDay;
  /** Whether both were checked as good as whole; a difference of the others may be one of coverage alone. */
  areFull: boolean;
}

/** The days of a span that are compared without a word; one at least must have been checked. */
export function findComparedDays(days: readonly DistributionDay[]): ComparedDays {
  const full = findFullDays(days);
  if (full) return { ...full, areFull: true };
  const checked = days.filter((day) => checkedOf(day) > 0);
  return { first: checked[0]!, last: checked.at(-1)!, areFull: false };
}
