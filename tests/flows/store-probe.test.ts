import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkMarket } from '#domain/tracking/rankings/check-market.ts';
import { dispatchStore } from '#domain/scheduling/runs/dispatch-store-work.ts';
import type { Dispatcher, StoreWork } from '#domain/scheduling/runs/store-work.ts';
import { openRun } from '#domain/scheduling/runs/open-run.ts';
import { tick } from '#domain/scheduling/runs/tick.ts';
import { probeStore } from '#domain/scheduling/runs/probe-store.ts';
import { withCost } from '#domain/base/ports.ts';
import { refused } from '#stores/store-errors.ts';
import { keepOrder } from '../harness/keep-order.ts';
import { startPipeline, type Pipeline } from '../harness/pipeline.ts';
import { makePhrases } from '../harness/ground-truth.ts';
import { schedule, storeOptions } from '../harness/background-work.ts';

keepOrder('a store fails, is probed and recovers, test by test');

const day = '2026-05-10';
let pipeline: Pipeline;

beforeAll(async () => {
  pipeline = await startPipeline({
    day,
    work: false,
    environment: { SCRAPE_IOS_PROVIDERS: 'web' },
    simulator: { world: { apps: 300 } },
  });
  await pipeline.track({ store: 'ios', storeAppId: '1500000001' }, makePhrases(2));
  pipeline.clock.set(`${day}T02:00:00Z`);
});
afterAll(() => pipeline.close());

const rows = async <T>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await pipeline.db.pool.query(text, values)).rows as T[];
const probes = () => rows('select state, marker, attempts from store_probes');

/** The probe as a worker runs it, at a store that fails in this way. */
const tryAt = (marker: string, requests: number) => {
  const { services } = pipeline.runtime;
  const search = () =>
    Promise.reject(withCost(refused('ios', marker, 60_000), { requests, bytes: 0, ms: 0 }));
  const stores = { ...services.stores, ios: { ...services.stores.ios, search } };
  return probeStore(
    { ...services, stores },
    { store: 'ios', provider: 'web', day },
    storeOptions(),
  );
};

/** The kinds of jobs that one tick enqueues for the stores. */
const tickAndList = async () => {
  const sent: StoreWork[] = [];
  const dispatcher: Dispatcher = {
    send: async (_, work) => void sent.push(...work),
    sendBackground: async () => undefined,
  };
  await tick(pipeline.runtime.services, dispatcher, schedule);
  return sent.map((work) => work.kind);
};

test('a store that could not be reached is not degraded: the probe is sent again', async () => {
  expect(await tickAndList()).toEqual(['store-probe']);
  expect(await tryAt('cooling', 0)).toBe('unasked');
  expect(await probes()).toEqual([]);
  expect(await tickAndList()).toEqual(['store-probe']);
  expect(await tryAt('403', 1)).toBe('degraded');
  expect(await tryAt('cooling', 0)).toBe('unasked');
  expect(await probes()).toEqual([{ state: 'degraded', marker: '403', attempts: 1 }]);
  expect(await tickAndList()).toEqual([]);
  pipeline.clock.advance(5 * 60_000);
  expect(await tickAndList()).toEqual(['store-probe']);
});

test('the run is degraded while one of its stores is, and no longer', async () => {
  const { services } = pipeline.runtime;
  const runState = async () =>
    (await pipeline.db.pool.query('select state from runs where date = $1', [day])).rows.map(
      (row) => row.state as string,
    );
  const tryReal = (store: 'ios' | 'android') =>
    probeStore(services, { store, provider: 'web', day }, storeOptions());
  await tryAt('403', 1);
  expect([await tryReal('android'), await runState()]).toEqual(['ok', ['degraded']]);
  expect([await tryReal('ios'), await runState()]).toEqual(['ok', ['running']]);
});

/**
 * A store with one endpoint and a request every four seconds: after a refusal it cools as the pacer
 * defines, longer with each in a row.
 */
