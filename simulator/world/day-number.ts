import { startOfDayMs, type UtcDay } from '#lib/dates.ts';
import { BoundedCache } from './bounded-cache.ts';

const numbers = new BoundedCache<number>(4_000);

/** Whole days since 1970-01-01. */
export function dayNumber(day: UtcDay): number {
  return numbers.take(day, () => Math.round(startOfDayMs(day) / 86_400_000));
}
