import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addDays } from '#lib/dates.ts';
import { withCost, type StoreName } from '#domain/base/ports.ts';
import { refreshListings } from '#domain/scheduling/runs/refresh-listings.ts';
import { unavailable } from '#stores/store-errors.ts';
import { keepOrder } from '../harness/keep-order.ts';
import { startPipeline, type Pipeline } from '../harness/pipeline.ts';
import { storeOptions } from '../harness/background-work.ts';

keepOrder('each test refreshes the listings that the test before it recorded');

const day = '2026-05-10';
const country = 'us';
let pipeline: Pipeline;
let apps: { store: StoreName; storeAppId: string }[];

const rows = async <T>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await pipeline.db.pool.query(text, values)).rows as T[];

beforeAll(async () => {
  pipeline = await startPipeline({
    day,
    simulator: { world: { apps: 300, resultsPerSearch: 40 } },
  });
  const { catalogues } = pipeline.simulator.world;
  // Apps without calendar events in these days: their texts change only by overrides.
  const quiet = (store: StoreName, count: number) =>
    catalogues[store].apps
      .filter((app) => isQuiet(store, app.storeAppId))
      .slice(0, count)
      .map(({ storeAppId }) => ({ store, storeAppId }));
  apps = [...quiet('ios', 3), ...quiet('android', 1)];
  for (const app of apps) await pipeline.track(app, [{ phrase: 'habit tracker', country }]);
});
afterAll(() => pipeline.close());

function readWorld(store: StoreName, storeAppId: string, on: string) {
  const app = pipeline.simulator.world.findApp(store, storeAppId, country, on);
  return app && pipeline.simulator.world.listing(app, { country, language: 'en', day: on });
}

function isQuiet(store: StoreName, storeAppId: string): boolean {
  const texts = [0, 1, 2, 3].map((count) => {
    const listing = readWorld(store, storeAppId, addDays(day, count));
    return (
      listing &&
      `${listing.title} ${listing.subtitle} ${listing.version} ${listing.priceCents} ` +
        `${listing.ratingCount === null}`
    );
  });
  return texts[0] !== null && texts.every((text) => text === texts[0]);
}

async function expectDay(on: string): Promise<void> {
  const kept = await rows<{
    store: StoreName;
    storeAppId: string;
    ratingCount: number;
    installs: bigint | null;
    completed: string;
    refreshed: string;
  }>(
    `select l.store, l.store_app_id as "storeAppId", d.rating_count as "ratingCount", d.installs,
       s.completed_on::text as completed, s.refreshed_on::text as refreshed
     from listing_days d join listings l on l.id = d.listing_id
       join listing_schedule s on s.listing_id = l.id and s.country = d.country
     where d.on_date = $1 and d.country = $2 and s.queued_until is null
       order by l.store desc, l.id`,
    [on, country],
  );
  expect(kept.map(({ storeAppId }) => storeAppId).toSorted()).toEqual(
    apps.map(({ storeAppId }) => storeAppId).toSorted(),
  );
  for (const { store, storeAppId, ratingCount, installs, completed, refreshed } of kept) {
    const truth = readWorld(store, storeAppId, on)!;
    expect({ storeAppId, ratingCount, completed, refreshed }).toEqual({
      storeAppId,
      ratingCount: truth.ratingCount,
      completed: on,
      refreshed: on,
    });
    if (store === 'android') expect(installs).toBe(truth.installs);
  }
}

const countSnapshots = async (): Promise<number[]> =>
  (
    await rows<{ count: number }>(
      'select (select count(*)::int from snapshots s where s.listing_id = l.id) as count ' +
        'from listings l join apps a on a.listing_id = l.id order by a.id',
    )
  ).map(({ count }) => count);

const listIos = async () =>
  (
    await rows<{ id: number }>(
      'select a.listing_id as id from apps a join listings l on l.id = a.listing_id where ' +
        "l.store = 'ios' order by 1",
    )
  ).map(({ id }) => id);

