import { findOpenRun, findRun, finishRun, insertRun, type RunRow } from '../../db/queries/runs.ts';
import { closeDay, countBacklog, countRemaining, hasRemaining } from '../../db/queries/schedule.ts';
import { startOfDayMs, utcDayOf, type UtcDay } from '../../lib/dates.ts';
import { refreshAllBudgets } from '../budget/refresh-budget.ts';
import { inSystem, type Services } from '../context.ts';
import { storeNames } from '../ports.ts';
import { tidyUp } from './tidy-up.ts';
import { measurePressure } from './pressure.ts';

/**
 * The run that is open now, or undefined between two runs. Opens today's at DAILY_RUN_AT, or at midnight when yesterday's
 * did not finish: what it left is today's work, once. Opening is a unique row, so many schedulers open one run.
 */
export async function openRun(services: Services): Promise<RunRow | undefined> {
  const now = services.clock.now();
  const today = utcDayOf(now);
  const open = await findOpenRun(services.systemDb);
  if (open && open.date >= today) return open;
  if (open) await closeRun(services, open.date);
  const isDue = now.getTime() >= startOfDayMs(today) + services.settings.dailyRunAtMinutes * 60_000;
  const isBehind = open !== undefined;
  if (!isDue && !isBehind) return undefined;
  const known = await findRun(services.systemDb, today);
  if (known) return known.finishedAt === null ? known : undefined;
  return openToday(services, today, now, open?.date);
}

async function openToday(services: Services, today: UtcDay, now: Date, previous: UtcDay | undefined): Promise<RunRow | undefined> {
  const remaining = await countRemaining(services.systemDb, today);
  const backlog = previous ? await countBacklog(services.systemDb, previous) : new Map<string, number>();
  const measures = remaining.map((demand) =>
    measurePressure(demand.store, {
      backlogRequests: backlog.get(demand.store) ?? 0,
      demand,
      requestsPerDay: services.settings.requestsPerMinute[demand.store] * services.settings.endpoints() * 1440,
    }),
  );
  const shed = { appRefreshes: measures.some((measure) => measure.shedsRefreshes) };
  const pressure = Object.fromEntries(measures.map((measure) => [measure.store, measure.pressure]));
  const isOurs = await inSystem(services, (tx) => insertRun(tx, { date: today, openedAt: now, pressure, shed }));
  if (isOurs) await tidyUp(services);
  if (shed.appRefreshes) services.log.error({ date: today, pressure, shed: ['app refreshes'] }, 'the day is not long enough: work is shed');
  return findRun(services.systemDb, today);
}

/** Ends a day: every market without an outcome gets its reason; learned costs flow into the budgets. */
export async function closeRun(services: Services, date: UtcDay): Promise<void> {
  const leftOver = await inSystem(services, async (tx) => {
    const count = await closeDay(tx, date);
    await finishRun(tx, date, count > 0 ? 'overdue' : 'finished', services.clock.now());
    return count;
  });
  if (leftOver > 0) services.log.error({ date, markets: leftOver }, 'the day ended before its checks did');
  await inSystem(services, (tx) => refreshAllBudgets(tx));
}

/** Marks the run finished when nothing of it is left. */
export async function finishWhenDone(services: Services, run: RunRow): Promise<boolean> {
  for (const store of storeNames) {
    if (await hasRemaining(services.systemDb, store, run.date, run.shed.appRefreshes !== true)) return false;
  }
  await finishRun(services.systemDb, run.date, 'finished', services.clock.now());
  await inSystem(services, (tx) => refreshAllBudgets(tx));
  services.log.info({ date: run.date }, 'the daily run is finished');
  return true;
}
