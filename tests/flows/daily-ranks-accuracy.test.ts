import { afterAll, expect, test } from 'vitest';
import { addDays } from '#lib/dates.ts';
import { startPipeline } from '../harness/pipeline.ts';
import { compareWithGroundTruth, makePhrases } from '../harness/ground-truth.ts';
import { reportFigures, trackProgress } from '../harness/progress.ts';

const scale = process.env.TORTURE ? { markets: 250, days: 30 } : { markets: 20, days: 4 };
const firstDay = '2026-03-01';
const devices = ['iphone', 'ipad', 'mac'];
const pipeline = await startPipeline({
  day: firstDay,
  simulator: { world: { apps: 800, resultsPerSearch: 60, androidMode: 'web30' } },
  storeTasks: false,
});
afterAll(() => pipeline.close());

test(`${scale.markets * 2} markets, ${scale.days} days of faults, no false outcome`, async () => {
  const { simulator } = pipeline;
  const tracked = [
    ...(await pipeline.track(
      { store: 'ios', storeAppId: '1500000001' },
      makePhrases(scale.markets).map((name, index) => ({
        ...name,
        device: devices[index % devices.length]!,
      })),
    )),
    ...(await pipeline.track(
      { store: 'android', storeAppId: 'app.lumen.habits' },
      makePhrases(scale.markets),
    )),
  ];
  simulator.setFaults([
    { fault: '503', probability: 0.03 },
    { fault: '429', store: 'android', probability: 0.02 },
    { fault: '403', store: 'ios', probability: 0.02 },
    { fault: 'captcha', store: 'android', probability: 0.02 },
    { fault: 'no-results', probability: 0.02 },
    { fault: 'shorter', probability: 0.02 },
    { fault: 'empty', probability: 0.01 },
    { fault: 'truncated-gzip', probability: 0.01 },
    { fault: 'rpc-renamed', store: 'android', probability: 0.01 },
    { fault: 'wrong-platform', store: 'ios', probability: 0.02 },
  ]);
  const days = Array.from({ length: scale.days }, (_, index) => addDays(firstDay, index));
  const part = { name: 'virtual days', total: days.length, limitMs: 1_200_000 };
  await trackProgress(part, async ({ add }) => {
    for (const day of days) {
      await pipeline.runDay(day);
      add();
    }
  });
  const verdict = await compareWithGroundTruth(pipeline, tracked, days);
  expect(verdict).toMatchObject({
    wrong: [],
    falseNotFound: [],
    withoutOutcome: [],
    withTwoOutcomes: [],
  });
  expect(verdict.rows).toBeGreaterThan(tracked.length * days.length * 0.95);
  expect(verdict.ranked).toBeGreaterThan(0);
  expect(verdict.notFound).toBeGreaterThan(0);
  reportFigures(12, {
    days: days.length,
    rows: verdict.rows,
    ranked: verdict.ranked,
    'not found': verdict.notFound,
    gaps: verdict.gaps,
    wrong: 0,
  });
}, 1_260_000);
