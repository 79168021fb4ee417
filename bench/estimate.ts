import { runBudgetDays, trackOwnMarkets } from '#tests/harness/budget-days.ts';
import { startPipeline } from '#tests/harness/pipeline.ts';
import { openBenchDatabase } from './database.ts';
import type { Measurement } from './measurement.ts';

const firstDay = '2026-06-01';
const marketsEach = 40;

/**
 * The estimate of GET /jobs/budget before a virtual day, beside the requests that the simulator
 * receives; the first week trains it.
 */
export async function* measure(): AsyncGenerator<Measurement> {
  const database = await openBenchDatabase();
  const db = {
    ...database,
    url: database.pool.options.connectionString!,
    drop: () => Promise.resolve(),
  };
  const pipeline = await startPipeline({
    day: firstDay,
    db,
    simulator: { world: { resultsPerSearch: 150 } },
  });
  try {
    await trackOwnMarkets(pipeline, marketsEach);
    const days = await runBudgetDays(pipeline, firstDay, 8);
    for (const { day, store, estimated, received } of days.slice(-2)) {
      const name =
        `${store}: budget estimate off from ${received} ` +
        `requests received, day ${day.slice(-1)}`;
      yield {
        name,
        scale: `${marketsEach * 6} mkts`,
        measured: Math.abs(1 - estimated / received) * 100,
        unit: '%',
        goal: 2,
      };
    }
  } finally {
    await pipeline.close();
    await database.close();
  }
}
