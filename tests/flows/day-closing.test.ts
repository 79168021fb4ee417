import { afterAll, beforeAll, expect, test } from 'vitest';
import { mapStores, StoreError } from '#domain/base/ports.ts';
import {
  completeWithGap,
  findMarketToCheck,
  rescheduleCheck,
} from '#db/queries/rankings/checks.ts';
import { rescheduleStoreTask, takeDueStoreTasks } from '#db/queries/store-tasks/store-tasks.ts';
import { rescheduleListings, takeListings } from '#db/queries/listings/listing-schedule.ts';
import { insertUnnamed } from '#db/queries/listings/unnamed-listings.ts';
import { countRemaining, mergeDueCounts } from '#db/queries/due-counts/due-counts.ts';
import { inSystem } from '#domain/base/context.ts';
import { countQueued, releaseQueued, takeDueMarkets } from '#db/queries/runs/market-schedule.ts';
import { finishRun, insertRun } from '#db/queries/runs/runs.ts';
import { closeRun, finishWhenDone } from '#domain/scheduling/runs/close-run.ts';
import { openRun } from '#domain/scheduling/runs/open-run.ts';
import { planProbes } from '#domain/scheduling/runs/plan-probes.ts';
import { deadLetterStoreWork } from '#domain/scheduling/runs/dead-letter.ts';
import { nameListings } from '#domain/scheduling/runs/name-listings.ts';
import { checkMarket } from '#domain/tracking/rankings/check-market.ts';
import { searchWithConfirmation } from '#domain/tracking/rankings/search-with-confirmation.ts';
import { addDays, startOfDayMs } from '#lib/dates.ts';
import { storeOptions, storeRetry } from '../harness/background-work.ts';
import { keepOrder } from '../harness/keep-order.ts';
import { startPipeline, type Pipeline, type TrackedMarket } from '../harness/pipeline.ts';
import { makePhrases } from '../harness/ground-truth.ts';

keepOrder('the tests close the days of one calendar in turn');

const day = '2026-05-10';
let pipeline: Pipeline;
let markets: TrackedMarket[];

const rows = async <T>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await pipeline.db.pool.query(text, values)).rows as T[];

beforeAll(async () => {
  pipeline = await startPipeline({ day, work: false, simulator: { world: { apps: 300 } } });
  markets = await pipeline.track({ store: 'ios', storeAppId: '1500000001' }, makePhrases(3));
});
afterAll(() => pipeline.close());

/** Closes a day whose run was opened. */
async function openAndClose(date: string): Promise<boolean> {
  const { services } = pipeline.runtime;
  await insertRun(services.systemDb, {
    date,
    openedAt: pipeline.clock.now(),
    pressure: {},
    shed: {},
  });
  return closeRun(services, date);
}

test('a check that our pacing delayed was not run; one without a response failed', async () => {
  const { systemDb } = pipeline.runtime.services;
  const [delayed, refused, untouched] = markets.map((market) => market.marketId) as [
    number,
    number,
    number,
  ];
  const [feed, page] = (
    await rows<{ id: number }>(
      `select id from store_tasks where kind in ('reviews', 'page') order by kind desc limit 2`,
    )
  ).map((row) => row.id) as [number, number];
  const again = { day, attempts: 0, retryAt: pipeline.clock.now() };
  await rescheduleCheck(systemDb, { ...again, marketId: delayed, marker: 'busy' });
  await rescheduleCheck(systemDb, { ...again, marketId: refused, marker: '403' });
  await rescheduleStoreTask(systemDb, { ...again, storeTaskId: feed, marker: 'late' });
  await rescheduleStoreTask(systemDb, { ...again, storeTaskId: page, marker: '403' });
  await openAndClose(day);
  const gaps = await rows<{ id: number; reason: string }>(
    'select market_id as id, reason from market_gaps where on_date = $1 order by 1',
    [day],
  );
  expect(gaps).toEqual([
    { id: delayed, reason: 'not_yet_run' },
    { id: refused, reason: 'store_error' },
    { id: untouched, reason: 'not_yet_run' },
  ]);
  const storeTasks = await rows<{ id: number; reason: string }>(
    'select store_task_id as id, reason from store_task_gaps where on_date = $1 and ' +
      'store_task_id = any($2)',
    [day, [feed, page]],
  );
  expect(new Map(storeTasks.map((gap) => [gap.id, gap.reason]))).toEqual(
    new Map([
      [feed, 'not_yet_run'],
      [page, 'store_error'],
    ]),
  );
});

