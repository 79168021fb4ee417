import { refreshBudget, refreshStaleBudgets } from '#domain/base/budget/refresh-budget.ts';
import { getBudget } from '#domain/base/budget/get-budget.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { addKeywords } from '#domain/tracking/keywords/add-keywords.ts';
import { listKeywords } from '#domain/tracking/keywords/list-keywords.ts';
import { previewKeywords } from '#domain/tracking/keywords/preview-keywords.ts';
import { getRun, listRuns } from '#domain/scheduling/runs/list-runs.ts';
import { seedHistory, readerOf, scales } from '#tests/harness/history.ts';
import { openBenchDatabase } from './database.ts';
import { percentile, timeRuns, type Measurement } from './measurement.ts';

const lastDay = '2026-11-21';
const budgetGoalMs = 5;
const previewGoalMs = 40;
const additionGoalMs = 150;

/** The cost of a day: reading it and keeping it up to date, at both scales. */
export async function* measure(expected: string[]): AsyncGenerator<Measurement> {
  for (const scale of ['target', 'stress'] as const) {
    if (expected.includes(scale)) yield* measureScale(scale);
  }
}

async function* measureScale(scale: 'target' | 'stress'): AsyncGenerator<Measurement> {
  const database = await openBenchDatabase();
  try {
    const history = await seedHistory(database.pool, { ...scales[scale], days: 2, lastDay });
    await database.pool.query(
      `insert into runs (date, opened_at, finished_at, state) select d, d, d, 'finished' ` +
        `from generate_series('2026-11-20'::date, '2026-11-21', '1 day') d`,
    );
    for (const [demand, table] of [
      ['listing', 'listings'],
      ['store_task', 'listings'],
      ['hint', 'markets'],
    ])
      await database.pool.query(`select refresh_${demand}_demand(array_agg(id)) from ${table}`);
    await database.pool.query('vacuum analyze');
    const reader = readerOf(database, history.workspaceId, `${lastDay}T12:00:00Z`);
    const ctx: Ctx = {
      ...reader,
      queueCapacity: { usedBytes: () => Promise.resolve(0), capBytes: 1 },
      wake: () => {},
    };
    const appId = history.appIds[0]!;
    const describe = (name: string, sorted: number[], goal: number | null): Measurement => ({
      name,
      scale,
      measured: percentile(sorted, 0.95),
      unit: 'ms',
      goal,
    });
    await refreshStaleBudgets(ctx);
    yield describe('budget read, p95', await timeRuns(100, () => getBudget(ctx)), budgetGoalMs);
    yield describe(
      'budget of a workspace recomputed, p95',
      await timeRuns(10, () => inTenant(ctx, (tx) => refreshBudget(tx, ctx))),
      null,
    );
    let round = 0;
    const body = () => ({
      phrases: Array.from({ length: 100 }, (_, index) => `bench ${round} ${index}`),
      countries: ['us', 'de'],
    });
    yield describe(
      'preview of 200 keywords, p95',
      await timeRuns(20, () => previewKeywords(ctx, appId, body())),
      previewGoalMs,
    );
    yield describe(
      'adding 200 keywords, p95',
      await timeRuns(20, () => ((round += 1), addKeywords(ctx, appId, body()))),
      additionGoalMs,
    );
    yield describe(
      'first page of an app’s keywords by change, p95',
      await timeRuns(20, () => listKeywords(ctx, appId, { limit: 100, sort: '-change7d' })),
      null,
    );
    yield describe('one run, p95', await timeRuns(10, () => getRun(ctx, lastDay)), null);
    yield describe(
      'a page of runs (2 days), p95',
      await timeRuns(5, () => listRuns(ctx, { limit: 30 })),
      null,
    );
  } finally {
    await database.close();
  }
}
