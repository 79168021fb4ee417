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

test(`${scale.kills} kills in ${scale.markets * 2} checks lose, double or fail none`, async () => {
  const tracked = [
    ...(await pipeline.track(
      { store: 'ios', storeAppId: '1500000001' },
      makePhrases(scale.markets),
    )),
    ...(await pipeline.track(
      { store: 'android', storeAppId: 'app.lumen.habits' },
      makePhrases(scale.markets),
    )),
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
  reportFigures(1, {
    kills: scale.kills,
    checks: scale.markets * 2,
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
  const asked = countSearches();
  const [most, total] = [Math.max(...asked), asked.reduce((sum, each) => sum + each, 0)];
  console.log(
    `worker kills: ${scale.kills} kills, ${total} searches of ${asked.length} markets, ` +
      `at most ${most} of one`,
  );
  // A kill costs only the checks that are under way, of up to two searches each.
  expect(total).toBeLessThanOrEqual(asked.length + scale.kills * checksAtOnce * 2);
  expect(await count('select count(*) from dead_letters')).toBe(0);
  expect(await count('select count(*) from serps')).toBe(scale.markets * 2);
  expect(await count('select count(*) from runs')).toBe(1);
}, 1_200_000);

/** The searches of each market that the stores received. */
function countSearches(): number[] {
  const searches = pipeline.simulator.log().filter(({ kind }) => kind.includes('search'));
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