const waitingFor = (text: string) => async () =>
  (
    await rows<{ count: number }>(
      'select count(*)::int as count from pg_stat_activity where datname = ' +
        "current_database() and wait_event_type = 'Lock' and query like $1",
      [text],
    )
  )[0]!.count;

/**
 * A transaction that locks the lowest market and goes on to the highest, as adding keywords does,
 * while `other` locks both.
 */
async function takeBothWhile(other: () => Promise<unknown>, otherText: string): Promise<void> {
  const [lowest, , highest] = markets
    .map((market) => market.marketId)
    .sort((one, two) => one - two);
  // Last without an order, whether the table is scanned or its index.
  await rows(
    'update market_schedule set round_robin_order = round_robin_order + 1000 where market_id = $1',
    [lowest],
  );
  const adding = await pipeline.db.pool.connect();
  try {
    await adding.query('begin');
    await adding.query('select from market_schedule where market_id = $1 for update', [lowest]);
    const done = other();
    await expect.poll(waitingFor(otherText)).toBe(1);
    await adding.query('select from market_schedule where market_id = $1 for update', [highest]);
    await adding.query('commit');
    await done;
  } finally {
    adding.release(true);
  }
}

test('keywords are added without a deadlock while a day closes or jobs are released', async () => {
  const { services } = pipeline.runtime;
  const next = '2026-05-11';
  const until = new Date(`${next}T00:02:00Z`);
  const queueAll = () => rows('update market_schedule set queued_until = $1', [until]);
  await queueAll();
  await takeBothWhile(() => openAndClose(next), '%left_over%');
  expect(await rows('select 1 from market_gaps where on_date = $1', [next])).toHaveLength(3);
  expect(await rows('select 1 from market_schedule where queued_until is not null')).toEqual([]);
  await queueAll();
  await takeBothWhile(() => releaseQueued(services.systemDb, 'ios', [until]), '%release-%');
  expect(await rows('select 1 from market_schedule where queued_until is not null')).toEqual([]);
  expect(
    await rows('select deadlocks from pg_stat_database where datname = current_database()'),
  ).toEqual([{ deadlocks: 0n }]);
});

test('the day opens at midnight even if the scheduler ends after closing the last', async () => {
  const { services } = pipeline.runtime;
  const openAt = async (instant: string) => {
    pipeline.clock.set(instant);
    return openRun(services);
  };
  const readPressure = async () =>
    (await rows<{ pressure: object }>(`select pressure from runs where date = '2026-05-13'`))[0]
      ?.pressure;
  expect(await openAt('2026-05-12T02:00:00Z')).toMatchObject({
    date: '2026-05-12',
    state: 'running',
  });
  expect(await openAt('2026-05-13T00:00:01Z')).toMatchObject({ date: '2026-05-13' });
  const pressure = await readPressure();
  // Opening it was rolled back.
  await rows(`delete from runs where date = '2026-05-13'`);
  expect(await openAt('2026-05-13T00:00:01Z')).toMatchObject({
    date: '2026-05-13',
    state: 'running',
  });
  expect(await readPressure()).toEqual(pressure);
  await rows(
    `update market_schedule set completed_on = '2026-05-13'; update listing_schedule set ` +
      `completed_on = '2026-05-13'; update store_tasks set completed_on = '2026-05-13'`,
  );
  expect(await finishWhenDone(services, (await openRun(services))!)).toBe(true);
  expect(await openAt('2026-05-14T00:00:05Z')).toBeUndefined();
  expect(await openAt('2026-05-14T02:00:00Z')).toMatchObject({ date: '2026-05-14' });
});