describe('the daily refresh of listings', () => {
  test('writes a snapshot at first, and only numbers while the texts are the same', async () => {
    await pipeline.runDay(day);
    expect(await countSnapshots()).toEqual([1, 1, 1, 1]);
    await expectDay(day);
    await pipeline.runDay(addDays(day, 1));
    expect(await countSnapshots()).toEqual([1, 1, 1, 1]);
    await expectDay(addDays(day, 1));
  });

  test('writes a snapshot of the one that changed among many, with its changes', async () => {
    const on = addDays(day, 2);
    const { store, storeAppId } = apps[1]!;
    pipeline.simulator.addOverrides({
      releases: [
        { store, storeAppId, day: on, fields: { title: 'Quite another name', version: '99.0' } },
      ],
    });
    await pipeline.runDay(on);
    expect(await countSnapshots()).toEqual([1, 2, 1, 1]);
    await expectDay(on);
    const changes = await rows(
      'select l.store_app_id as id, c.field, c.after from changes c join listings l on l.id ' +
        '= c.listing_id',
    );
    expect(changes).toEqual([
      { id: storeAppId, field: 'name', after: 'Quite another name' },
      { id: storeAppId, field: 'version', after: '99.0' },
    ]);
    expect(
      await rows(
        'select n.name from listing_names n join listings l on l.id = n.listing_id where ' +
          "l.store_app_id = $1 and l.store = $2 and n.country = 'us'",
        [storeAppId, store],
      ),
    ).toEqual([{ name: 'Quite another name' }]);
  });

  test('takes nothing back for a response from before the change', async () => {
    const on = addDays(day, 2);
    const { store } = apps[1]!;
    const listingIds = await listIos();
    const numbers = () =>
      rows('select listing_id, rating, rating_count from listing_days order by 1');
    const before = await numbers();
    for (const faults of [[{ fault: 'stale', store } as const], []]) {
      pipeline.simulator.setFaults(faults);
      await rows('update listing_schedule set completed_on = null where listing_id = any($1)', [
        listingIds,
      ]);
      await refreshListings(
        pipeline.runtime.services,
        { store, country, day: on, listingIds },
        storeOptions(20_000),
      );
      expect(await countSnapshots()).toEqual([1, 2, 1, 1]);
      expect(await rows('select field from changes')).toHaveLength(2);
    }
    expect(await numbers()).toEqual(before);
  });

  test('repeated, and by four at once, changes only the time of the refresh', async () => {
    const on = addDays(day, 2);
    const { services } = pipeline.runtime;
    const listingIds = await listIos();
    const read = () =>
      refreshListings(
        services,
        { store: 'ios', country, day: on, listingIds },
        storeOptions(20_000),
      );
    const state = () =>
      rows(
        'select listing_id, on_date, rating, rating_count, installs, price_micros from ' +
          'listing_days order by 1, 2',
      );
    const before = await state();
    pipeline.clock.advance(60_000);
    await rows('update listing_schedule set completed_on = null where listing_id = any($1)', [
      listingIds,
    ]);
    await Promise.all([read(), read(), read(), read()]);
    expect(await state()).toEqual(before);
    expect(await countSnapshots()).toEqual([1, 2, 1, 1]);
    const times = await rows<{ at: Date }>(
      'select distinct read_at as at from listing_days where on_date = $1 and listing_id = any($2)',
      [on, listingIds],
    );
    expect(times).toEqual([{ at: pipeline.clock.now() }]);
  });

  test('enqueued again requests the remaining listings, or nothing if none remain', async () => {
    const on = addDays(day, 3);
    pipeline.clock.set(`${on}T02:00:00Z`);
    pipeline.simulator.setNow(pipeline.clock.now());
    const [first, second, third] = await listIos();
    const ask = async (listingIds: number[]) => {
      pipeline.simulator.clearLog();
      const options = storeOptions(20_000);
      await refreshListings(
        pipeline.runtime.services,
        { store: 'ios', country, day: on, listingIds },
        options,
      );
      return pipeline.simulator
        .log()
        .map((entry) => /[?&]id=([\d,]+)/.exec(decodeURIComponent(entry.path))?.[1]?.split(','));
    };
    const idOf = (index: number) => apps[index]!.storeAppId;
    expect(await ask([first!, second!])).toEqual([[idOf(0), idOf(1)]]);
    expect(await ask([second!, third!])).toEqual([[idOf(2)]]);
    expect(await ask([first!, second!, third!])).toEqual([]);
    await rows('update listing_schedule set urgent_at = $2 where listing_id = $1', [
      second,
      pipeline.clock.now(),
    ]);
    expect(await ask([first!, second!, third!])).toEqual([[idOf(1)]]);
  });

  test('without a response waits longer each time, and gives up after the sixth', async () => {
    const on = addDays(day, 4);
    const { clock, runtime } = pipeline;
    const { stores } = runtime.services;
    const fail = () =>
      Promise.reject(withCost(unavailable('ios', '503'), { requests: 1, bytes: 0, ms: 0 }));
    const failing = {
      ...runtime.services,
      stores: { ...stores, ios: { ...stores.ios, listings: fail } },
    };
    clock.set(`${on}T02:00:00Z`);
    const [first, ...others] = await listIos();
    const waits: (number | null)[] = [];
    for (const listingIds of [[first!], ...Array.from({ length: 5 }, () => [first!, ...others])]) {
      await refreshListings(
        failing,
        { store: 'ios', country, day: on, listingIds },
        storeOptions(20_000),
      );
      const [row] = await rows<{ at: Date | null }>(
        'select retry_at as at from listing_schedule where listing_id = $1',
        [first],
      );
      waits.push(row!.at && (row!.at.getTime() - clock.now().getTime()) / 60_000);
    }
    expect(waits).toEqual([1, 5, 15, 30, 60, null]);
    expect(
      await rows(
        'select attempts, completed_on::text as completed from listing_schedule where ' +
          'listing_id = any($1) order by listing_id',
        [[first, ...others]],
      ),
    ).toEqual([
      { attempts: 0, completed: on },
      ...others.map(() => ({ attempts: 5, completed: addDays(day, 3) })),
    ]);
  });

  test('drops a response that comes hours after midnight, as after a sleep', async () => {
    const on = addDays(day, 5);
    const { clock, runtime } = pipeline;
    const { stores } = runtime.services;
    clock.set(`${on}T23:59:59Z`);
    pipeline.simulator.setNow(clock.now());
    const listings = async (...asked: Parameters<typeof stores.ios.listings>) => {
      const response = await stores.ios.listings(...asked);
      clock.advance(8 * 3_600_000);
      return response;
    };
    const services = {
      ...runtime.services,
      stores: { ...stores, ios: { ...stores.ios, listings } },
    };
    const listingIds = await listIos();
    const input = { store: 'ios', country, day: on, listingIds } as const;
    await refreshListings(services, input, storeOptions(20_000));
    expect(await rows('select 1 from listing_days where on_date >= $1', [on])).toEqual([]);
    expect(
      await rows(
        'select attempts, last_marker as marker from listing_schedule where listing_id = any($1)',
        [listingIds],
      ),
    ).toEqual(listingIds.map(() => ({ attempts: 0, marker: 'late' })));
  });

  test('that ends soon after midnight does not take back the next day’s', async () => {
    const [on, next] = [addDays(day, 6), addDays(day, 7)];
    const listingIds = await listIos();
    for (const [at, of] of [
      [`${next}T00:10:00Z`, next],
      [`${next}T00:20:00Z`, on],
    ] as const) {
      pipeline.clock.set(at);
      pipeline.simulator.setNow(pipeline.clock.now());
      await rows('update listing_schedule set urgent_at = $2 where listing_id = any($1)', [
        listingIds,
        pipeline.clock.now(),
      ]);
      await refreshListings(
        pipeline.runtime.services,
        { store: 'ios', country, day: of, listingIds },
        storeOptions(20_000),
      );
    }
    expect(
      await rows(
        'select refreshed_on::text as day, (select count(*)::int from listing_days d ' +
          'where d.listing_id = s.listing_id and on_date >= $2) as days ' +
          'from listing_schedule s where listing_id = any($1)',
        [listingIds, on],
      ),
    ).toEqual(listingIds.map(() => ({ day: next, days: 2 })));
  });
});
