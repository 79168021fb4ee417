import { everyPace } from '#config/pace-settings.ts';
import { afterAll, expect, test } from 'vitest';
import { utcDayOf } from '#lib/dates.ts';
import { startPipeline } from '../harness/pipeline.ts';
import { reportFigures, trackProgress } from '../harness/progress.ts';
import { startToprung } from '../harness/process.ts';
import { compareWithGroundTruth, makePhrases } from '../harness/ground-truth.ts';

const scale = process.env.TORTURE ? { markets: 5_000, kills: 50 } : { markets: 30, kills: 1 };
/** Both stores' workers together, at the pace of this test. */
const checksAtOnce = 64;
const today = utcDayOf(new Date());
const pipeline = await startPipeline({
  day: today,
  work: false,
  simulator: { world: { apps: 300, resultsPerSearch: 120, androidMode: 'web30' } },
});
afterAll(() => pipeline.close());

const apps = {
  ios: { store: 'ios', storeAppId: '1500000001', shownOn: 'iphone' },
  android: { store: 'android', storeAppId: 'app.lumen.habits', shownOn: 'phone' },
} as const;

/** Phrases with many results in both stores: fewer would be searched again to confirm them. */
function makePlausiblePhrases(count: number): ReturnType<typeof makePhrases> {
  const isPlausible = (market: { phrase: string; country: string }) =>
    Object.values(apps).every(
      (app) => pipeline.simulator.groundTruth({ ...app, ...market, day: today }).available >= 100,
    );
  return makePhrases(2 * count)
    .filter(isPlausible)
    .slice(0, count);
}

test(`${scale.kills} kills in ${scale.markets * 2} checks lose, double or fail none`, async () => {
  const phrases = makePlausiblePhrases(scale.markets);
  const tracked = [
    ...(await pipeline.track(apps.ios, phrases)),
    ...(await pipeline.track(apps.android, phrases)),
  ];
  const count = async (text: string) => Number((await pipeline.db.pool.query(text)).rows[0].count);
  const done = () => count('select count(*) from market_schedule where completed_on is not null');
  const start = () =>
    startToprung(['start', '--role', 'worker'], {
      DATABASE_URL: pipeline.db.url,
      STORE_BASE_URL: pipeline.simulator.baseUrl,
      ...everyPace('1000000'),
      DAILY_RUN_AT: '00:00',
      QUEUE_STALL_SECONDS: '1',
    });
  let worker = start();
  const step = (scale.markets * 2) / (scale.kills + 1);
  const cleanUp = () => worker.kill('SIGTERM');
  const part = { name: 'kills of the worker', total: scale.kills, limitMs: 900_000, cleanUp };
  const startedMs = performance.now();
  await trackProgress(part, async ({ add }) => {
    for (let kills = 1; kills <= scale.kills; kills++) {
      await until(async () => (await done()) >= step * kills);
      await worker.kill('SIGKILL');
      worker = start();
      add();
    }
    await until(async () => (await done()) >= scale.markets * 2, 300_000);
  });
  const asked = countSearches(phrases);
  const repeated = asked.reduce((sum, each) => sum + each - 1, 0);
  reportFigures(1, {
    kills: scale.kills,
    checks: scale.markets * 2,
    'searches repeated': repeated,
    'most searches of a market': Math.max(...asked),
    seconds: Math.round((performance.now() - startedMs) / 1_000),
  });

  const verdict = await compareWithGroundTruth(pipeline, tracked, [today]);
  expect(verdict).toMatchObject({
    rows: scale.markets * 2,
    gaps: 0,
    wrong: [],
    falseNotFound: [],
    withoutOutcome: [],
    withTwoOutcomes: [],
  });
  // A kill costs only the searches that are under way.
  expect(asked).toHaveLength(scale.markets * 2);
  expect(repeated).toBeLessThanOrEqual(scale.kills * checksAtOnce);
  expect(await count('select count(*) from dead_letters')).toBe(0);
  expect(await count('select count(*) from serps')).toBe(scale.markets * 2);
  expect(await count('select count(*) from runs')).toBe(1);
}, 1_200_000);

/** The searches of each market that the stores received; the probe's is none of them. */
function countSearches(phrases: readonly { phrase: string }[]): number[] {
  const tracked = new Set(phrases.map(({ phrase }) => phrase));
  const searches = pipeline.simulator
    .log()
    .filter(({ kind, phrase }) => kind.includes('search') && tracked.has(phrase ?? ''));
  const byMarket = Map.groupBy(searches, ({ store, country, phrase }) =>
    [store, country, phrase].join(' '),
  );
  return [...byMarket.values()].map(({ length }) => length);
}

async function until(condition: () => Promise<boolean>, timeoutMs = 180_000): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error('waited too long');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