test('a day without listing refreshes is incomplete, unless they were shed', async () => {
  const { services } = pipeline.runtime;
  const closeWithoutReading = async (on: string, shed: object): Promise<string> => {
    pipeline.clock.set(`${on}T02:00:00Z`);
    expect(await openRun(services)).toMatchObject({ date: on, state: 'running' });
    await rows('update runs set shed = $2 where date = $1', [on, JSON.stringify(shed)]);
    await rows(
      `update market_schedule
         set completed_on = '${on}'; update store_tasks set completed_on = '${on}'`,
    );
    await closeRun(services, on);
    return (await rows<{ state: string }>('select state from runs where date = $1', [on]))[0]!
      .state;
  };
  await rows(
    `update runs set finished_at = opened_at, state = 'finished' where finished_at is null`,
  );
  expect(await closeWithoutReading('2026-05-15', {})).toBe('overdue');
  expect(await closeWithoutReading('2026-05-16', { android: ['refresh'] })).toBe('overdue');
  expect(await closeWithoutReading('2026-05-17', { ios: ['refresh'] })).toBe('finished');
});

test('work that waits for a retry waits no longer than its day', async () => {
  const { systemDb } = pipeline.runtime.services;
  const [on, next] = ['2026-05-18', '2026-05-19'];
  const marketId = markets[0]!.marketId;
  const [listing] = await rows<{ id: number; country: string }>(
    'select listing_id as id, country from listing_schedule limit 1',
  );
  const [task] = await rows<{ id: number }>(
    `select id from store_tasks where kind = 'reviews' limit 1`,
  );
  const again = { day: on, attempts: 1, retryAt: new Date('2058-01-01'), marker: '429' };
  await rescheduleCheck(systemDb, { ...again, marketId });
  await rescheduleListings(systemDb, {
    ...again,
    listingIds: [listing!.id],
    country: listing!.country,
  });
  await rescheduleStoreTask(systemDb, { ...again, storeTaskId: task!.id });
  const takeOf = async (date: string) => {
    const now = new Date(`${date}T23:00:00Z`);
    const take = { store: 'ios', day: date, now, until: now, limit: 500 } as const;
    const taken = (await takeListings(systemDb, { ...take, urgentOnly: false })).find(
      ({ country }) => country === listing!.country,
    );
    return [
      (await takeDueMarkets(systemDb, take)).some((market) => market.marketId === marketId),
      taken?.listingIds.includes(listing!.id) ?? false,
      (await takeDueStoreTasks(systemDb, { ...take, kinds: ['reviews'] })).some(
        ({ id }) => id === task!.id,
      ),
    ];
  };
  expect(await takeOf(on)).toEqual([false, false, false]);
  expect(await takeOf(next)).toEqual([true, true, true]);
});

test('leases and retries of a clock that was ahead over midnight delay no work', async () => {
  const { systemDb } = pipeline.runtime.services;
  const [on, next] = ['2026-05-20', '2026-05-21'];
  const now = new Date(`${on}T18:00:00Z`);
  const ahead = new Date(`${next}T01:00:00Z`);
  const leaseAll = (until: Date) =>
    Promise.all(
      ['market_schedule', 'listing_schedule', 'store_tasks'].map((table) =>
        rows(`update ${table} set queued_until = $1`, [until]),
      ),
    );
  const take = { store: 'ios', day: on, now, until: now, limit: 500 } as const;
  const counts = async () => [
    (await countQueued(systemDb, 'ios', now)).all > 0,
    (await takeDueMarkets(systemDb, take)).length > 0,
    (await takeListings(systemDb, { ...take, urgentOnly: false })).length > 0,
    (await takeDueStoreTasks(systemDb, { ...take, kinds: ['reviews'] })).length > 0,
  ];
  await leaseAll(new Date(now.getTime() + 120_000));
  expect(await counts()).toEqual([true, false, false, false]);
  await leaseAll(ahead);
  expect(await counts()).toEqual([false, true, true, true]);

  const marketId = markets[0]!.marketId;
  await rescheduleCheck(systemDb, {
    marketId,
    day: next,
    attempts: 1,
    retryAt: ahead,
    marker: '429',
  });
  const due = await takeDueMarkets(systemDb, take);
  expect(due).toContainEqual({ marketId, attempts: 0, urgent: false });
});

