import type { DistributionDay } from '#web/queries/rankings.ts';
import { checkedOf, followedOf } from './bands.ts';

/** A day with fewer checks is not comparable, because its counts are smaller. */
export const fullShare = 0.95;

const isFull = (day: DistributionDay): boolean =>
  checkedOf(day) > 0 && checkedOf(day) >= fullShare * followedOf(day);

/** The first and the last almost completely checked day of the period. Null with fewer than two. */
export function findCompleteDays(
  days: readonly DistributionDay[],
): { first: DistributionDay; last: DistributionDay } | null {
  const full = days.filter(isFull);
  const [first, last] = [full[0], full.at(-1)];
  return first && last && first !== last ? { first, last } : null;
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
