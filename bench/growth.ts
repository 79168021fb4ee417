import { setTimeout as sleep } from 'node:timers/promises';
import { getCapacity } from '#domain/accounts/admin/get-capacity.ts';
import { refreshBudget, refreshStaleBudgets } from '#domain/base/budget/refresh-budget.ts';
import { inSystem, type Ctx } from '#domain/base/context.ts';
import { collectMetrics } from '#domain/scheduling/health/collect-metrics.ts';
import { getHealth } from '#domain/scheduling/health/get-health.ts';
import { tick } from '#domain/scheduling/runs/tick.ts';
import type { CheckServices } from '#domain/tracking/rankings/check-market.ts';
import { schedule } from '#tests/harness/background-work.ts';
import { growthDay, openGrowthDatabase, type GrowthScale } from './growth-database.ts';
import { growthServices } from './growth-services.ts';
import { percentile, type Measurement } from './measurement.ts';
import { meanProcessorMs } from './processor-time.ts';

/** Ten times as many workspaces may make it so much dearer. */
const maxGrowth = 1.5;
const idleGoalMs = 10;
const changeGoalMs = 300;
const changePauseMs = 20;
/** Below this many milliseconds, growth says more about the clock than about the work. */
const leastMs = 0.5;
const ticksPerSecond = 1;

/** Milliseconds of the processor, of this process and of PostgreSQL together. */
type Costs = Map<string, number>;

/**
 * What an instance costs while nobody uses it, and what its operator reads, with 75,000 and with
 * 750,000 markets.
 */
export async function* measure(): AsyncGenerator<Measurement> {
  const costs = { stress: await measureScale('stress'), huge: await measureScale('huge') };
  for (const name of costs.huge.keys()) {
    const [small, large] = [costs.stress.get(name)!, costs.huge.get(name)!];
    const common = { name: `${name}, processor`, unit: 'ms', goal: null };
    yield { ...common, scale: 'stress', measured: small };
    yield { ...common, scale: 'huge', measured: large };
    yield {
      name: '  its growth',
      scale: 'huge',
      measured: Math.max(leastMs, large) / Math.max(leastMs, small),
      unit: '×',
      goal: maxGrowth,
    };
  }
  for (const scale of ['stress', 'huge'] as const)
    yield {
      name: 'an idle second of the scheduler, processor',
      scale,
      measured: idleSecond(costs[scale]),
      unit: 'ms',
      goal: idleGoalMs,
    };
  yield {
    name: 'a change of keywords while all budgets are refreshed, p99',
    scale: 'huge',
    measured: percentile(await changeWhileRefreshing('huge'), 0.99),
    unit: 'ms',
    goal: changeGoalMs,
  };
}

/** Milliseconds that changes of some workspaces take after a run, sorted. */
async function changeWhileRefreshing(scale: GrowthScale): Promise<number[]> {
  const database = await openGrowthDatabase(scale);
  try {
    const services = growthServices(database, `${growthDay}T01:00:00Z`);
    await database.pool.query(`update workspaces set budget_refreshed_at = '-infinity'`);
    let isOver = false;
    const refreshing = (async () => {
      while ((await refreshStaleBudgets(services)) > 0);
      isOver = true;
    })();
    const taken: number[] = [];
    for (let workspaceId = 1; !isOver; workspaceId += 1) {
      const startMs = performance.now();
      await inSystem(services, (tx) => refreshBudget(tx, { ...services, workspaceId }));
      taken.push(performance.now() - startMs);
      await sleep(changePauseMs);
    }
    await refreshing;
    return taken.toSorted((a, b) => a - b);
  } finally {
    await database.close();
  }
}

async function measureScale(scale: GrowthScale): Promise<Costs> {
  const database = await openGrowthDatabase(scale);
  try {
    // Before the day's run, when nothing is due. The bench of the day may have ended it.
    await database.pool.query('delete from runs where date = $1', [growthDay]);
    const services = growthServices(database, `${growthDay}T01:00:00Z`);
    const costs: Costs = new Map();
    for (const [name, work] of worksOf(services))
      costs.set(name, await meanProcessorMs(database.serverPids, work));
    return costs;
  } finally {
    await database.close();
  }
}

function worksOf(services: Ctx & CheckServices): [string, () => Promise<unknown>][] {
  const signal = new AbortController().signal;
  const nothing = { send: async () => undefined, sendBackground: async () => undefined };
  const probe = {
    backend: 'postgres' as const,
    waiting: async () => 0,
    isWritable: async () => null,
  };
  const noTasks = { ...schedule, periodicTasks: [] };
  return [
    ['a tick', () => tick(services, nothing, noTasks)],
    ...schedule.periodicTasks.map((task): [string, () => Promise<unknown>] => [
      task.name,
      () => task.run(services, signal),
    ]),
    ['GET /health', () => getHealth(services, services, probe)],
    ['GET /metrics', () => collectMetrics(services, { ...probe, version: '', uptimeSeconds: 0 })],
    ['GET /admin/capacity', () => getCapacity(services)],
  ];
}

function idleSecond(costs: Costs): number {
  const tasks = schedule.periodicTasks.map(({ name, trigger }) =>
    trigger === 'run-opened'
      ? 0
      : costs.get(name)! / Math.max(1 / ticksPerSecond, trigger.every / 1_000),
  );
  return tasks.reduce((sum, cost) => sum + cost, costs.get('a tick')! * ticksPerSecond);
}