test('a day counts listing requests as they are sent: 200 a request on iOS', async () => {
  const later = '2026-06-01';
  await rows(
    `insert into listings (store, store_app_id) select 'ios', 'counted ' || n from ` +
      'generate_series(1, 201) n',
  );
  await rows(`insert into listing_schedule (listing_id, country, store) select id, c, store
                from listings, unnest(array['ca', 'mx']) c
              where store_app_id like 'counted %' and (c = 'ca' or store_app_id = 'counted 1')`);
  const asked = await rows<{ requests: number }>(
    'select ceil(count(*) / 200.0)::int as requests from listing_schedule where active group ' +
      'by country',
  );
  const expected = asked.reduce((sum, { requests }) => sum + requests, 0);
  expect(expected).toBeGreaterThan(3);
  const [ios] = (await countRemaining(pipeline.runtime.services.systemDb, later)).filter(
    ({ store }) => store === 'ios',
  );
  expect(ios!.listingRequests).toBe(expected);
});

/** Opens the run of a day at some minutes after midnight, at other paces of store and host. */
async function openAt(date: string, minutes: number, store: number, host = store) {
  const { services } = pipeline.runtime;
  pipeline.clock.set(new Date(startOfDayMs(date) + minutes * 60_000));
  const settings = {
    ...services.settings,
    dailyRunAtMinutes: 12 * 60,
    requestsPerMinute: mapStores(() => store),
    hostRequestsPerMinute: { 'apps.apple.com': host },
  };
  return openRun({ ...services, settings });
}

test('a day too short for its work sheds, and the next opens in time for all of it', async () => {
  const late = addDays(day, 40);
  const open = (minutes: number, rate: number) => openAt(late, minutes, rate);
  await rows('update store_tasks set active = false');
  await rows("update runs set finished_at = opened_at, state = 'finished'");
  const [{ requests }] = (await countRemaining(pipeline.runtime.services.systemDb, late))
    .filter(({ store }) => store === 'ios')
    .map((left) => ({ requests: left.marketRequests + left.listingRequests })) as [
    { requests: number },
  ];
  const rateOfTwentyHours = requests / (20 * 60);
  const first = await open(12 * 60, rateOfTwentyHours);
  expect(first?.pressure.ios).toBeCloseTo(20 / 12, 6);
  expect(first?.shed).toEqual({ ios: ['refresh'] });
  await rows("update runs set finished_at = opened_at, state = 'finished' where date = $1", [late]);
  // Twenty hours and a twentieth are left after 3 o'clock.
  expect(await open(24 * 60 + 2 * 60 + 59, rateOfTwentyHours)).toBeUndefined();
  const second = await open(24 * 60 + 3 * 60, rateOfTwentyHours);
  expect(second?.pressure.ios).toBeCloseTo(20 / 21, 6);
  expect(second?.shed).toEqual({});
});

test('the time of searches is that of their host', async () => {
  const on = addDays(day, 42);
  await rows('update store_tasks set active = false');
  await rows("update runs set finished_at = opened_at, state = 'finished'");
  const [ios] = (await countRemaining(pipeline.runtime.services.systemDb, on)).filter(
    ({ store }) => store === 'ios',
  );
  const { marketRequests, listingRequests } = ios!;
  const hours = (perMinute: number) => perMinute * 12 * 60;
  const run = await openAt(on, 12 * 60, 400, 0.001);
  expect(run?.pressure.ios).toBeCloseTo(
    marketRequests / hours(0.001) + listingRequests / hours(400),
    6,
  );
  expect(run?.shed.ios).toEqual(['refresh']);
});

test('a run of a later day, from a clock that was ahead, stops no day before it', async () => {
  const [today, later] = [addDays(day, 44), addDays(day, 46)];
  const states = () =>
    rows<{ date: string; state: string; at: Date }>(
      'select date::text, state, opened_at as at from runs where date between $1 and $2 order by 1',
      [today, later],
    );
  await rows("update runs set finished_at = opened_at, state = 'finished'");
  // The clock is two days ahead, and set right again.
  expect(await openAt(later, 13 * 60, 400)).toMatchObject({ date: later });
  expect(await openAt(today, 13 * 60, 400)).toMatchObject({ date: today, finishedAt: null });
  expect((await states()).map(({ date }) => date)).toEqual([today, later]);
  // The next day opens, and closes the day before it.
  const next = addDays(today, 1);
  expect(await openAt(next, 13 * 60, 400)).toMatchObject({ date: next });
  // When the later day comes its run is opened anew, and the day before it is closed.
  await rows("update runs set finished_at = opened_at, state = 'finished' where date = $1", [
    later,
  ]);
  expect(await openAt(later, 1, 1)).toMatchObject({ date: later, finishedAt: null });
  const at = new Date(startOfDayMs(later) + 60_000);
  const closed = await states();
  expect(closed.map(({ state }) => state !== 'running')).toEqual([true, true, false]);
  expect(closed.at(-1)).toMatchObject({ state: 'running', at });
  expect(await openAt(later, 2, 1)).toMatchObject({ openedAt: at });
});

