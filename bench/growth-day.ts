import { evaluateRankAlerts } from '#domain/alerting/alerts/evaluate-rank-alerts.ts';
import { inSystem } from '#domain/base/context.ts';
import { requestCounts } from '#db/queries/runs/run-counts.ts';
import { countDays } from '#domain/tracking/rankings/count-days.ts';
import type { CheckServices } from '#domain/tracking/rankings/check-market.ts';
import { closeRun, finishWhenDone } from '#domain/scheduling/runs/close-run.ts';
import { dispatchStore } from '#domain/scheduling/runs/dispatch-store-work.ts';
import { openRun } from '#domain/scheduling/runs/open-run.ts';
import { addDays } from '#lib/dates.ts';
import { storeNames } from '#stores/profiles.ts';
import { schedule } from '#tests/harness/background-work.ts';
import type { BenchDatabase } from './database.ts';
import { growthDay, openGrowthDatabase, type GrowthScale } from './growth-database.ts';
import { growthServices } from './growth-services.ts';
import type { Measurement } from './measurement.ts';
import { processorMs } from './processor-time.ts';

const yesterday = addDays(growthDay, -1);
const maxGrowth = 1.5;
const maxStepMs = 500;
/** Below this many milliseconds, growth says more about the clock than about the work. */
const leastMs = 20;
const windows = 20;
const evaluated = 5_000;

interface Cost {
  /** Processor time. */
  ms: number;
  /** The duration of the longest call. */
  stepMs: number;
  /** Calls until nothing was left. */
  steps: number;
}

/** The parts of a day's run, with 75,000 and with 750,000 markets. */
export async function* measure(): AsyncGenerator<Measurement> {
  const costs = { stress: await measureDay('stress'), huge: await measureDay('huge') };
  for (const [name, large] of costs.huge) {
    const small = costs.stress.get(name)!;
    for (const [scale, cost] of [
      ['stress', small],
      ['huge', large],
    ] as const) {
      const common = { scale, unit: 'ms' };
      yield { name: `${name}, processor`, ...common, measured: cost.ms, goal: null };
      yield { name: '  its longest step', ...common, measured: cost.stepMs, goal: maxStepMs };
    }
    const growth = Math.max(leastMs, large.ms) / Math.max(leastMs, small.ms);
    // Work that is due takes as long as there is of it; its steps are bounded.
    const goal = large.steps > 1 ? null : maxGrowth;
    yield { name: '  its growth', scale: 'huge', measured: growth, unit: '×', goal };
  }
}

async function measureDay(scale: GrowthScale): Promise<Map<string, Cost>> {
  const database = await openGrowthDatabase(scale);
  try {
    await resetDay(database);
    const services = growthServices(database, `${growthDay}T02:00:00Z`);
    const costOf = (work: () => Promise<boolean>) => repeat(database, work);
    const costs = new Map<string, Cost>();
    costs.set('open a day', await costOf(async () => (await openRun(services)) !== undefined));
    costs.set('fill 20 windows with checks due', await fillWindows(database, services));
    await completeAll(database, 'market_schedule', 'listing_schedule');
    await database.pool.query(
      `update store_tasks set completed_on = '${growthDay}', read_on = '${growthDay}'
         where kind <> 'hints'`,
    );
    await requestHints(database);
    await database.pool.query('vacuum store_tasks');
    costs.set('fill 20 windows with hints due', await fillWindows(database, services));
    await completeAll(database, 'store_tasks');
    costs.set('ask for work at a day’s end', await fillWindows(database, services));
    const run = (await openRun(services))!;
    costs.set('finish a day', await costOf(() => finishWhenDone(services, run)));
    await resetDay(database);
    await openRun(services);
    costs.set('close an overdue day', await costOf(() => closeRun(services, growthDay)));
    await resetDay(database);
    await requestYesterday(database);
    costs.set('count a day', await costOf(async () => (await countDays(services)) === 0));
    costs.set(
      `evaluate ${evaluated} checks for alerts`,
      await costOf(async () => (await evaluateRankAlerts(services)) === 0),
    );
    return costs;
  } finally {
    await database.close();
  }
}

async function repeat(database: BenchDatabase, work: () => Promise<boolean>): Promise<Cost> {
  let [steps, stepMs] = [0, 0];
  const ms = await processorMs(database.serverPids, async () => {
    for (let isDone = false; !isDone; steps += 1) {
      const startMs = performance.now();
      isDone = await work();
      stepMs = Math.max(stepMs, performance.now() - startMs);
    }
  });
  return { ms, stepMs, steps };
}

/** Takes windows of work as if a queue were emptied at once. */
async function fillWindows(database: BenchDatabase, services: CheckServices): Promise<Cost> {
  const run = await openRun(services);
  const nothing = { send: async () => undefined, sendBackground: async () => undefined };
  const leases = { ...schedule.store, leaseMs: -1, urgentLeaseMs: -1 };
  const left = Array.from({ length: windows }, (_, n) => storeNames[n % storeNames.length]!);
  const cost = await repeat(database, async () => {
    await dispatchStore(services, nothing, left.pop()!, run, leases);
    return left.length === 0;
  });
  // The number of windows does not depend on the size.
  return { ...cost, steps: 1 };
}

/** Makes the hints of a seventh of the markets due, as on any day of a week. */
async function requestHints({ pool }: BenchDatabase): Promise<void> {
  await pool.query(
    `update store_tasks set read_on = $1::date - 7 where kind = 'hints'
       and id % interval_days = ($1::date - date '2000-01-01') % interval_days`,
    [growthDay],
  );
}

/** Yesterday's counts and alerts, as if its checks had just been done, round-robin. */
async function requestYesterday({ pool, systemDb }: BenchDatabase): Promise<void> {
  await inSystem({ systemDb }, (tx) => requestCounts(tx, yesterday));
  await pool.query(
    `insert into pending_evaluations (market_id, on_date)
       select market_id, $1 from market_schedule order by round_robin_order, market_id limit $2`,
    [yesterday, evaluated],
  );
}

async function completeAll({ pool }: BenchDatabase, ...tables: string[]): Promise<void> {
  for (const table of tables)
    await pool.query(
      `update ${table} set completed_on = $1, queued_until = null
      where completed_on < $1`,
      [growthDay],
    );
  // In a real day the work of hours is cleaned up meanwhile.
  await pool.query(`vacuum ${tables.join(', ')}`);
}

/** The morning of the day, before its run. */
async function resetDay({ pool }: BenchDatabase): Promise<void> {
  await pool.query('delete from runs where date = $1', [growthDay]);
  for (const table of ['market_gaps', 'store_task_gaps', 'store_probes'])
    await pool.query(
      `delete from ${table} where ${table === 'store_probes' ? 'date' : 'on_date'} = $1`,
      [growthDay],
    );
  for (const table of ['market_schedule', 'listing_schedule', 'store_tasks'])
    await pool.query(
      `update ${table} set completed_on = $1, queued_until = null where completed_on > $1
         or queued_until is not null`,
      [yesterday],
    );
  await pool.query('update store_tasks set read_on = $1 where read_on <> $1', [yesterday]);
  await pool.query(
    `insert into store_probes (store, provider, date, state, probed_at)
       select store, position_provider(store, $1), $1, 'ok', now() from stores`,
    [growthDay],
  );
  await pool.query('vacuum (analyze) market_schedule, listing_schedule, store_tasks, due_counts');
}
