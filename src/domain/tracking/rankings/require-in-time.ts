import { StoreError, type StoreName } from '#domain/base/ports.ts';
import { startOfDayMs, type UtcDay } from '#lib/dates.ts';

/** The longest that a response of a day may come after its midnight. */
const maxLateMs = 3_600_000;
const dayMs = 86_400_000;

/**
 * Throws StoreError when a response came too late for its day, for example because the machine
 * slept: its positions and numbers are those of a later day. This does not count as an attempt.
 */
export function requireInTime(store: StoreName, day: UtcDay, now: Date): void {
  if (now.getTime() <= startOfDayMs(day) + dayMs + maxLateMs) return;
  throw new StoreError({
    store,
    failure: 'unavailable',
    marker: 'late',
    message: `the response came too late for ${day}`,
  });
}