test('a gap that is written late does not change the next day’s tracking periods', async () => {
  const [{ marketId }] = markets as [TrackedMarket];
  const requestedAt = `${addDays(day, 51)}T00:00:05.000Z`;
  await rows('update market_schedule set urgent_at = $2 where market_id = $1', [
    marketId,
    requestedAt,
  ]);
  await completeWithGap(pipeline.runtime.services.systemDb, {
    marketId,
    day: addDays(day, 50),
    marker: 'timeout',
  });
  expect(
    await rows('select urgent_at from market_schedule where market_id = $1', [marketId]),
  ).toEqual([{ urgent_at: new Date(requestedAt) }]);
  await completeWithGap(pipeline.runtime.services.systemDb, {
    marketId,
    day: addDays(day, 51),
    marker: 'timeout',
  });
  expect(
    await rows('select urgent_at from market_schedule where market_id = $1', [marketId]),
  ).toEqual([{ urgent_at: null }]);
});

test('a check that failed by our fault is retried six times, but not a crash', async () => {
  const [, failed, crashed] = markets as [TrackedMarket, TrackedMarket, TrackedMarket];
  const on = addDays(day, 60);
  const deadLetter = (market: TrackedMarket, attempt: number, reason: 'failed' | 'crashed') => {
    const work = {
      kind: 'rank-check' as const,
      store: 'ios' as const,
      day: on,
      marketId: market.marketId,
      attempt,
      urgent: false,
    };
    return deadLetterStoreWork(pipeline.runtime.services, work, {
      queued: { queue: 'ios', jobId: `${reason}-${attempt}`, data: work },
      reason,
      retry: storeRetry,
    });
  };
  const gaps = () =>
    rows<{ id: number }>(
      'select market_id as id, marker from market_gaps where on_date = $1 order by 1',
      [on],
    );
  for (let attempt = 0; attempt < 5; attempt++) await deadLetter(failed, attempt, 'failed');
  expect(await gaps()).toEqual([]);
  expect(
    await rows('select attempts, last_marker from market_schedule where market_id = $1', [
      failed.marketId,
    ]),
  ).toEqual([{ attempts: 5, last_marker: 'failed' }]);
  await deadLetter(failed, 5, 'failed');
  await deadLetter(crashed, 0, 'crashed');
  expect(await gaps()).toEqual([
    { id: failed.marketId, marker: 'failed' },
    { id: crashed.marketId, marker: 'crashed' },
  ]);
  // Only work that is given up is kept for inspection.
  expect(await rows('select job_id as id from dead_letters order by 1')).toEqual([
    { id: 'crashed-0' },
    { id: 'failed-5' },
  ]);
});

test('a probe that crashed its worker fails until it is sent again; others are', async () => {
  const { services } = pipeline.runtime;
  const on = addDays(day, 63);
  const work = { kind: 'store-probe' as const, store: 'ios' as const, provider: 'web', day: on };
  const deadLetter = (attempt: number, reason: 'failed' | 'crashed') =>
    deadLetterStoreWork(
      services,
      { ...work, attempt },
      {
        queued: { queue: 'ios', jobId: `probe-${attempt}`, data: work },
        reason,
        retry: storeRetry,
      },
    );
  const plan = async (at: string) => {
    const times = { day: on, now: new Date(`${on}T${at}Z`) };
    const { isBlocked, first, retries } = await planProbes(services, 'ios', times, 300_000);
    const own = [...first, ...retries].filter(
      (probe) => 'provider' in probe && probe.provider === 'web',
    );
    return { isBlocked, own };
  };
  pipeline.clock.set(`${on}T02:00:00Z`);
  const first = { isBlocked: false, own: [{ ...work, attempt: 0 }] };
  expect(await plan('02:00:00')).toEqual(first);
  expect(await deadLetter(0, 'failed')).toBe(false);
  expect(await plan('02:00:00')).toEqual(first);
  expect(await deadLetter(0, 'crashed')).toBe(true);
  expect(await plan('02:04:59')).toEqual({ isBlocked: true, own: [] });
  expect(await plan('02:05:00')).toEqual({ isBlocked: true, own: [{ ...work, attempt: 1 }] });
  expect(await rows('select state, marker from store_probes where date = $1', [on])).toEqual([
    { state: 'degraded', marker: 'crashed' },
  ]);
});

