import { addDays, daysBetween } from '#lib/dates.ts';
import type { Span } from '#web/queries/apps.ts';
import type { DistributionDay, Segments } from '#web/queries/rankings.ts';
import { checkedOf, followedOf } from './bands.ts';

/** A day with fewer checks is not comparable, because its counts are smaller. */
export const fullShare = 0.95;

export const isFull = (day: DistributionDay): boolean =>
  checkedOf(day) > 0 && checkedOf(day) >= fullShare * followedOf(day);

/** The newest check of today's run may be two days old. */
const reachDays = 3;

/** The days to load for a period and the day before it, with which its last day is compared. */
export const comparedSpan = ({ from, to }: Span): Span => ({
  from: addDays(from, -reachDays),
  to,
});

/** The days of the period alone. */
export const daysOfPeriod = (days: readonly DistributionDay[], { from }: Span): DistributionDay[] =>
  days.filter(({ date }) => date >= from);

/** Nothing before this day is comparable with `date`, because another search provider had it. */
export const providerSince = (segments: Segments, date: string): string =>
  segments.findLast(({ from }) => from <= date)?.from ?? '';

/**
 * The last almost completely checked day, and the first one by its provider at most as many days
 * before it as the period has: the change over 30 days is that since the 30th day before. Null with
 * fewer than two.
 */
export function findCompleteDays(
  days: readonly DistributionDay[],
  { from, to }: Span,
  segments: Segments,
): { first: DistributionDay; last: DistributionDay } | null {
  const full = days.filter(isFull);
  const last = full.at(-1);
  if (!last) return null;
  const earliest = addDays(last.date, -(daysBetween(from, to) + 1));
  const since = providerSince(segments, last.date);
  const first = full.find(({ date }) => date >= earliest && date >= since);
  return first && first !== last ? { first, last } : null;
}

/**
 * The latest checked day and the one before it, complete ones if there are two. Null with fewer
 * than two.
 */
export function findLastDays(
  days: readonly DistributionDay[],
): { first: DistributionDay; last: DistributionDay } | null {
  const full = days.filter(isFull);
  const [first, last] = (full.length > 1 ? full : days.filter((day) => checkedOf(day) > 0)).slice(
    -2,
  );
  return first && last ? { first, last } : null;
}

/** The day shown for a period: the latest complete one, otherwise the latest with any check. */
export const findShownDay = (days: readonly DistributionDay[]): DistributionDay | null =>
  days.findLast(isFull) ?? days.findLast((day) => checkedOf(day) > 0) ?? null;
