import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FaultRule } from '#simulator/server.ts';
import { probeStore } from '#domain/scheduling/runs/probe-store.ts';
import { checkMarket } from '#domain/tracking/rankings/check-market.ts';
import { retractImplausibleChecks } from '#domain/tracking/rankings/retract-checks.ts';
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
      expect(await check(store)).toBe('rescheduled');
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

/** Another market of each store, searched on the days before, shows that the store is whole. */
async function trackOthers(): Promise<void> {
  const phrases = [
    'mood journal',
    'daily planner',
    'focus timer',
    'sleep sounds',
    'water',
    'budget',
  ];
  const others = [
    ...(await pipeline.track({ store: 'ios', storeAppId: '1500000001' }, toUs(phrases))),
    ...(await pipeline.track({ store: 'android', storeAppId: 'app.lumen.habits' }, toUs(phrases))),
  ];
  for (const { marketId } of others) await checkAt(marketId, '03:00');
}
const toUs = (phrases: string[]) => phrases.map((phrase) => ({ phrase, country: 'us' }));

/** As a worker runs it, at this time of the day. */
async function checkAt(
  marketId: number,
  time: string,
  services = pipeline.runtime.services,
): Promise<string> {
  pipeline.clock.set(`${day}T${time}:00Z`);
  pipeline.simulator.setNow(pipeline.clock.now());
  return checkMarket(services, { marketId, day }, storeOptions(60_000));
}

const rows = async (text: string, values: unknown[] = []) =>
  (await pipeline.db.pool.query(text, values)).rows as Record<string, unknown>[];
const ranksOf = (marketId: number) =>
  rows('select position, depth from rankings where market_id = $1 and date = $2', [marketId, day]);

test('an unusual result is believed after hours in which other markets are whole', async () => {
  day = addDays(day, 1);
  await trackOthers();
  for (const store of ['ios', 'android'] as const) {
    const { marketId, phrase } = markets[store];
    day = addDays(day, 1);
    const withheld: FaultRule = { fault: 'no-results', store, phrase, kind: 'search' };
    pipeline.simulator.setFaults([{ ...withheld, fault: '503' }]);
    expect(await checkAt(marketId, '03:00')).toBe('rescheduled');
    pipeline.simulator.setFaults([withheld]);
    expect(await checkAt(marketId, '03:01')).toBe('rescheduled');
    expect(await checkAt(marketId, '03:02')).toBe('rescheduled');
    // A failure of another kind confirms nothing, and does not begin anew.
    pipeline.simulator.setFaults([{ ...withheld, fault: '503' }]);
    expect(await checkAt(marketId, '04:02')).toBe('rescheduled');
    expect(await ranksOf(marketId)).toEqual([]);
    pipeline.simulator.setFaults([withheld]);
    expect(await checkAt(marketId, '05:01')).toBe('checked');
    expect(await ranksOf(marketId)).toEqual([expect.objectContaining({ position: null })]);
    pipeline.simulator.setFaults([]);
  }
});

test('an unusual result is not believed while other markets are short too', async () => {
  day = addDays(day, 1);
  const { marketId, phrase } = markets.ios;
  // Back to the usual number.
  expect(await checkAt(marketId, '03:00')).toBe('checked');
  day = addDays(day, 1);
  pipeline.simulator.setFaults([{ fault: 'halved', store: 'ios', phrase, kind: 'search' }]);
  expect(await checkAt(marketId, '03:00')).toBe('rescheduled');
  pipeline.simulator.setFaults([{ fault: 'halved', store: 'ios', kind: 'search' }]);
  expect(await checkAt(marketId, '05:00')).toBe('rescheduled');
  expect(await ranksOf(marketId)).toEqual([]);
  pipeline.simulator.setFaults([]);
});

describe('a provider that begins to withhold results', () => {
  const services = () => pipeline.runtime.services;
  let fresh: TrackedMarket;

  test('leaves false first results, which are taken back as soon as it is noticed', async () => {
    day = addDays(day, 1);
    const known = (await rows(
      `select market_id as id from market_schedule where store = 'android' and usual_results >= 20
       order by market_id`,
    )) as { id: number }[];
    for (const { id } of known) expect(await checkAt(id, '03:00')).toBe('checked');
    // Whole responses of the last minutes speak for the store.
    pipeline.simulator.setFaults([{ fault: 'halved', store: 'android', kind: 'search' }]);
    [fresh] = (await pipeline.track(
      { store: 'android', storeAppId: 'app.lumen.habits' },
      toUs(['habit streaks']),
    )) as [TrackedMarket];
    expect(await checkAt(fresh.marketId, '03:01')).toBe('rescheduled');
    expect(await checkAt(fresh.marketId, '03:02')).toBe('checked');
    expect(await ranksOf(fresh.marketId)).toHaveLength(1);
    await rows('update market_schedule set checked_on = checked_on - 1 where market_id = any($1)', [
      known.map(({ id }) => id),
    ]);
    for (const { id } of known) await checkAt(id, '03:10');
    expect(
      await rows('select provider, short, recovered_at from response_anomalies order by id'),
    ).toMatchObject([{ provider: 'web', recovered_at: null }]);
    await retractImplausibleChecks(services(), AbortSignal.timeout(60_000));
    expect(await ranksOf(fresh.marketId)).toEqual([]);
    for (const table of ['serps', 'pending_evaluations', 'market_scores'])
      expect(await rows(`select 1 from ${table} where market_id = $1`, [fresh.marketId])).toEqual(
        [],
      );
    expect(await rows('select latest_on from keywords where id = $1', [fresh.keywordId])).toEqual([
      { latest_on: null },
    ]);
    expect(
      await rows('select marker from market_gaps where market_id = $1', [fresh.marketId]),
    ).toEqual([{ marker: 'withheld' }]);
  });

  test('is left out until random known markets are whole, not the usual probe alone', async () => {
    const probe = () =>
      probeStore(services(), { store: 'android', provider: 'web', day }, storeOptions(60_000));
    pipeline.simulator.setFaults([
      { fault: 'halved', store: 'android', kind: 'search', except: ['weather'] },
    ]);
    expect(await probe()).toBe('degraded');
    pipeline.simulator.setFaults([]);
    expect(await probe()).toBe('ok');
    expect(await checkAt(fresh.marketId, '04:00')).toBe('checked');
    expect(await rows('select 1 from market_gaps where market_id = $1', [fresh.marketId])).toEqual(
      [],
    );
  });
});