test('a run that a clock which was ahead has ended goes on, and its gaps are filled', async () => {
  const { services } = pipeline.runtime;
  const [on, next] = [addDays(day, 65), addDays(day, 66)];
  const openAt = (instant: string) => {
    pipeline.clock.set(instant);
    return openRun(services);
  };
  const countGaps = async () =>
    (await rows('select 1 from market_gaps where on_date = $1', [on])).length;
  await rows(`update runs set finished_at = opened_at where finished_at is null`);
  const run = await openAt(`${on}T18:00:00Z`);
  expect(run).toMatchObject({ date: on, finishedAt: null });
  expect(await openAt(`${next}T03:00:00Z`)).toMatchObject({ date: next });
  expect(await countGaps()).toBe(markets.length);
  expect(await openAt(`${on}T18:00:01Z`)).toEqual({ ...run, leftOver: {} });
  const take = { store: 'ios', day: on, now: pipeline.clock.now(), limit: 500 } as const;
  const due = await takeDueMarkets(services.systemDb, { ...take, until: take.now });
  expect(due).toHaveLength(markets.length);
  await checkMarket(services, { marketId: due[0]!.marketId, day: on }, storeOptions());
  expect(await countGaps()).toBe(markets.length - 1);
  await finishRun(services.systemDb, on, 'finished', pipeline.clock.now());
  expect(await openAt(`${on}T18:00:01Z`)).toBeUndefined();
});

test('a refresh and names that failed by our fault are retried, not after a crash', async () => {
  const { services } = pipeline.runtime;
  const [listing] = await rows<{ id: number; country: string }>(
    'select listing_id as id, country from listing_schedule order by 1 limit 1',
  );
  const { id, country } = listing!;
  const deadLetter = (
    kind: 'app-refresh' | 'listing-names',
    reason: 'failed' | 'crashed',
    on: string,
  ) => {
    const of = { store: 'ios' as const, day: on, country, listingIds: [id] };
    const work =
      kind === 'app-refresh' ? { ...of, kind, urgent: false } : { ...of, kind, device: 'iphone' };
    return deadLetterStoreWork(services, work, {
      queued: { queue: 'ios', jobId: kind, data: work },
      reason,
      retry: storeRetry,
    });
  };
  const refresh = async () =>
    (
      await rows(
        'select attempts, completed_on::text as completed, last_marker as marker ' +
          'from listing_schedule where listing_id = $1 and country = $2',
        [id, country],
      )
    )[0];
  const [on, next] = [addDays(day, 61), addDays(day, 62)];
  for (let attempt = 0; attempt < 5; attempt++) await deadLetter('app-refresh', 'failed', on);
  expect(await refresh()).toMatchObject({ attempts: 5, marker: 'failed' });
  expect(await refresh()).not.toMatchObject({ completed: on });
  await deadLetter('app-refresh', 'failed', on);
  expect(await refresh()).toEqual({ attempts: 0, completed: on, marker: 'failed' });
  await deadLetter('app-refresh', 'crashed', next);
  expect(await refresh()).toEqual({ attempts: 0, completed: next, marker: 'crashed' });

  const names = () =>
    rows('select attempts, queued_until as at from unnamed_listings where listing_id = $1', [id]);
  const since = pipeline.clock.now();
  const unnamed = { store: 'ios' as const, country, device: 'iphone', listingIds: [id], since };
  await insertUnnamed(services.systemDb, unnamed);
  await deadLetter('listing-names', 'failed', on);
  expect(await names()).toEqual([{ attempts: 1, at: new Date(since.getTime() + 60_000) }]);
  await deadLetter('listing-names', 'crashed', on);
  expect(await names()).toEqual([]);
});

