import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findMarketToCheck } from '#db/queries/rankings/checks.ts';
import { addDays } from '#lib/dates.ts';
import { tick } from '#domain/scheduling/runs/tick.ts';
import { openRun } from '#domain/scheduling/runs/open-run.ts';
import { checkMarket } from '#domain/tracking/rankings/check-market.ts';
import { fallBack } from '#domain/tracking/rankings/fall-back.ts';
import { keepOrder } from '../harness/keep-order.ts';
import { startPipeline, type Pipeline, type TrackedMarket } from '../harness/pipeline.ts';
import { makePhrases } from '../harness/ground-truth.ts';
import { schedule, storeOptions } from '../harness/background-work.ts';

keepOrder('the tests are the days of one run after another');

const day = '2026-05-10';
let pipeline: Pipeline;
let tracked: TrackedMarket[];

const rows = async <T>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await pipeline.db.pool.query(text, values)).rows as T[];
const searches = () => pipeline.simulator.log().filter((entry) => entry.kind === 'search').length;

beforeAll(async () => {
  pipeline = await startPipeline({
    day,
    // Its response says when the store has no more results.
    environment: { SCRAPE_IOS_PROVIDERS: 'itunes' },
    simulator: {
      world: { apps: 300, resultsPerSearch: 60, pageDistance: 0, androidMode: 'web30' },
    },
  });
  tracked = await pipeline.track({ store: 'ios', storeAppId: '1500000001' }, makePhrases(12));
});
afterAll(() => pipeline.close());

