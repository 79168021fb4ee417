import { storeNames } from '#domain/base/ports.ts';
import { evaluateEstimates } from '#domain/insights/scores/evaluation/evaluate-estimates.ts';
import { estimate } from '#domain/insights/scores/evaluation/evaluate-labels.ts';
import { pairApps } from '#domain/insights/scores/evaluation/get-evaluation.ts';
import { correlateWithInterval } from '#domain/insights/scores/evaluation/statistics.ts';
import { listOpportunities } from '#domain/insights/scores/list-opportunities.ts';
import { scoreMarkets } from '#domain/insights/scores/score-markets.ts';
import { TestClock } from '#lib/clock.ts';
import { seedHistory, readerOf, scales } from '#tests/harness/history.ts';
import { readScoreWorld } from '#tests/harness/score-world.ts';
import { openBenchDatabase } from './database.ts';
import { percentile, timeRuns, type Measurement } from './measurement.ts';

const lastDay = '2026-11-21';
const opportunities = 1_000;

/**
 * Agreement with the true demand of the simulator's world. Before version 2 the same rows gave
 * 0.645 on iOS and 0.787 on Android.
 */
async function* measureAgreement(): AsyncGenerator<Measurement> {
  const scale = 'world';
  for (const store of storeNames) {
    const world = await readScoreWorld(store, { seed: 1, country: 'us' });
    const phrases = world.map(({ evidence, genre, popularity }) =>
      estimate(
        { store, country: evidence.country, phrase: evidence.phrase.text, genre, popularity },
        evidence,
      ),
    );
    const [found] = evaluateEstimates(phrases, { seed: 1 }).stores;
    const { spearman, n, meanAbsoluteError, meanError, auc, unlisted } = found!;
    const around = phrases.flatMap(({ estimate: found, popularity }) =>
      found === null || popularity === null ? [] : [Math.abs(found - popularity - meanError!)],
    );
    yield {
      name: `${found!.formula}: Spearman of ${n} phrases (${spearman!.low}–${spearman!.high})`,
      scale,
      measured: spearman!.value,
      unit: '',
      goal: 0.8,
      isLeast: true,
    };
    yield {
      name: '  mean absolute error',
      scale,
      measured: meanAbsoluteError!,
      unit: 'points',
      goal: null,
    };
    yield { name: '  mean error', scale, measured: meanError!, unit: 'points', goal: null };
    yield {
      name: '  mean absolute error around the mean error',
      scale,
      measured: around.reduce((sum, each) => sum + each, 0) / around.length,
      unit: 'points',
      goal: null,
    };
    yield {
      name: `  AUC against ${unlisted} phrases without demand`,
      scale,
      measured: auc!,
      unit: '',
      goal: 0.9,
      isLeast: true,
    };
    const groups = world.map(({ evidence }) => pairApps(evidence));
    const order = correlateWithInterval(groups, 1);
    if (order)
      yield {
        name: `  difficulty less strength orders positions (${order.low}–${order.high})`,
        scale,
        measured: order.value,
        unit: '',
        goal: null,
      };
  }
}

/** Scores from stored evidence. There is no store here: a request would be an error. */
export async function* measure(): AsyncGenerator<Measurement> {
  yield* measureAgreement();
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
