import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { completeWithGap } from '#db/queries/rankings/checks.ts';
import { upsertProbe } from '#db/queries/runs/store-probes.ts';
import { inSystem } from '#domain/base/context.ts';
import { checkMarket } from '#domain/tracking/rankings/check-market.ts';
import { dispatchStore } from '#domain/scheduling/runs/dispatch-store-work.ts';
import type { Dispatcher, StoreWork } from '#domain/scheduling/runs/store-work.ts';
import { openRun } from '#domain/scheduling/runs/open-run.ts';
import { tick } from '#domain/scheduling/runs/tick.ts';
import { probeStore } from '#domain/scheduling/runs/probe-store.ts';
import { withCost } from '#domain/base/ports.ts';
import { refused, unavailable } from '#stores/store-errors.ts';
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

type Search = Pipeline['runtime']['services']['stores']['ios']['search'];
type Failing = (phrase: string) => boolean;
/** The phrases that the search page was asked for. */
const sent: string[] = [];

/**
 * A host with one endpoint and a request every four seconds: after a refusal it cools as the pacer
 * defines, longer with each in a row, or as long as it states.
 */
function refuseWhere(isRefused: Failing, statedMs: number | null = null): Search {
  const { clock, runtime } = pipeline;
  const { ios } = runtime.services.stores;
  let [unavailableUntilMs, strikes] = [0, 0];
  return async (query, options) => {
    const restMs = unavailableUntilMs - clock.now().getTime();
    if (restMs > 0) throw refused('ios', 'cooling', restMs);
    clock.advance(4_000);
    sent.push(query.phrase);
    if (!isRefused(query.phrase)) {
      strikes = 0;
      return ios.search(query, options);
    }
    strikes += 1;
    const pauseMs = strikes === 1 ? 60_000 : strikes === 2 ? 300_000 : 1_800_000;
    unavailableUntilMs = clock.now().getTime() + (statedMs ?? pauseMs);
    throw withCost(refused('ios', '403-empty', statedMs), { requests: 1, bytes: 0, ms: 0 });
  };
}

/** A host that fails without a pause, after three requests. */
function failWhere(isFailing: Failing): Search {
  const { clock, runtime } = pipeline;
  const { ios } = runtime.services.stores;
  return async (query, options) => {
    const hasFailed = isFailing(query.phrase);
    clock.advance(hasFailed ? 12_000 : 4_000);
    sent.push(query.phrase);
    if (!hasFailed) return ios.search(query, options);
    throw withCost(unavailable('ios', '503'), { requests: 3, bytes: 0, ms: 0 });
  };
}

/**
 * Runs the day's checks and probes until each check has its outcome, with `search` as the search
 * page's; the clock moves to what is due next. The day's first probes have passed. Returns the
 * phrases that the search page was asked for.
 */
async function simulateDay(on: string, search: Search, end = '23:59'): Promise<string[]> {
  const { clock, simulator, runtime } = pipeline;
  const { ios } = runtime.services.stores;
  sent.length = 0;
  const bySearchPage: Search = (query, options) =>
    query.provider === 'web' ? search(query, options) : ios.search(query, options);
  const stores = { ...runtime.services.stores, ios: { ...ios, search: bySearchPage } };
  const services = { ...runtime.services, stores };
  clock.set(`${on}T02:00:00Z`);
  simulator.setNow(clock.now());
  for (const provider of services.settings.searchProviders.ios)
    await rows(
      'insert into store_probes (store, provider, date, state, probed_at) values ' +
        `('ios', $2, $1, 'ok', $3)`,
      [on, provider, clock.now()],
    );
  const run = await openRun(services);
  const options = storeOptions(150_000);
  while (clock.now() < new Date(`${on}T${end}:00Z`)) {
    const due: StoreWork[] = [];
    const send = async (_: string, work: StoreWork[]) => void due.push(...work);
    const dispatcher = { send, sendBackground: async () => undefined };
    await dispatchStore(services, dispatcher, 'ios', run, schedule.store);
    let isWaiting = true;
    for (const work of due) {
      if (work.kind === 'rank-check') await checkMarket(services, work, options);
      else if (work.kind !== 'store-probe') continue;
      else if ((await probeStore(services, work, options)) === 'unasked') continue;
      isWaiting = false;
    }
    if (!isWaiting) continue;
    const [next] = await rows<{ at: Date | null }>(
      `select min(at) as at from (
         select greatest(retry_at, queued_until) as at from market_schedule
         where depth > 0 and store = 'ios' and (completed_on is null or completed_on < $1)
         union all select probed_at + interval '5 minutes' from store_probes
         where date = $1 and (state = 'degraded' or failures >= 2)) due`,
      [on],
    );
    if (next?.at == null) break;
    clock.set(new Date(Math.max(next.at.getTime(), clock.now().getTime() + 30_000)));
  }
  return [...sent];
}