test('names are given up like refreshes; attempts without a request are not counted', async () => {
  const { services } = pipeline.runtime;
  const [listing] = await rows<{ id: number; country: string }>(
    'select listing_id as id, country from listing_schedule order by 1 limit 1',
  );
  const { id, country } = listing!;
  const asked = { store: 'ios' as const, country, device: 'iphone', listingIds: [id] };
  await insertUnnamed(services.systemDb, { ...asked, since: pipeline.clock.now() });
  const fail = async (failure: 'unavailable' | 'refused', requests: number) => {
    const listings = () =>
      Promise.reject(
        new StoreError({
          store: 'ios',
          failure,
          marker: 'test',
          message: 'test',
          retryAfterMs: failure === 'refused' ? 3_600_000 : null,
          cost: { requests, bytes: 0, ms: 0 },
        }),
      );
    const stores = { ...services.stores, ios: { ...services.stores.ios, listings } };
    const options = { ...storeOptions(), retry: { ...storeRetry, maxCooldownMs: 3_600_000 } };
    await nameListings({ ...services, stores }, { ...asked, day }, options);
    const [row] = await rows<{ attempts: number; at: Date }>(
      'select attempts, queued_until as at from unnamed_listings where listing_id = $1',
      [id],
    );
    if (!row) return undefined;
    const waitMs = row.at.getTime() - pipeline.clock.now().getTime();
    pipeline.clock.advance(waitMs);
    return [row.attempts, waitMs / 60_000];
  };
  // A wait without an attempt is as long as a lease may be, or it would count as a stale lease.
  expect(await fail('refused', 0)).toEqual([0, 5]);
  expect(await fail('unavailable', 1)).toEqual([1, 1]);
  expect(await fail('unavailable', 1)).toEqual([2, 5]);
  expect(await fail('refused', 0)).toEqual([2, 60]);
  for (const [index, minutes] of [15, 30, 60].entries())
    expect(await fail('unavailable', 1)).toEqual([index + 3, minutes]);
  expect(await fail('unavailable', 1)).toBeUndefined();

  // The next wait after a refusal would be of three hours.
  await insertUnnamed(services.systemDb, { ...asked, since: pipeline.clock.now() });
  for (const [index, minutes] of [1, 15, 60].entries())
    expect(await fail('refused', 1)).toEqual([index + 1, minutes]);
  expect(await fail('refused', 1)).toBeUndefined();
});

test('a search that ran twice costs both', async () => {
  const { services } = pipeline.runtime;
  const query = {
    provider: 'web',
    phrase: markets[0]!.phrase,
    country: markets[0]!.country,
    device: 'iphone',
    depth: 200,
  };
  const options = { signal: AbortSignal.timeout(10_000), lane: 'run' as const };
  const whole = await services.stores.ios.search(query, options);
  const responses = [{ ...whole, items: whole.items.slice(0, 5) }, whole];
  const stores = {
    ...services.stores,
    ios: { ...services.stores.ios, search: () => Promise.resolve(responses.shift()!) },
  };
  const { marketId } = markets[0]!;
  const known = await findMarketToCheck(services.systemDb, marketId, day);
  const market = { ...known!, usualResults: null, lastMarker: null };
  const believed = await searchWithConfirmation({ ...services, stores }, market, options);
  expect([believed.items.length, believed.cost.requests]).toEqual([
    whole.items.length,
    2 * whole.cost.requests,
  ]);
});

