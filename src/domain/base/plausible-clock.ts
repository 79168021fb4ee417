import { findRun, findRunBefore } from '#db/queries/runs/runs.ts';
import { addDays, startOfDayMs, utcDayOf } from '#lib/dates.ts';
import type { Services } from './context.ts';
import type { Clock } from './ports.ts';

type Used = Pick<Services, 'systemDb' | 'clock'>;

const hourMs = 3_600_000;

/**
 * The clock, but at most the end of the day after the newest run of an earlier day: a clock that is
 * ahead for a moment deletes nothing early. After days without a run, the next day continues.
 */
export async function limitClock({ systemDb, clock }: Used): Promise<Clock> {
  const run = await findRunBefore(systemDb, utcDayOf(clock.now()));
  if (run === undefined) return clock;
  const lastMs = startOfDayMs(addDays(run.date, 2)) - 1;
  return {
    now: () => new Date(Math.min(clock.now().getTime(), lastMs)),
    sleep: (ms, signal) => clock.sleep(ms, signal),
  };
}

/**
 * False while the clock may be days ahead for a moment: the newest earlier run is not that of
 * yesterday, and today's has not been open for an hour. For work that should not wait for a day
 * after days without a run.
 */
export async function isClockPlausible({ systemDb, clock }: Used): Promise<boolean> {
  const now = clock.now();
  const today = utcDayOf(now);
  const earlier = await findRunBefore(systemDb, today);
  if (earlier === undefined || earlier.date === addDays(today, -1)) return true;
  const run = await findRun(systemDb, today);
  return run !== undefined && now.getTime() - run.openedAt.getTime() >= hourMs;
}
