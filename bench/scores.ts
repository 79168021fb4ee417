import { listOpportunities } from '#domain/insights/scores/list-opportunities.ts';
import { scoreMarkets } from '#domain/insights/scores/score-markets.ts';
import { TestClock } from '#lib/clock.ts';
import { seedHistory, readerOf, scales } from '#tests/harness/history.ts';
import { openBenchDatabase } from './database.ts';
import { percentile, timeRuns, type Measurement } from './measurement.ts';

const lastDay = '2026-11-21';
const opportunities = 1_000;

/** Scores from stored evidence. There is no store here: a request would be an error. */
export async function* measure(): AsyncGenerator<Measurement> {
  const database = await openBenchDatabase();
  const scale = 'target';
  try {
    const past = await seedHistory(database.pool, {
      ...scales.target,
      days: 2,
      lastDay,
      serpDays: 2,
    });
    const app = await seedHistory(database.pool, {
      apps: 1,
      markets: opportunities,
      days: 2,
      lastDay,
      serpDays: 2,
    });
    await database.pool.query(
      'insert into hint_evidence select id, $1::date, ' +
        'jsonb_build_array(jsonb_build_array(left(phrase, 3 + id % 5), 1 + id % 10)) from ' +
        'markets',
      [lastDay],
    );
    const services = { systemDb: database.systemDb, clock: new TestClock(`${lastDay}T12:00:00Z`) };
    const marketIds = past.keywords.map((keyword) => keyword.marketId);
    const start = performance.now();
    const scored = await scoreMarkets(services, marketIds);
    if (scored !== marketIds.length)
      throw new Error(`${scored} of ${marketIds.length} markets were scored`);
    yield {
      name: `${scored.toLocaleString('en')} keywords scored offline, 0 requests`,
      scale,
      measured: (performance.now() - start) / 1_000,
      unit: 's',
      goal: 60,
    };
    const again = performance.now();
    if ((await scoreMarkets(services, marketIds)) !== 0)
      throw new Error('the same evidence gave other scores');
    yield {
      name: '  the same again: nothing is new',
      scale,
      measured: (performance.now() - again) / 1_000,
      unit: 's',
      goal: 60,
    };

    await scoreMarkets(
      services,
      app.keywords.map((keyword) => keyword.marketId),
    );
    await database.pool.query('vacuum analyze');
    const reader = readerOf(database, app.workspaceId, `${lastDay}T12:00:00Z`);
    const query = { limit: 500, sort: '-opportunity' } as const;
    const found = await listOpportunities(reader, app.appIds[0]!, query);
    const times = await timeRuns(60, () => listOpportunities(reader, app.appIds[0]!, query));
    const name =
      `opportunities of an app with ${opportunities.toLocaleString('en')} keywords ` +
      `(${found.total} rated)`;
    yield { name: `${name}, p50`, scale, measured: percentile(times, 0.5), unit: 'ms', goal: null };
    yield {
      name: '  the same, p95',
      scale,
      measured: percentile(times, 0.95),
      unit: 'ms',
      goal: 50,
    };
  } finally {
    await database.close();
  }
}
