import type { Tx } from '../../db/database.ts';
import {
  findOpenRun,
  findRun,
  findRunBefore,
  finishRun,
  insertRun,
  type RunRow,
} from '../../db/queries/runs.ts';
import { closeChoreDay, countDueChores, shedChores } from '../../db/queries/chore-days.ts';
import { countUnreadListings } from '../../db/queries/listing-schedule.ts';
import { closeDay, countBacklog, countRemaining } from '../../db/queries/schedule.ts';
import { startOfDayMs, utcDayOf, type UtcDay } from '../../lib/dates.ts';
import { msPerDay, openingMs } from '../budget/opening.ts';
import { refreshAllBudgets } from '../budget/refresh-budget.ts';
import { inSystem, type Services } from '../context.ts';
import { choreKinds, storeNames } from '../ports.ts';
import { hasWorkLeft } from './dispatch.ts';
import { measurePressure, type StorePressure } from './pressure.ts';
import { choreKindsOf } from './shed.ts';
import { tidyUp } from './tidy-up.ts';

/**
 * The run that is open now, or undefined between two runs. Opens today's at DAILY_RUN_AT, earlier when a day as full as the last
 * would not be done by midnight, and at midnight when yesterday's was not: what it left is today's work, once. Opening is a unique row, so many schedulers open one run.
 */
export async function openRun(services: Services): Promise<RunRow | undefined> {
  const now = services.clock.now();
  const today = utcDayOf(now);
  const open = await findOpenRun(services.systemDb);
  if (open && open.date >= today) return open;
  if (open) await closeRun(services, open.date);
  const known = await findRun(services.systemDb, today);
  if (known) return known.finishedAt === null ? known : undefined;
  // Asked of the rows: who closed the day before may have ended before opening this one.
  const previous = await findRunBefore(services.systemDb, today);
  const isBehind = open !== undefined || previous?.state === 'overdue';
  const isDue =
    now.getTime() >=
    startOfDayMs(today) +
      openingMs(services.settings.dailyRunAtMinutes, previous ? neededMs(previous) : 0);
  if (!isDue && !isBehind) return undefined;
  return openToday(services, today, now, isBehind ? previous?.date : undefined);
}

async function openToday(
  services: Services,
  today: UtcDay,
  now: Date,
  previous: UtcDay | undefined,
): Promise<RunRow | undefined> {
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
      await shedChores(tx, measure.store, choreKindsOf(measure.shed), today);
    return true;
  });
  if (isOurs) await tidyUp(services);
  if (Object.keys(shed).length > 0)
    services.log.error({ date: today, pressure, shed }, 'the day is not long enough: work is shed');
  return findRun(services.systemDb, today);
}

/** How long the fuller store's work was expected to take. */
function neededMs(run: RunRow): number {
  return Math.max(0, ...Object.values(run.pressure)) * msLeft(run.date, run.openedAt);
}

/** Of a day, in which alone its checks can be made. */
const msLeft = (day: UtcDay, now: Date): number => startOfDayMs(day) + msPerDay - now.getTime();

async function measureDay(
  services: Services,
  today: UtcDay,
  now: Date,
  previous: UtcDay | undefined,
): Promise<StorePressure[]> {
  const remaining = await countRemaining(services.systemDb, today);
  const chores = await countDueChores(services.systemDb, choreKinds, today);
  const backlog = previous
    ? await countBacklog(services.systemDb, previous)
    : new Map<string, number>();
  return remaining.map((demand) => {
    const loads = { reviews: 0, page: 0, chart: 0, hints: 0 };
    for (const { store, kind, requests } of chores)
      if (store === demand.store) loads[kind] = requests;
    return measurePressure(demand.store, {
      backlogRequests: backlog.get(demand.store) ?? 0,
      demand: { ...demand, chores: loads },
      capacityRequests:
        (services.settings.requestsPerMinute[demand.store] *
          services.settings.endpoints() *
          msLeft(today, now)) /
        60_000,
    });
  });
}

/**
 * Ends a day: every market and chore without an outcome gets its reason; learned costs flow into the budgets. Listings have none to
 * get, but a day that did not read them, nor gave them up, did not finish either.
 */
export async function closeRun(services: Services, date: UtcDay): Promise<void> {
  const leftOver = await inSystem(services, async (tx) => {
    // Markets before chores: who adds keywords locks them in this order too.
    const markets = await closeDay(tx, date);
    await shedLateComers(tx, date);
    const run = await findRun(tx, date);
    const readingStores = storeNames.filter((store) => !run?.shed[store]?.includes('refresh'));
    const count = {
      markets,
      listings: await countUnreadListings(tx, readingStores, date),
      chores: await closeChoreDay(tx, choreKinds, date),
    };
    await finishRun(tx, date, hasAny(count) ? 'overdue' : 'finished', services.clock.now());
    return count;
  });
  if (hasAny(leftOver))
    services.log.error({ date, ...leftOver }, 'the day ended before its work did');
  await inSystem(services, (tx) => refreshAllBudgets(tx));
}

const hasAny = (counts: Record<string, number>): boolean =>
  Object.values(counts).some((count) => count > 0);

/** Marks the run finished when nothing of it is left. */
export async function finishWhenDone(services: Services, run: RunRow): Promise<boolean> {
  for (const store of storeNames) {
    if (await hasWorkLeft(services, store, run)) return false;
  }
  await inSystem(services, async (tx) => {
    await shedLateComers(tx, run.date);
    await finishRun(tx, run.date, 'finished', services.clock.now());
  });
  await inSystem(services, (tx) => refreshAllBudgets(tx));
  services.log.info({ date: run.date }, 'the daily run is finished');
  return true;
}

/** Chores that somebody asked for after the day had given up their kind. */
async function shedLateComers(tx: Tx, date: UtcDay): Promise<void> {
  const run = await findRun(tx, date);
  for (const store of storeNames)
    await shedChores(tx, store, choreKindsOf(run?.shed[store] ?? []), date);
}