test('a day whose closing was interrupted is closed by the next call, each row once', async () => {
  const { services } = pipeline.runtime;
  const on = addDays(day, 70);
  pipeline.clock.set(`${on}T02:00:00Z`);
  await rows("update runs set finished_at = opened_at, state = 'finished'");
  expect(await openRun(services)).toMatchObject({ date: on });
  await rows(`insert into markets (store, country, device, phrase)
    select 'ios', 'us', 'iphone', 'closed ' || n from generate_series(1, 6000) n`);
  await rows(`insert into market_schedule (market_id, store, depth)
    select id, store, 200 from markets where phrase like 'closed %'`);
  await rows(`create function break() returns trigger language plpgsql as
    'begin raise exception ''planned''; end'`);
  const [late] = await rows<{ id: number }>("select id from markets where phrase = 'closed 5400'");
  await rows(`create trigger break before insert on market_gaps for each row
    when (new.market_id = ${late!.id}) execute function break()`);
  const closeAll = async () => {
    while (!(await closeRun(services, on)));
  };
  await expect(closeAll()).rejects.toThrow('planned');
  const countGaps = async () =>
    (await rows('select 1 from market_gaps where on_date = $1', [on])).length;
  expect(await countGaps()).toBeGreaterThan(0);
  await rows('drop trigger break on market_gaps');
  await Promise.all([closeRun(services, on), closeRun(services, on)]);
  await closeAll();
  const due = 6_000 + markets.length;
  expect(await countGaps()).toBe(due);
  expect(await rows('select state, left_over from runs where date = $1', [on])).toMatchObject([
    { state: 'overdue', left_over: { markets: due } },
  ]);
  const remaining = await countRemaining(services.systemDb, addDays(on, 1));
  expect(remaining.reduce((sum, { markets: left }) => sum + left, 0)).toBe(due);
});

/** Keys whose counts differ from the rows of the schedules. */
const findWrongCounts = () =>
  rows(`
    with counted as (
      select kind, store, due_from, sum(tasks)::int as tasks, sum(requests) as requests
      from due_counts group by 1, 2, 3 having sum(tasks) <> 0
    ), actual as (
      select 'rank-check' as kind, store, due_from, count(*)::int as tasks,
        coalesce(sum(usual_requests::float8), 0) as requests
      from market_schedule where depth > 0 group by 1, 2, 3
      union all
      select 'app-refresh', store, due_from, count(*)::int, 0
      from listing_schedule where active group by 1, 2, 3
      union all
      select kind, store, due_from, count(*)::int, coalesce(sum(usual_requests::float8), 0)
      from store_tasks where active group by 1, 2, 3
    )
    select * from counted full join actual using (kind, store, due_from, tasks, requests)
    where counted is null or actual is null`);

test('the counts of due work are those of the rows, also while they are merged', async () => {
  const { services } = pipeline.runtime;
  await rows(
    `update market_schedule set usual_requests = 1 + market_id % 7 where market_id % 2 = 0`,
  );
  await rows(`update market_schedule set depth = 0 where market_id % 5 = 0`);
  await rows(`delete from market_schedule where market_id % 11 = 0`);
  expect(await findWrongCounts()).toEqual([]);
  const before = await countRemaining(services.systemDb, addDays(day, 90));
  const merged = await Promise.all([
    inSystem(services, (tx) => mergeDueCounts(tx, 20)),
    inSystem(services, (tx) => mergeDueCounts(tx, 10_000)),
    rows(`update market_schedule set attempts = 1 where market_id % 3 = 0`),
  ]);
  expect(merged[1]).toBeGreaterThan(0);
  expect(await findWrongCounts()).toEqual([]);
  expect(await countRemaining(services.systemDb, addDays(day, 90))).toEqual(before);
});

test('a proxy that rests while the day opens does not shed the work of the day', async () => {
  const { services } = pipeline.runtime;
  const proxies = Array.from({ length: 4 }, (_, at) => ({
    name: `proxy ${at}`,
    consecutiveFailures: 3,
    unavailableUntil: null,
  }));
  const openWith = async (egress: typeof proxies) => {
    await rows(`delete from runs where date = '2026-05-20'`);
    pipeline.clock.set('2026-05-20T02:00:00Z');
    const settings = { ...services.settings, endpoints: () => 1, egress: () => egress };
    await openRun({ ...services, settings });
    const [run] = await rows<{ ios: number }>(
      `select (pressure->>'ios')::float8 as ios from runs where date = '2026-05-20'`,
    );
    return run!.ios;
  };
  const alone = await openWith(proxies.slice(0, 1));
  expect(await openWith(proxies)).toBeCloseTo(alone / 4, 6);
});
