import type { UtcDay } from '#lib/dates.ts';

export interface Surge {
  date: UtcDay;
  count: number;
  /** The mean of daily reviews on the days before. */
  usual: number;
}

/** Days before a day that it is compared with, and the minimum of known ones. */
export const surgeBaselineDays = 28;
const minKnownDays = 7;
const minReviews = 5;

/**
 * Days with far more reviews than the 28 before: 5 or more, twice the mean, and more than four
 * standard deviations above it (of the days, or of a Poisson process if larger). Unread days do not
 * count.
 */
export function findSurges(
  days: readonly UtcDay[],
  countOn: (day: UtcDay) => number,
  isKnown: (day: UtcDay) => boolean,
): Surge[] {
  return days.flatMap((date, index) => {
    const count = countOn(date);
    const before = days
      .slice(Math.max(0, index - surgeBaselineDays), index)
      .filter(isKnown)
      .map(countOn);
    if (!isKnown(date) || count < minReviews || before.length < minKnownDays) return [];
    const mean = before.reduce((sum, value) => sum + value, 0) / before.length;
    const variance = before.reduce((sum, value) => sum + (value - mean) ** 2, 0) / before.length;
    const isSurge = count >= 2 * mean && count > mean + 4 * Math.sqrt(Math.max(variance, mean));
    return isSurge ? [{ date, count, usual: Math.round(mean * 10) / 10 }] : [];
  });
}
