import type { Span } from '#web/queries/apps.ts';
import type { DistributionDay, Segments } from '#web/queries/rankings.ts';
import { checkedOf } from './bands.ts';
import { findCompleteDays, isFull, providerSince } from './complete-days.ts';

export interface ComparedDays {
  first: DistributionDay;
  last: DistributionDay;
  /**
   * Whether both days are almost completely checked. Otherwise, a difference may come from coverage
   * alone.
   */
  areFull: boolean;
  /** Whether one search provider has the positions of both. */
  isComparable: boolean;
}

/**
 * The days to compare: those of the address, or the default ones. At least one of them was checked.
 */
export function findComparedDays(
  days: readonly DistributionDay[],
  span: Span,
  segments: Segments,
  requested?: { a: string | null; b: string | null },
): ComparedDays {
  const [first, last] = pickDays(days, span, segments, requested);
  return {
    first,
    last,
    areFull: first !== last && isFull(first) && isFull(last),
    isComparable: providerSince(segments, first.date) === providerSince(segments, last.date),
  };
}

function pickDays(
  days: readonly DistributionDay[],
  span: Span,
  segments: Segments,
  requested?: { a: string | null; b: string | null },
): [first: DistributionDay, last: DistributionDay] {
  const dayOf = (date: string | null | undefined) => days.find((day) => day.date === date);
  const [a, b] = [dayOf(requested?.a), dayOf(requested?.b)];
  if (a && b && a.date < b.date) return [a, b];
  const full = findCompleteDays(days, span, segments);
  if (full) return [full.first, full.last];
  const checked = days.filter((day) => checkedOf(day) > 0);
  return [checked[0]!, checked.at(-1)!];
}
