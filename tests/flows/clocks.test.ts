import { afterAll, describe, expect, test } from 'vitest';
import { tick } from '#domain/scheduling/runs/tick.ts';
import { createDispatcher } from '#jobs/dispatcher.ts';
import { registry } from '#jobs/registry.ts';
import { addDays } from '#lib/dates.ts';
import { schedule } from '../harness/background-work.ts';
import { compareWithGroundTruth, makePhrases } from '../harness/ground-truth.ts';
import { startPipeline, type Pipeline, type TrackedMarket } from '../harness/pipeline.ts';
import { reportFigures, trackProgress } from '../harness/progress.ts';

const isLong = process.env.TORTURE !== undefined;
/** The zones of the process and of the database; UTC hides mistakes. */
const zones = isLong
  ? ['Pacific/Kiritimati', 'America/St_Johns', 'Asia/Tokyo', 'UTC']
  : ['America/St_Johns'];
/** Days before and after clocks change in America and Europe, before a new year and a leap day. */
const lastDays = isLong
  ? ['2026-03-07', '2026-03-28', '2026-10-31', '2026-12-31', '2028-02-28', '2028-02-29']
  : ['2026-03-07', '2028-02-28'];
const marketsEach = isLong ? 20 : 3;

describe.each(zones)('in the zone %s', (zone) => {
  const before = process.env.TZ;
  let pipeline: Pipeline;
  afterAll(async () => {
    process.env.TZ = before;
    await pipeline.close();
  });

  /** Two processes whose schedulers tick at the same instant. */
  const tickTwice = async () => {
    const { services, queues } = pipeline.runtime;
    const dispatcher = createDispatcher(queues, registry);
    await Promise.all([
      tick(services, dispatcher, schedule),
      tick({ ...services }, dispatcher, schedule),
    ]);
    await pipeline.runUntilIdle();
  };
  const at = (instant: string) => {
    pipeline.clock.set(instant);
    pipeline.simulator.setNow(pipeline.clock.now());
  };
  const searches = () =>
    pipeline.simulator.log().filter(({ kind }) => kind.includes('search')).length;

  /** A second before midnight, three after it, an hour back, and on again. */
  const crossMidnight = async (day: string) => {
    const next = addDays(day, 1);
    at(`${day}T23:59:58Z`);
    await tickTwice();
    at(`${next}T00:00:03Z`);
    await tickTwice();
    await pipeline.runDay(next);
    const done = searches();
    at(`${day}T23:00:03Z`);
    await tickTwice();
    at(`${next}T03:00:00Z`);
    await tickTwice();
    expect({ day, repeated: searches() - done }).toEqual({ day, repeated: 0 });
  };

  test('each UTC day has one run, and each check is on its day', async () => {
    process.env.TZ = zone;
    const days = lastDays.flatMap((day) => [day, addDays(day, 1)]);
    pipeline = await startPipeline({
      day: days[0]!,
      simulator: { world: { apps: 300, resultsPerSearch: 20, androidMode: 'web30' } },
      storeTasks: false,
    });
    const tracked: TrackedMarket[] = [
      ...(await pipeline.track(
        { store: 'ios', storeAppId: '1500000001' },
        makePhrases(marketsEach),
      )),
      ...(await pipeline.track(
        { store: 'android', storeAppId: 'app.lumen.habits' },
        makePhrases(marketsEach),
      )),
    ];
    const part = { name: `midnights in ${zone}`, total: lastDays.length, limitMs: 600_000 };
    await trackProgress(part, async ({ add }) => {
      for (const day of lastDays) {
        await pipeline.runDay(day);
        await crossMidnight(day);
        add();
      }
    });
    const { rows } = await pipeline.db.pool.query('select date::text, state from runs order by 1');
    const ran = new Map(rows.map(({ date, state }) => [date, state]));
    expect([...ran.keys()].filter((day) => !days.includes(day))).toEqual([]);
    expect(new Set(days.map((day) => ran.get(day)))).toEqual(new Set(['finished']));
    const unique = [...new Set(days)];
    const verdict = await compareWithGroundTruth(pipeline, tracked, unique);
    reportFigures(13, { zone, days: unique.length, checks: verdict.rows, wrong: 0 });
    expect(verdict).toMatchObject({
      rows: tracked.length * unique.length,
      gaps: 0,
      wrong: [],
      falseNotFound: [],
      withoutOutcome: [],
      withTwoOutcomes: [],
    });
  }, 660_000);
});
