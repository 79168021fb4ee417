import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkMarket } from '#domain/tracking/rankings/check-market.ts';
import { registry } from '#jobs/registry.ts';
import { startWorkers } from '#jobs/workers.ts';
import { addDays } from '#lib/dates.ts';
import { keepOrder } from '../harness/keep-order.ts';
import { startPipeline, type Pipeline, type TrackedMarket } from '../harness/pipeline.ts';
import { makePhrases } from '../harness/ground-truth.ts';
import { storeOptions } from '../harness/background-work.ts';

keepOrder('the second test continues after the days of the first');

const day = '2026-05-10';
const today = addDays(day, 3);
let pipeline: Pipeline;
let tracked: TrackedMarket[];

beforeAll(async () => {
  pipeline = await startPipeline({
    day,
    work: false,
    simulator: { world: { apps: 300, resultsPerSearch: 60, androidMode: 'web30' } },
  });
  tracked = await pipeline.track({ store: 'ios', storeAppId: '1500000001' }, makePhrases(6));
});
afterAll(() => pipeline.close());

const rows = async <T>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await pipeline.db.pool.query(text, values)).rows as T[];
const moveTo = (date: string, time = '09:00:00') => {
  pipeline.clock.set(`${date}T${time}Z`);
  pipeline.simulator.setNow(pipeline.clock.now());
};
const searches = () => pipeline.simulator.log().filter((entry) => entry.kind === 'search').length;

test('queued work of a day that has ended is not done in that day’s name', async () => {
  moveTo(day, '02:00:00');
  await rows(
    `insert into store_probes (store, provider, date, state, probed_at, attempts) values ` +
      `('ios', 'web', $1, 'ok', now(), 1), ('ios', 'itunes', $1, 'ok', now(), 1)`,
    [day],
  );
  expect(await pipeline.tick()).toBeGreaterThanOrEqual(tracked.length);
  // The machine sleeps, and wakes up three days later with the same queue.
  moveTo(today);
  await rows(
    `insert into store_probes (store, provider, date, state, probed_at, attempts) values ` +
      `('ios', 'web', $1, 'ok', now(), 1), ('ios', 'itunes', $1, 'ok', now(), 1)`,
    [today],
  );
  const workers = startWorkers(pipeline.runtime.queues, pipeline.runtime.services, registry);
  try {
    for (let ticks = 0; ticks < 50; ticks += 1) await pipeline.runUntilIdle();
    expect(searches()).toBe(tracked.length);
    expect(await rows('select date::text, count(*)::int from rankings group by date')).toEqual([
      { date: today, count: tracked.length },
    ]);
    expect(
      await rows(
        'select on_date::text as date, reason, count(*)::int from market_gaps group by ' +
          'on_date, reason',
      ),
    ).toEqual([{ date: day, reason: 'not_yet_run', count: tracked.length }]);
    const listings = await rows<{ date: string }>(
      'select distinct on_date::text as date from listing_days',
    );
    expect(listings.filter(({ date }) => date !== today)).toEqual([]);
  } finally {
    await workers.close(5_000);
  }
});

test('a check that runs after the next day’s leaves a gap on the day that ended', async () => {
  const [{ marketId }] = tracked as [TrackedMarket];
  const check = (on: string) =>
    checkMarket(pipeline.runtime.services, { marketId, day: on }, storeOptions());
  const [late, next] = [addDays(today, 1), addDays(today, 2)];
  await rows(
    `insert into market_gaps (market_id, on_date, reason) values ($1, $2, 'not_yet_run')`,
    [marketId, late],
  );
  moveTo(next, '00:01:00');
  expect(await check(next)).toBe('checked');
  const before = searches();
  expect(await check(late)).toBe('skipped');
  expect(searches()).toBe(before);
  expect(
    await rows('select 1 from rankings where market_id = $1 and date = $2', [marketId, late]),
  ).toEqual([]);
});
