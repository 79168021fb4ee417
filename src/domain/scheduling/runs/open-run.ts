import type { Tx } from '#db/database.ts';
import {
  findOpenRun,
  findRun,
  findRunBefore,
  finishRun,
  insertRun,
  type RunRow,
} from '#db/queries/runs/runs.ts';
import {
  closeStoreTaskDay,
  countDueStoreTasks,
  shedStoreTasks,
} from '#db/queries/store-tasks/store-task-days.ts';
import { countUnreadListings } from '#db/queries/listings/listing-schedule.ts';
import { closeDay, countBacklog, countRemaining } from '#db/queries/runs/market-schedule.ts';
import { startOfDayMs, utcDayOf, type UtcDay } from '#lib/dates.ts';
import { msPerDay, openingMs } from '#domain/base/budget/run-opening.ts';
import { refreshStaleBudgets } from '#domain/base/budget/refresh-budget.ts';
import { inSystem, type Services } from '#domain/base/context.ts';
import { storeTaskKinds, storeNames } from '#domain/base/ports.ts';
import { hasWorkLeft } from './dispatch-store-work.ts';
import { measurePressure, type StorePressure } from './pressure.ts';
import { storeTaskKindsOf } from './shed.ts';

/**
 * Returns the open run, or undefined between two runs. Opens today's run at DAILY_RUN_AT, earlier
 * if a day as full as the last would not end by midnight, and at midnight if yesterday's work was
 * not finished: the rest is today's work, once. A run is a unique row, so many schedulers open one
 * run; `onOpened` is called in the process that opened it.
 */
export async function openRun(
  services: Services,
  onOpened: () => void = () => undefined,
): Promise<RunRow | undefined> {
  const now = services.clock.now();
  const today = utcDayOf(now);
  const open = await findOpenRun(services.systemDb);
  if (open && open.date >= today) return open;
  if (open) await closeRun(services, open.date);
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
  const isOurs = await openToday(services, today, now, isBehind ? previous?.date : undefined);
  if (isOurs) onOpened();
  return findRun(services.systemDb, today);
}

/** False where another process opened the run. */
async function openToday(
  services: Services,
  today: UtcDay,
  now: Date,
  previous: UtcDay | undefined,
): Promise<boolean> {
  const measures = await measureDay(services, today, now, previous);
  const pressure = Object.fromEntries(measures.map((measure) => [measure.store, measure.pressure]));
  const shed = Object.fromEntries(
    measures
      .filter((measure) => measure.shed.length > 0)
      .map((measure) => [measure.store, measure.shed]),
  );
  const isOurs = await inSystem(services, async (tx) => {
    if (!(await insertRun(tx, { date: today, openedAt: now, pressure, shed }))) return false;
    for (const measure of measures)
      await shedStoreTasks(tx, measure.store, storeTaskKindsOf(measure.shed), today);
    return true;
  });
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
  previous: UtcDay | undefined,
): Promise<StorePressure[]> {
  const remaining = await countRemaining(services.systemDb, today);
  const storeTasks = await countDueStoreTasks(services.systemDb, storeTaskKinds, today);
  const backlog = previous
    ? await countBacklog(services.systemDb, previous)
    : new Map<string, number>();
  return remaining.map((demand) => {
    const loads = { reviews: 0, page: 0, chart: 0, hints: 0 };
    for (const { store, kind, requests } of storeTasks)
      if (store === demand.store) loads[kind] = requests;
    return measurePressure(demand.store, {
      backlogRequests: backlog.get(demand.store) ?? 0,
      demand: { ...demand, storeTasks: loads },
      capacityRequests:
        (services.settings.requestsPerMinute[demand.store] *
          services.settings.endpoints() *
          msLeft(today, now)) /
        60_000,
    });
  });
}

/**
 * Ends a day: every market and store task without an outcome gets a gap with its reason, and
 * learned costs go into the budgets. Listings have no gaps, but a day that neither read nor shed
 * them is overdue too.
 */
export async function closeRun(services: Services, date: UtcDay): Promise<void> {
  const leftOver = await inSystem(services, async (tx) => {
    // Markets before store tasks: adding keywords takes their locks in this order too.
    const markets = await closeDay(tx, date);
    await shedNewWork(tx, date);
    const run = await findRun(tx, date);
    const readingStores = storeNames.filter((store) => !run?.shed[store]?.includes('refresh'));
    const count = {
      markets,
      listings: await countUnreadListings(tx, readingStores, date),
      storeTasks: await closeStoreTaskDay(tx, storeTaskKinds, date),
    };
    await finishRun(tx, date, hasAny(count) ? 'overdue' : 'finished', services.clock.now());
    return count;
  });
  if (hasAny(leftOver))
    services.log.error({ date, ...leftOver }, 'the day ended before its work was done');
  await refreshStaleBudgets(services);
}

const hasAny = (counts: Record<string, number>): boolean =>
  Object.values(counts).some((count) => count > 0);

/** Marks the run as finished once none of its work is left. */
export async function finishWhenDone(services: Services, run: RunRow): Promise<boolean> {
  for (const store of storeNames) {
    if (await hasWorkLeft(services, store, run)) return false;
  }
  await inSystem(services, async (tx) => {
    await shedNewWork(tx, run.date);
    await finishRun(tx, run.date, 'finished', services.clock.now());
  });
  await refreshStaleBudgets(services);
  services.log.info({ date: run.date }, 'daily run finished');
  return true;
}

/** Sheds tasks that were requested after the day had shed their kind. */
async function shedNewWork(tx: Tx, date: UtcDay): Promise<void> {
  const run = await findRun(tx, date);
  for (const store of storeNames)
    await shedStoreTasks(tx, store, storeTaskKindsOf(run?.shed[store] ?? []), date);
}