describe('the daily run', () => {
  test('searches a market once a day for three apps of two workspaces', async () => {
    await pipeline.track({ store: 'ios', storeAppId: '1500000001' }, makePhrases(12));
    pipeline.simulator.clearLog();
    await pipeline.runDay(day);
    const byUrl = new Map<string, number>();
    for (const entry of pipeline.simulator.log())
      if (entry.kind === 'search') byUrl.set(entry.path, (byUrl.get(entry.path) ?? 0) + 1);
    // 12 markets and the probe; a first short result is confirmed once.
    expect(byUrl.size).toBe(13);
    const before = searches();
    await pipeline.tick();
    await pipeline.tick();
    expect(searches()).toBe(before);
  });

  test('gives the other workspace’s keyword its daily rank from the same search', async () => {
    const cells = await rows<{ market_id: number; n: number; positions: number }>(
      'select market_id, count(*)::int as n, count(distinct coalesce(latest_position, ' +
        '0))::int as positions from keywords group by market_id',
    );
    expect(cells.every((cell) => cell.n === 2 && cell.positions === 1)).toBe(true);
  });

  test('is opened once by ten schedulers at the same instant', async () => {
    const next = addDays(day, 1);
    pipeline.clock.set(`${next}T02:00:00Z`);
    pipeline.simulator.setNow(pipeline.clock.now());
    await Promise.all(Array.from({ length: 10 }, () => openRun(pipeline.runtime.services)));
    expect(await rows('select date from runs where date = $1', [next])).toHaveLength(1);
    await pipeline.runDay(next);
  });

  test('stores a check that began before midnight on its own day', async () => {
    const late = addDays(day, 2);
    pipeline.clock.set(`${late}T23:59:59Z`);
    pipeline.simulator.setNow(pipeline.clock.now());
    const market = tracked[0]!;
    const { stores } = pipeline.runtime.services;
    const services = {
      ...pipeline.runtime.services,
      stores: {
        ...stores,
        ios: {
          ...stores.ios,
          search: async (...asked: Parameters<typeof stores.ios.search>) => {
            const response = await stores.ios.search(...asked);
            pipeline.clock.advance(4_000);
            return response;
          },
        },
      },
    };
    const options = storeOptions();
    await rows('insert into counted_days values ($1)', [late]);
    expect(await checkMarket(services, { marketId: market.marketId, day: late }, options)).toBe(
      'checked',
    );
    // It is counted again if it was counted before.
    expect(await rows('select 1 from days_to_count where date = $1', [late])).not.toEqual([]);
    const [cell] = await rows<{ date: string; at: string }>(
      "select date::text as date, to_char(checked_at at time zone 'UTC', 'YYYY-MM-DD " +
        "HH24:MI:SS') as at from rankings where market_id = $1 order by date desc limit 1",
      [market.marketId],
    );
    expect(cell).toEqual({ date: late, at: `${addDays(late, 1)} 00:00:03` });
  });

  test.each(['its provider', 'a fallback'])(
    'drops a response of %s that comes hours after midnight, as after a sleep',
    async (from) => {
      const late = addDays(day, 3);
      const isFallback = from === 'a fallback';
      const { runtime, clock } = pipeline;
      clock.set(`${late}T23:59:59Z`);
      pipeline.simulator.setNow(clock.now());
      const { stores, settings } = runtime.services;
      const search = async (...asked: Parameters<typeof stores.ios.search>) => {
        const response = await stores.ios.search(...asked);
        clock.advance(8 * 3_600_000);
        return response;
      };
      const services = {
        ...runtime.services,
        stores: { ...stores, ios: { ...stores.ios, search } },
      };
      const { marketId } = tracked[0]!;
      const stored = () =>
        rows(
          `select 1 from rankings where market_id = $1 and date >= $2
           union all select 2 from market_gaps where market_id = $1 and on_date >= $2`,
          [marketId, late],
        );
      const outcome = isFallback
        ? await fallBack(
            services,
            (await findMarketToCheck(services.systemDb, marketId, late))!,
            {
              day: late,
              marker: 'probe',
              reason: 'store_error',
              providers: [{ provider: settings.searchProviders.ios[0]!, failures: 0 }],
            },
            storeOptions(),
          ).catch((error: { marker: string }) => error.marker)
        : await checkMarket(services, { marketId, day: late }, storeOptions());
      expect(outcome).toBe(isFallback ? 'late' : 'rescheduled');
      expect(await stored()).toEqual([]);
      const [left] = await rows<{ attempts: number; marker: string }>(
        'select attempts, last_marker as marker from market_schedule where market_id = $1',
        [marketId],
      );
      if (!isFallback) expect(left).toEqual({ attempts: 0, marker: 'late' });
    },
  );

  test('gives unfinished work a reason and does it once on the next day', async () => {
    const broken = addDays(day, 4);
    pipeline.clock.set(`${broken}T02:00:00Z`);
    pipeline.simulator.setNow(pipeline.clock.now());
    pipeline.simulator.setFaults([{ fault: '503', probability: 1, phrase: tracked[1]!.phrase }]);
    await pipeline.runUntilIdle();
    pipeline.simulator.setFaults([]);
    const next = addDays(broken, 1);
    pipeline.simulator.clearLog();
    await pipeline.runDay(next);
    const gaps = await rows<{ market_id: number; reason: string }>(
      'select market_id, reason from market_gaps where on_date = $1',
      [broken],
    );
    expect(gaps).toContainEqual({ market_id: tracked[1]!.marketId, reason: 'store_error' });
    const asked = pipeline.simulator
      .log()
      .filter(
        (entry) =>
          entry.kind === 'search' &&
          entry.path.includes(encodeURIComponent(tracked[1]!.phrase).replace(/%20/g, '+')),
      );
    expect(asked.length).toBe(1);
    expect(
      await rows('select 1 from rankings where date = $1 and market_id = $2', [
        next,
        tracked[1]!.marketId,
      ]),
    ).toHaveLength(1);
  });

  test('after downtime checks only today, and missed days have no rows', async () => {
    const later = addDays(day, 12);
    await pipeline.runDay(later);
    const dates = (
      await rows<{ date: string }>('select distinct date::text as date from rankings order by date')
    ).map((row) => row.date);
    expect(dates).toContain(later);
    expect(dates).not.toContain(addDays(later, -1));
  });

  test('stores no results of a store that fails its probe, and is degraded', async () => {
    const degraded = addDays(day, 13);
    pipeline.clock.set(`${degraded}T02:00:00Z`);
    pipeline.simulator.setNow(pipeline.clock.now());
    pipeline.simulator.setFaults([{ fault: 'no-results', probability: 1, store: 'ios' }]);
    const readDegraded = () =>
      rows("select 1 from runs where date = $1 and state = 'degraded'", [degraded]);
    for (let ticks = 0; ticks < 200; ticks++) {
      // A busy machine needs longer than four ticks for the probe.
      if (ticks >= 4 && (await readDegraded()).length > 0) break;
      const dispatcher = { send: async () => undefined, sendBackground: async () => undefined };
      await tick(pipeline.runtime.services, dispatcher, schedule).catch(() => undefined);
      await pipeline.tick();
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    expect(await rows('select 1 from rankings where date = $1', [degraded])).toHaveLength(0);
    expect(await readDegraded()).toHaveLength(1);
    pipeline.simulator.setFaults([]);
    await pipeline.runDay(degraded);
    expect(
      (await rows('select distinct market_id from rankings where date = $1', [degraded])).length,
    ).toBe(12);
  });
});

test('stores a daily rank for an app that was added during the search', async () => {
  const late = addDays(day, 20);
  pipeline.clock.set(`${late}T03:00:00Z`);
  pipeline.simulator.setNow(pipeline.clock.now());
  const market = tracked[0]!;
  const { stores } = pipeline.runtime.services;
  const search: typeof stores.ios.search = async (...asked) => {
    const response = await stores.ios.search(...asked);
    await pipeline.track({ store: 'ios', storeAppId: response.items[4]!.storeAppId }, [
      { phrase: market.phrase, country: market.country },
    ]);
    return response;
  };
  const services = {
    ...pipeline.runtime.services,
    stores: { ...stores, ios: { ...stores.ios, search } },
  };
  expect(
    await checkMarket(services, { marketId: market.marketId, day: late }, storeOptions()),
  ).toBe('checked');
  expect(
    await rows('select 1 from rankings where market_id = $1 and date = $2 and position = 5', [
      market.marketId,
      late,
    ]),
  ).toHaveLength(1);
  expect(
    await rows(
      'select 1 from keywords where market_id = $1 and latest_on = $2 and latest_position = 5',
      [market.marketId, late],
    ),
  ).toHaveLength(1);
});

describe('a new keyword in a market that was searched today', () => {
  const later = addDays(day, 30);
  const phrase = { phrase: 'catch up', country: 'us' };

  const tickUntilChecked = async () => {
    for (let ticks = 0; ticks < 100; ticks++) {
      await pipeline.tick();
      if ((await rows('select 1 from market_schedule where urgent_at is not null')).length === 0)
        return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  const follow = async (storeAppId: string, depth: number) => {
    const [market] = await pipeline.track({ store: 'ios', storeAppId }, [{ ...phrase, depth }]);
    await pipeline.db.pool.query('update market_schedule set urgent_at = $2 where market_id = $1', [
      market!.marketId,
      pipeline.clock.now(),
    ]);
    pipeline.simulator.clearLog();
    await tickUntilChecked();
    const [newest] = await rows<{ latest_position: number | null; latest_depth: number }>(
      'select latest_position, latest_depth from keywords where id = $1 and latest_on = $2',
      [market!.keywordId, later],
    );
    return { newest, searches: searches() };
  };
  let order: string[];

  beforeAll(async () => {
    pipeline.clock.set(`${later}T00:10:00Z`);
    pipeline.simulator.setNow(pipeline.clock.now());
    pipeline.simulator.setSearchModes([{ store: 'ios', phrase: 'catch up', results: 120 }]);
    order = pipeline.simulator.order({ store: 'ios', ...phrase, day: later });
    await follow(order[0]!, 60);
  });

  test('gets its position from stored positions, without a search', async () => {
    expect(await follow(order[6]!, 200)).toEqual({
      newest: { latest_position: 7, latest_depth: 60 },
      searches: 0,
    });
  });

  test('gets a search of its own if the stored positions are not enough', async () => {
    expect(await follow(order[54]!, 200)).toEqual({
      newest: { latest_position: 55, latest_depth: 200 },
      searches: 1,
    });
  });

  test('does not take over another’s shallow "not found"', async () => {
    const outcome = await follow('999999999', 200);
    expect(outcome.newest).toEqual({ latest_position: null, latest_depth: 200 });
    expect(outcome.searches).toBe(1);
  });

  test('leaves no work pending', async () => {
    expect(await rows('select market_id from market_schedule where urgent_at is not null')).toEqual(
      [],
    );
  });
});
