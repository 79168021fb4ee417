import type { UtcDay } from '../../lib/dates.ts';

export interface Surge {
  date: UtcDay;
  count: number;
  /** Reviews a day on the days before it. */
  usual: number;
}

/** Days before a day that it is compared with, and how many of them must be known. */
export const surgeBaselineDays = 28;
const fewestKnownDays = 7;
const fewestReviews = 5;

/**
 * Days on which far more reviews were written than on the 28 before: 5 or more, twice the mean, and beyond it by more than four
 * standard deviations (of the days, or of chance alone where that is more). Days that were not read are no days.
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
    if (!isKnown(date) || count < fewestReviews || before.length < fewestKnownDays) return [];
    const mean = before.reduce((sum, value) => sum + value, 0) / before.length;
    const variance = before.reduce((sum, value) => sum + (value - mean) ** 2, 0) / before.length;
    const isSurge = count >= 2 * mean && count > mean + 4 * Math.sqrt(Math.max(variance, mean));
    return isSurge ? [{ date, count, usual: Math.round(mean * 10) / 10 }] : [];
  });
}
