import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FaultRule } from '#simulator/server.ts';
import { checkMarket } from '#domain/tracking/rankings/check-market.ts';
import { refused } from '#stores/store-errors.ts';
import { addDays } from '#lib/dates.ts';
import { keepOrder } from '../harness/keep-order.ts';
import { startPipeline, type Pipeline, type TrackedMarket } from '../harness/pipeline.ts';
import { storeOptions } from '../harness/background-work.ts';

keepOrder('each test searches on a day after that of the test before it');

let pipeline: Pipeline;
let markets: Record<'ios' | 'android', TrackedMarket>;
let day = '2026-06-01';

beforeAll(async () => {
  pipeline = await startPipeline({
    day,
    work: false,
    simulator: { world: { apps: 300, resultsPerSearch: 100, androidMode: 'web30' } },
  });
  const [ios] = await pipeline.track({ store: 'ios', storeAppId: '1500000001' }, [
    { phrase: 'habit tracker', country: 'us' },
  ]);
  const [android] = await pipeline.track({ store: 'android', storeAppId: 'app.lumen.habits' }, [
    { phrase: 'habit tracker', country: 'us' },
  ]);
  markets = { ios: ios!, android: android! };
  // The first day responds, as the usual number to compare with.
  for (const store of ['ios', 'android'] as const) expect(await check(store)).toBe('checked');
});
afterAll(() => pipeline.close());

async function check(
  store: 'ios' | 'android',
  services = pipeline.runtime.services,
): Promise<string> {
  pipeline.clock.set(`${day}T03:00:00Z`);
  pipeline.simulator.setNow(pipeline.clock.now());
  return checkMarket(services, { marketId: markets[store].marketId, day }, storeOptions(60_000));
}

const faults: FaultRule['fault'][] = [
  '403',
  '429',
  '502',
  '503',
  'sorry',
  'captcha',
  'consent',
  'reset',
  'truncated-gzip',
  'empty',
  'huge',
  'gzip-bomb',
  'no-results',
  'shorter',
  'rpc-renamed',
  'index-moved',
  'null-payload',
];
const cases = (['ios', 'android'] as const).flatMap((store) =>
  faults
    .filter((fault) => store === 'android' || !['rpc-renamed', 'sorry'].includes(fault))
    // A consent page is passed with a cookie; a null payload belongs to further pages.
    .filter((fault) => fault !== 'consent' && fault !== 'null-payload')
    .map((fault) => [store, fault] as const),
);

describe(`${cases.length} kinds of failure leave no row`, () => {
  test.each(cases)(
    '%s %s: no daily rank, no stored result, no newest position',
    async (store, fault) => {
      day = addDays(day, 1);
      pipeline.simulator.setFaults([{ fault, store, probability: 1 }]);
      expect(await check(store)).toBe('deferred');
      const { rows } = await pipeline.db.pool.query('select 1 from rankings where date = $1', [
        day,
      ]);
      expect(rows).toEqual([]);
      const kept = await pipeline.db.pool.query('select 1 from serps where on_date = $1', [day]);
      expect(kept.rows).toEqual([]);
      const newest = await pipeline.db.pool.query('select 1 from keywords where latest_on = $1', [
        day,
      ]);
      expect(newest.rows).toEqual([]);
      pipeline.simulator.setFaults([]);
      expect(await check(store)).toBe('checked');
    },
  );
});

test('a failure of another kind does not confirm a suspicious result', async () => {
  for (const store of ['ios', 'android'] as const) {
    day = addDays(day, 1);
    pipeline.simulator.setFaults([{ fault: '503', store, probability: 1 }]);
    expect(await check(store)).toBe('deferred');
    pipeline.simulator.setFaults([{ fault: 'no-results', store, probability: 1 }]);
    expect(await check(store)).toBe('deferred');
    expect(
      (await pipeline.db.pool.query('select 1 from rankings where date = $1', [day])).rows,
    ).toEqual([]);
    // A second search confirms it.
    expect(await check(store)).toBe('checked');
    pipeline.simulator.setFaults([]);
  }
});

test('a repeated short result is confirmed even if the store was not reached between', async () => {
  const { services } = pipeline.runtime;
  const search = () => Promise.reject(refused('ios', 'cooling', 60_000));
  const resting = {
    ...services,
    stores: { ...services.stores, ios: { ...services.stores.ios, search } },
  };
  day = addDays(day, 1);
  // Back to the usual number.
  expect(await check('ios')).toBe('checked');
  day = addDays(day, 1);
  pipeline.simulator.setFaults([{ fault: 'no-results', store: 'ios', probability: 1 }]);
  expect(await check('ios')).toBe('deferred');
  expect(await check('ios', resting)).toBe('deferred');
  expect(await check('ios')).toBe('checked');
  pipeline.simulator.setFaults([]);
});