const until = (instant: string) => () => pipeline.clock.now() < new Date(instant);

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
    const isAlways = (phrase: string) => always.some((market) => market.phrase === phrase);
    await simulateDay(on, refuseWhere(isAlways));
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
  await simulateDay(on, refuseWhere(until(`${on}T09:00:00Z`)));
  expect(await rows('select 1 from market_gaps where on_date = $1', [on])).toEqual([]);
  expect(await checkedOn(on)).toHaveLength(10);
  expect(await rows('select 1 from market_schedule where urgent_at is not null')).toEqual([]);
});

describe('a search page that begins to fail after its probe', () => {
  const useProviders = (...ios: string[]) => {
    const { settings } = pipeline.runtime.services;
    settings.searchProviders = { ...settings.searchProviders, ios };
  };
  const fallbacks = async (on: string) => {
    const [found] = await rows<{ count: number; first: string }>(
      `select count(*)::int as count,
         to_char(min(checked_at) at time zone 'UTC', 'HH24:MI') as first
       from fallback_checks where on_date = $1`,
      [on],
    );
    return found!;
  };
  const markers = (on: string) =>
    rows('select distinct marker from market_gaps where on_date = $1', [on]);
  beforeAll(() => {
    useProviders('web', 'itunes');
  });
  /** True after so many searches. */
  const after = (count: number) => {
    let searches = 0;
    return () => (searches += 1) > count;
  };

  test.each([
    { on: '2026-06-13', kind: '429', search: () => refuseWhere(after(3)), probes: 11 },
    {
      on: '2026-06-14',
      kind: '429 with a pause of an hour',
      search: () => refuseWhere(after(3), 3_600_000),
      probes: 4,
    },
    { on: '2026-06-15', kind: '503', search: () => failWhere(after(3)), probes: 60 },
  ])('$kind: others are asked soon, and it only for probes', async ({ on, search, probes }) => {
    const asked = await simulateDay(on, search(), '07:00');
    expect(await checkedOn(on)).toHaveLength(3);
    const { count, first } = await fallbacks(on);
    expect(count).toBe(7);
    expect(first < '02:20').toBe(true);
    expect(await markers(on)).toEqual([{ marker: 'probe' }]);
    const ofProbes = asked.filter((phrase) => phrase === 'weather').length;
    expect(ofProbes).toBeGreaterThanOrEqual(probes - 3);
    expect(ofProbes).toBeLessThanOrEqual(probes);
    // A probe is due five minutes after the last one: until then each market is tried twice.
    expect(asked.length - 3 - ofProbes).toBeLessThanOrEqual(2 * 7);
  });

  test('is used again on the same day once a probe passes', async () => {
    const on = '2026-06-16';
    await simulateDay(on, refuseWhere(until(`${on}T09:00:00Z`)));
    expect(await checkedOn(on)).toHaveLength(10);
    expect(await markers(on)).toEqual([]);
    expect(await fallbacks(on)).toMatchObject({ count: 0 });
  });

  test('is not asked for markets that no other serves, until a probe passes', async () => {
    useProviders('web', 'mzstore');
    const phrases = makePhrases(3).map((market) => ({ ...market, device: 'ipad' }));
    await pipeline.track({ store: 'ios', storeAppId: '1500000001' }, phrases);
    const [failing, healed] = ['2026-06-17', '2026-06-18'];
    const asked = await simulateDay(failing, failWhere(until(`${failing}T23:00:00Z`)), '04:00');
    expect(
      await rows(
        `select m.device, g.marker, f.provider, count(*)::int from market_gaps g
         join markets m on m.id = g.market_id left join fallback_checks f using (market_id, on_date)
         where g.on_date = $1 group by 1, 2, 3 order by 1`,
        [failing],
      ),
    ).toEqual([
      { device: 'ipad', marker: 'probe', provider: null, count: 3 },
      { device: 'iphone', marker: 'probe', provider: 'mzstore', count: 10 },
    ]);
    expect(asked.filter((phrase) => phrase !== 'weather').length).toBeLessThanOrEqual(2 * 13);
    await simulateDay(healed, failWhere(until(`${healed}T05:00:00Z`)));
    expect(await checkedOn(healed)).toHaveLength(13);
    expect(await markers(healed)).toEqual([]);
  });

  test('is used again for a market whose fallback failed six times', async () => {
    const { services } = pipeline.runtime;
    useProviders('web', 'itunes');
    const on = '2026-06-19';
    pipeline.clock.set(`${on}T03:00:00Z`);
    await rows(
      `insert into store_probes (store, provider, date, state, probed_at, failures) values
       ('ios', 'web', $1, 'degraded', $2, 3), ('ios', 'itunes', $1, 'ok', $2, 0)`,
      [on, pipeline.clock.now()],
    );
    const [market] = await rows<{ id: number }>(
      `update market_schedule set attempts = 5, attempts_on = $1, retry_at = null
       where market_id = (select min(id) from markets where device = 'iphone')
       returning market_id as id`,
      [on],
    );
    const search: Search = () =>
      Promise.reject(withCost(refused('ios', '403'), { requests: 1, bytes: 0, ms: 0 }));
    const stores = { ...services.stores, ios: { ...services.stores.ios, search } };
    const check = { marketId: market!.id, day: on };
    expect(await checkMarket({ ...services, stores }, check, storeOptions())).toBe('gap');
    expect(await markers(on)).toEqual([{ marker: 'probe' }]);
    const probe = { store: 'ios', provider: 'web', day: on } as const;
    expect(await probeStore(services, probe, storeOptions())).toBe('ok');
    const due = 'select 1 from market_schedule where market_id = $1 and due_from <= $2';
    expect(await rows(due, [market!.id, on])).toHaveLength(1);
    expect(await checkMarket(services, check, storeOptions())).toBe('checked');
    expect(await markers(on)).toEqual([]);
  });

  test('leaves no gap behind when the probe passes just then', async () => {
    const { services } = pipeline.runtime;
    const on = '2026-06-17';
    const [market] = await rows<{ id: number }>('select max(market_id) as id from market_gaps');
    await rows('delete from market_gaps where market_id = $1', [market!.id]);
    const gap = { marketId: market!.id, day: on, marker: 'probe' };
    const probe = { store: 'ios', provider: 'web', date: on, marker: null } as const;
    const probedAt = pipeline.clock.now();
    const completed = await inSystem(services, async (tx) => {
      await upsertProbe(tx, { ...probe, probedAt, state: 'ok' });
      const completing = completeWithGap(services.systemDb, gap);
      await expect
        .poll(() =>
          rows(`select 1 from pg_stat_activity where wait_event_type = 'Lock'
        and query like '%complete-with-gap%'`),
        )
        .toHaveLength(1);
      return { completing };
    });
    expect(await completed.completing).toBe(false);
    expect(await rows('select 1 from market_gaps where market_id = $1', [market!.id])).toEqual([]);
  });
});
