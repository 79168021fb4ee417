import { refreshAllBudgets, refreshBudget } from '../src/domain/budget/refresh-budget.ts';
import { readBudget } from '../src/domain/budget/read-budget.ts';
import { inSystem, inTenant, type Ctx } from '../src/domain/context.ts';
import { addKeywords } from '../src/domain/keywords/add-keywords.ts';
import { listKeywords } from '../src/domain/keywords/list-keywords.ts';
import { previewKeywords } from '../src/domain/keywords/preview-keywords.ts';
import { getRun, listRuns } from '../src/domain/runs/read-runs.ts';
import { fillHistory, readerOf, scales } from '../tests/harness/history.ts';
import { openBenchDatabase } from './database.ts';
import { percentile, timeRuns, type Figure } from './figure.ts';

const lastDay = '2026-11-21';
const budgetGoalMs = 5;

/** What a day costs, read and kept up, at both scales. */
export async function* measure(wanted: string[]): AsyncGenerator<Figure> {
  for (const scale of ['target', 'stress'] as const) {
    if (wanted.includes(scale)) yield* measureScale(scale);
  }
}

async function* measureScale(scale: 'target' | 'stress'): AsyncGenerator<Figure> {
  const database = await openBenchDatabase();
  try {
    const history = await fillHistory(database.pool, { ...scales[scale], days: 2, lastDay });
    await database.pool.query(
      `insert into runs (date, opened_at, finished_at, state) select d, d, d, 'finished' from generate_series('2026-11-20'::date, '2026-11-21', '1 day') d`,
    );
    await database.pool.query('vacuum analyze');
    const reader = readerOf(database, history.workspaceId, `${lastDay}T12:00:00Z`);
    const ctx: Ctx = {
      ...reader,
      headroom: { usedBytes: () => Promise.resolve(0), capBytes: 1 },
      wake: () => {},
    };
    const appId = history.appIds[0]!;
    const tell = (name: string, sorted: number[], goal: number | null): Figure => ({
      name,
      scale,
      measured: percentile(sorted, 0.95),
      unit: 'ms',
      goal,
    });
    await inTenant(ctx, (tx) => refreshBudget(tx, ctx));
    yield tell('budget read, p95', await timeRuns(100, () => readBudget(ctx)), budgetGoalMs);
    yield tell(
      'budget of a workspace recomputed, p95',
      await timeRuns(10, () => inTenant(ctx, (tx) => refreshBudget(tx, ctx))),
      null,
    );
    yield tell(
      'budgets of all workspaces recomputed, p95',
      await timeRuns(5, () => inSystem(ctx, (tx) => refreshAllBudgets(tx))),
      null,
    );
    let round = 0;
    const body = () => ({
      phrases: Array.from({ length: 100 }, (_, index) => `bench ${round} ${index}`),
      countries: ['us', 'de'],
    });
    yield tell(
      'preview of 200 keywords, p95',
      await timeRuns(10, () => previewKeywords(ctx, appId, body())),
      null,
    );
    yield tell(
      'adding 200 keywords, p95',
      await timeRuns(10, () => ((round += 1), addKeywords(ctx, appId, body()))),
      null,
    );
    yield tell(
      'first page of an app’s keywords by change, p95',
      await timeRuns(20, () => listKeywords(ctx, appId, { limit: 100, sort: '-change7d' })),
      null,
    );
    yield tell('one run, p95', await timeRuns(10, () => getRun(ctx, lastDay)), null);
    yield tell(
      'a page of runs (2 days), p95',
      await timeRuns(5, () => listRuns(ctx, { limit: 30 })),
      null,
    );
  } finally {
    await database.close();
  }
}
