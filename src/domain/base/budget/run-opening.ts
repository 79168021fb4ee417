import type { RunRow } from '#db/queries/runs/runs.ts';
import { startOfDayMs, utcDayOf, type UtcDay } from '#lib/dates.ts';

const msPerDay = 86_400_000;

/** Reserve for repeated requests. */
const margin = 1.05;

type OpenedRun = Pick<RunRow, 'date' | 'openedAt' | 'pressure'>;

/**
 * Milliseconds after midnight UTC at which a run opens: at DAILY_RUN_AT, or earlier when the work
 * of a day as full as the newest run's would not be done by the next midnight. Requests after that
 * belong to the next day.
 */
export function openingMs(dailyRunAtMinutes: number, newest: OpenedRun | undefined): number {
  const latestMs = msPerDay - (newest ? neededMs(newest) : 0) * margin;
  return Math.max(0, Math.min(dailyRunAtMinutes * 60_000, latestMs));
}

/** The time that the work of the busiest store was expected to take. */
function neededMs(run: OpenedRun): number {
  return Math.max(0, ...Object.values(run.pressure)) * msLeft(run.date, run.openedAt);
}

/** The rest of a day, because its checks must start on that day. */
export const msLeft = (day: UtcDay, now: Date): number =>
  startOfDayMs(day) + msPerDay - now.getTime();

/** The next opening of a run after `now`; `newest` is the newest run up to today. */
export function nextOpeningMs(
  now: Date,
  dailyRunAtMinutes: number,
  newest: OpenedRun | undefined,
): number {
  const today = utcDayOf(now);
  const openingTodayMs = startOfDayMs(today) + openingMs(dailyRunAtMinutes, newest);
  const isAhead = newest?.date !== today && openingTodayMs > now.getTime();
  return isAhead ? openingTodayMs : openingTodayMs + msPerDay;
}
