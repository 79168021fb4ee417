import { storeNames, type StoreName } from '#domain/base/ports.ts';
import { evaluateEstimates } from '#domain/insights/scores/evaluation/evaluate-estimates.ts';
import { estimate } from '#domain/insights/scores/evaluation/evaluate-labels.ts';
import { pairApps } from '#domain/insights/scores/evaluation/get-evaluation.ts';
import type { Label } from '#domain/insights/scores/evaluation/read-labels.ts';
import { correlateWithInterval } from '#domain/insights/scores/evaluation/statistics.ts';
import type { MarketEvidence } from '#domain/insights/scores/evidence.ts';
import { listOpportunities } from '#domain/insights/scores/list-opportunities.ts';
import { scoreMarkets } from '#domain/insights/scores/score-markets.ts';
import { TestClock } from '#lib/clock.ts';
import { seedHistory, readerOf, scales } from '#tests/harness/history.ts';
import { readScoreWorld } from '#tests/harness/score-world.ts';
import { openBenchDatabase } from './database.ts';
import { percentile, timeRuns, type Measurement } from './measurement.ts';
import { scoreTrafficV1 } from './traffic-v1.ts';

const lastDay = '2026-11-21';
const opportunities = 1_000;

/** The first world is that of docs/scores.md; no weight was chosen on the others. */
const worlds = [
  { seed: 1, country: 'us', isHeldOut: false },
  { seed: 11, country: 'us', isHeldOut: true },
  { seed: 12, country: 'gb', isHeldOut: true },
  { seed: 13, country: 'br', isHeldOut: true },
] as const;

/** Agreement with the true demand of the simulator's worlds, before and after version 2. */
async function* measureAgreement(): AsyncGenerator<Measurement> {
  for (const store of storeNames)
    for (const { seed, country, isHeldOut } of worlds) {
      const world = await readScoreWorld(store, { seed, country });
      const scale = isHeldOut ? `${seed} ${country}` : 'world';
      const figure = (name: string, measured: number, unit = ''): Measurement => ({
        name,
        scale,
        measured,
        unit,
        goal: null,
      });
      const before = await evaluate(store, world, (_, evidence) => scoreTrafficV1(evidence));
      const after = await evaluate(
        store,
        world,
        (label, evidence) => estimate(label, evidence).estimate,
      );
      const { spearman, n, meanAbsoluteError, meanError, auc, unlisted } = after.found;
      const interval = ({ spearman: found }: typeof after.found) => `${found!.low}–${found!.high}`;
      const v1 = before.found;
      yield figure(`traffic.${store}@1: Spearman (${interval(v1)})`, v1.spearman!.value);
      yield {
        ...figure(
          `${after.found.formula}: Spearman of ${n} phrases (${interval(after.found)})`,
          spearman!.value,
        ),
        goal: 0.8,
        isLeast: true,
      };
      yield {
        ...figure(`  AUC against ${unlisted} phrases without demand`, auc!),
        goal: 0.9,
        isLeast: true,
      };
      if (isHeldOut) continue;
      yield figure('  mean absolute error, version 1', v1.meanAbsoluteError!, 'points');
      yield figure('  mean absolute error', meanAbsoluteError!, 'points');
      yield figure('  mean error', meanError!, 'points');
      const around = after.phrases.flatMap(({ estimate: found, popularity }) =>
        found === null || popularity === null ? [] : [Math.abs(found - popularity - meanError!)],
      );
      const mean = around.reduce((sum, each) => sum + each, 0) / around.length;
      yield figure('  mean absolute error around the mean error', mean, 'points');
      const order = await correlateWithInterval(
        world.map(({ evidence }) => pairApps(evidence)),
        1,
      );
      if (order)
        yield figure(
          `  difficulty less strength orders positions (${order.low}–${order.high})`,
          order.value,
        );
    }
}

async function evaluate(
  store: StoreName,
  world: Awaited<ReturnType<typeof readScoreWorld>>,
  scoreOf: (label: Label, evidence: MarketEvidence) => number | null,
) {
  const phrases = world.map(({ evidence, genre, popularity }) => {
    const { country, phrase } = evidence;
    const label = { store, country, phrase: phrase.text, genre, popularity };
    return { ...estimate(label, evidence), estimate: scoreOf(label, evidence) };
  });
  const [found] = (await evaluateEstimates(phrases, { seed: 1 })).stores;
  return { phrases, found: found! };
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
