import {
  findOpenRun,
  findRun,
  findRunBefore,
  insertRun,
  type RunRow,
} from '#db/queries/runs/runs.ts';
import { countDueStoreTasks, countRemaining } from '#db/queries/due-counts/due-counts.ts';
import { startOfDayMs, utcDayOf, type UtcDay } from '#lib/dates.ts';
import { msPerDay, openingMs } from '#domain/base/budget/run-opening.ts';
import type { Services } from '#domain/base/context.ts';
import { storeTaskKinds } from '#domain/base/ports.ts';
import { closeRun, shedWork } from './close-run.ts';
import { measurePressure, type StorePressure } from './pressure.ts';

/**
 * Returns the open run, or undefined between two runs and while a day is being closed. Opens
 * today's run at DAILY_RUN_AT, earlier if a day as full as the last would not end by midnight, and
 * at midnight if yesterday's work was not finished: the remainder is today's work, once. A run is a
 * unique row, so many schedulers open one run; `onOpened` is called in the process that opened it.
 */
export async function openRun(
  services: Services,
  onOpened: () => void = () => undefined,
): Promise<RunRow | undefined> {
  const now = services.clock.now();
  const today = utcDayOf(now);
  const open = await findOpenRun(services.systemDb);
  if (open && open.date >= today) {
    await shedWork(services, open);
    return open;
  }
  if (open && !(await closeRun(services, open.date))) return undefined;
  const known = await findRun(services.systemDb, today);
  if (known) return known.finishedAt === null ? known : undefined;
  // Read from the rows: the process that closed the day before may have ended before this point.
  const previous = await findRunBefore(services.systemDb, today);
  const isBehind = open !== undefined || previous?.state === 'overdue';
  const isDue =
    now.getTime() >=
    startOfDayMs(today) +
      openingMs(services.settings.dailyRunAtMinutes, previous ? neededMs(previous) : 0);
  if (!isDue && !isBehind) return undefined;
  const isOurs = await openToday(services, today, now, isBehind ? previous : undefined);
  if (isOurs) onOpened();
  const run = await findRun(services.systemDb, today);
  if (run) await shedWork(services, run);
  return run;
}

/** False where another process opened the run. */
async function openToday(
  services: Services,
  today: UtcDay,
  now: Date,
  previous: RunRow | undefined,
): Promise<boolean> {
  const measures = await measureDay(services, today, now, previous);
  const pressure = Object.fromEntries(measures.map((measure) => [measure.store, measure.pressure]));
  const shed = Object.fromEntries(
    measures
      .filter((measure) => measure.shed.length > 0)
      .map((measure) => [measure.store, measure.shed]),
  );
  const isOurs = await insertRun(services.systemDb, { date: today, openedAt: now, pressure, shed });
  if (Object.keys(shed).length > 0)
    services.log.error({ date: today, pressure, shed }, 'capacity is short: work is shed');
  return isOurs;
}

/** The time that the work of the busiest store was expected to take. */
function neededMs(run: RunRow): number {
  return Math.max(0, ...Object.values(run.pressure)) * msLeft(run.date, run.openedAt);
}

/** The rest of a day, because its checks must start on that day. */
const msLeft = (day: UtcDay, now: Date): number => startOfDayMs(day) + msPerDay - now.getTime();

async function measureDay(
  services: Services,
  today: UtcDay,
  now: Date,
  previous: RunRow | undefined,
): Promise<StorePressure[]> {
  const remaining = await countRemaining(services.systemDb, today);
  const storeTasks = await countDueStoreTasks(services.systemDb, storeTaskKinds, today);
  // All proxies: one that rests for a minute now is not missing all day.
  const endpoints = Math.max(1, services.settings.egress().length);
  return remaining.map((demand) => {
    const loads = { reviews: 0, page: 0, chart: 0, hints: 0 };
    for (const { store, kind, requests } of storeTasks)
      if (store === demand.store) loads[kind] = requests;
    return measurePressure(demand.store, {
      backlogRequests: previous?.leftOver.requests?.[demand.store] ?? 0,
      demand: { ...demand, storeTasks: loads },
      capacityRequests:
        (services.settings.requestsPerMinute[demand.store] * endpoints * msLeft(today, now)) /
        60_000,
    });
  });
}
