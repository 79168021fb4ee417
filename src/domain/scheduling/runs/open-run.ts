import {
  findOpenRun,
  findRun,
  findRunBefore,
  insertRun,
  reopenRun,
  type RunRow,
} from '#db/queries/runs/runs.ts';
import { countDueStoreTasks, countRemaining } from '#db/queries/due-counts/due-counts.ts';
import { startOfDayMs, utcDayOf, type UtcDay } from '#lib/dates.ts';
import { weightOf } from '#domain/base/budget/cost.ts';
import { msLeft, openingMs } from '#domain/base/budget/run-opening.ts';
import type { Services } from '#domain/base/context.ts';
import { searchHostOf, storeTaskKinds, taskHostOf } from '#domain/base/ports.ts';
import { closeRun, shedWork } from './close-run.ts';
import { measurePressure, type StorePressure } from './pressure.ts';

/**
 * Returns the open run, or undefined between two runs and while a day is being closed. Opens
 * today's run at DAILY_RUN_AT, earlier if a day as full as the last would not end by midnight, and
 * at midnight if yesterday's work was not finished: the remainder is today's work, once. A run is a
 * unique row, so many schedulers open one run. One that a clock which was ahead has opened is
 * opened again, because its pressure is that of another time; one that such a clock has ended goes
 * on, and its checks delete their gaps.
 */
export async function openRun(services: Services): Promise<RunRow | undefined> {
  const now = services.clock.now();
  const today = utcDayOf(now);
  const open = await findOpenRun(services.systemDb, today);
  const isFromLater = (run: RunRow) => run.openedAt > now;
  if (open?.date === today && !isFromLater(open)) {
    await shedWork(services, open);
    return open;
  }
  const isOlder = open !== undefined && open.date < today;
  if (isOlder && !(await closeRun(services, open.date))) return undefined;
  let known = await findRun(services.systemDb, today);
  if (known?.finishedAt && known.finishedAt > now) {
    await reopenRun(services.systemDb, today, now);
    known = await findRun(services.systemDb, today);
  }
  if (known && !isFromLater(known)) return known.finishedAt === null ? known : undefined;
  // Read from the rows: the process that closed the day before may have ended before this point.
  const previous = await findRunBefore(services.systemDb, today);
  const isBehind = isOlder || previous?.state === 'overdue';
  const isDue =
    now.getTime() >= startOfDayMs(today) + openingMs(services.settings.dailyRunAtMinutes, previous);
  if (!isDue && !isBehind && !known) return undefined;
  await openToday(services, today, now, isBehind ? previous : undefined);
  const run = await findRun(services.systemDb, today);
  if (run) await shedWork(services, run);
  return run;
}

async function openToday(
  services: Services,
  today: UtcDay,
  now: Date,
  previous: RunRow | undefined,
): Promise<void> {
  const measures = await measureDay(services, today, now, previous);
  const pressure = Object.fromEntries(measures.map((measure) => [measure.store, measure.pressure]));
  const shed = Object.fromEntries(
    measures
      .filter((measure) => measure.shed.length > 0)
      .map((measure) => [measure.store, measure.shed]),
  );
  await insertRun(services.systemDb, { date: today, openedAt: now, pressure, shed });
  if (Object.keys(shed).length > 0)
    services.log.error({ date: today, pressure, shed }, 'capacity is short: work is shed');
}

async function measureDay(
  services: Services,
  today: UtcDay,
  now: Date,
  previous: RunRow | undefined,
): Promise<StorePressure[]> {
  const remaining = await countRemaining(services.systemDb, today);
  const storeTasks = await countDueStoreTasks(services.systemDb, storeTaskKinds, today);
  const { settings } = services;
  // All proxies: one that rests for a minute now is not missing all day.
  const endpoints = Math.max(1, settings.egress().length);
  return remaining.map((demand) => {
    const { store, marketRequests } = demand;
    const perSearch = weightOf(
      settings,
      store,
      searchHostOf(store, settings.searchProviders[store][0]),
    );
    const loads = { reviews: 0, page: 0, chart: 0, hints: 0 };
    for (const { kind, requests } of storeTasks.filter((tasks) => tasks.store === store))
      loads[kind] = requests * weightOf(settings, store, taskHostOf(store, kind));
    return measurePressure(store, {
      backlogRequests: (previous?.leftOver.requests?.[store] ?? 0) * perSearch,
      demand: { ...demand, marketRequests: marketRequests * perSearch, storeTasks: loads },
      capacityRequests:
        (settings.requestsPerMinute[store] * endpoints * msLeft(today, now)) / 60_000,
    });
  });
}