function refuseWhere(isRefused: (phrase: string) => boolean) {
  const { clock, runtime } = pipeline;
  const { ios } = runtime.services.stores;
  let [unavailableUntilMs, strikes] = [0, 0];
  const search: typeof ios.search = async (query, options) => {
    const restMs = unavailableUntilMs - clock.now().getTime();
    if (restMs > 0) throw refused('ios', 'cooling', restMs);
    clock.advance(4_000);
    if (!isRefused(query.phrase)) {
      strikes = 0;
      return ios.search(query, options);
    }
    strikes += 1;
    unavailableUntilMs =
      clock.now().getTime() + (strikes === 1 ? 60_000 : strikes === 2 ? 300_000 : 1_800_000);
    throw withCost(refused('ios', '403-empty'), { requests: 1, bytes: 0, ms: 0 });
  };
  return { ...runtime.services, stores: { ...runtime.services.stores, ios: { ...ios, search } } };
}

/** Runs the day's checks until each has its outcome; the clock moves to the next that is due. */
async function simulateDay(on: string, isRefused: (phrase: string) => boolean): Promise<void> {
  const { clock, simulator } = pipeline;
  const services = refuseWhere(isRefused);
  clock.set(`${on}T02:00:00Z`);
  simulator.setNow(clock.now());
  await rows(
    'insert into store_probes (store, provider, date, state, probed_at) values ' +
      `('ios', 'web', $1, 'ok', $2)`,
    [on, clock.now()],
  );
  const run = await openRun(services);
  const options = storeOptions(60_000);
  while (clock.now() < new Date(`${on}T23:59:00Z`)) {
    const checks: Extract<StoreWork, { kind: 'rank-check' }>[] = [];
    const send = async (_: string, work: StoreWork[]) =>
      void checks.push(...work.filter((item) => item.kind === 'rank-check'));
    const dispatcher = { send, sendBackground: async () => undefined };
    await dispatchStore(services, dispatcher, 'ios', run, schedule.store);
    for (const check of checks) await checkMarket(services, check, options);
    if (checks.length > 0) continue;
    const [next] = await rows<{ at: Date | null }>(
      'select min(greatest(retry_at, queued_until)) as at from market_schedule where depth > ' +
        '0 and (completed_on is null or completed_on < $1)',
      [on],
    );
    if (next?.at == null) return;
    clock.set(next.at);
  }
}

const checkedOn = async (on: string) =>
  (
    await rows<{ id: number }>(
      'select distinct market_id as id from rankings where date = $1 order by 1',
      [on],
    )
  ).map(({ id }) => id);

test('searches that the store always refuses end with gaps and block no others', async () => {
  const all = await pipeline.track({ store: 'ios', storeAppId: '1500000001' }, makePhrases(10));
  const always = all.slice(0, 3);
  const others = all.slice(3).map(({ marketId }) => marketId);
  for (const on of ['2026-06-10', '2026-06-11']) {
    await simulateDay(on, (phrase) => always.some((market) => market.phrase === phrase));
    expect(await checkedOn(on)).toEqual(others);
    expect(
      await rows(
        'select market_id as id, reason, marker from market_gaps where on_date = $1 order by 1',
        [on],
      ),
    ).toEqual(
      always.map(({ marketId: id }) => ({ id, reason: 'store_error', marker: '403-empty' })),
    );
  }
});

test('after hours of refusals everything is checked that day, requests included', async () => {
  const on = '2026-06-12';
  await rows(
    'update market_schedule set urgent_at = $1 where market_id = (select max(market_id) from ' +
      'market_schedule)',
    [`${on}T02:00:00Z`],
  );
  await simulateDay(on, () => pipeline.clock.now() < new Date(`${on}T09:00:00Z`));
  expect(await rows('select 1 from market_gaps where on_date = $1', [on])).toEqual([]);
  expect(await checkedOn(on)).toHaveLength(10);
  expect(await rows('select 1 from market_schedule where urgent_at is not null')).toEqual([]);
});
