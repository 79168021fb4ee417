import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { keepOrder } from '../harness/keep-order.ts';
import { endFirstChecks, recordMarketSearch, insertApp, marketIdOf } from './keywords.fixtures.ts';
import { shedStoreTasks } from '#db/queries/store-tasks/store-task-days.ts';
import { countNextDay, requestCounts } from '#db/queries/runs/run-counts.ts';
import { inSystem } from '#domain/base/context.ts';
import { countDays, recountPastDay } from '#domain/tracking/rankings/count-days.ts';
import { TestClock } from '#lib/clock.ts';

keepOrder('the tests go through the days of one workspace');

let api: TestApi;
let me: Account;
let neighbour: Account;
let mine: { id: number; listingId: number };

const add = (account: Account, id: number, phrases: string[]) =>
  api.ok(
    'POST /apps/{id}/keywords',
    { params: { id }, body: { phrases, countries: ['us'] } },
    account,
  );
const run = (date: string, account = me) =>
  api.ok('GET /runs/{date}', { params: { date } }, account);
const gap = async (phrase: string, date: string, reason: string) => {
  const marketId = await marketIdOf(api, phrase);
  await api.db.pool.query(
    'insert into market_gaps (market_id, on_date, reason) values ($1, $2, $3)',
    [marketId, date, reason],
  );
  await endFirstChecks(api, marketId, date);
};
const openRun = (date: string, state: string, finished: boolean, pressure = {}, shed = {}) =>
  api.db.pool.query(
    'insert into runs (date, opened_at, finished_at, state, pressure, shed) values ($1, $2, ' +
      '$3, $4, $5, $6)',
    [
      date,
      `${date}T02:00:00Z`,
      finished ? `${date}T04:00:00Z` : null,
      state,
      JSON.stringify(pressure),
      JSON.stringify(shed),
    ],
  );

/** Three days: the 18th closed with gaps, the 19th without a run, the 20th shed, the 21st open. */
beforeAll(async () => {
  api = await startApi({ clock: new TestClock('2026-11-18T01:00:00Z') });
  [me, neighbour] = [await api.signUp(), await api.signUp()];
  await api.db.pool.query(`update workspaces set created_at = '2026-11-18T00:30:00Z'`);
  mine = await insertApp(api, me);
  const theirs = await insertApp(api, neighbour);
  await add(neighbour, theirs.id, ['shared', 'theirs alone']);
  const { added } = await add(me, mine.id, [
    'shared',
    'alone',
    'failing',
    'left',
    'over',
    'later paused',
  ]);
  const second = await insertApp(api, me);
  await add(me, second.id, ['alone']);
  await openRun('2026-11-17', 'finished', true);
  await openRun('2026-11-18', 'overdue', true, { ios: 0.5 });
  const response = async (phrase: string, at: string) =>
    recordMarketSearch(api, {
      marketId: await marketIdOf(api, phrase),
      listingIds: [mine.listingId],
      at,
    });
  for (const phrase of ['shared', 'alone', 'theirs alone', 'later paused'])
    await response(phrase, '2026-11-18T03:00:00Z');
  await gap('failing', '2026-11-18', 'store_error');
  await gap('over', '2026-11-18', 'over_quota');
  api.clock.set('2026-11-19T12:00:00Z');
  await api.ok(
    'PATCH /keywords/{keywordId}',
    { params: { keywordId: added[5]!.id }, body: { paused: true } },
    me,
  );
  // Sheds the store tasks of a store, as a run does.
  await inSystem(api.services, (tx) =>
    shedStoreTasks(tx, {
      store: 'ios',
      kinds: ['reviews', 'page', 'chart'],
      day: '2026-11-20',
      limit: 1_000,
    }),
  );
  await openRun(
    '2026-11-20',
    'finished',
    true,
    { ios: 1.25, android: 0 },
    { ios: ['refresh', 'reviews', 'page', 'chart'] },
  );
  api.clock.set('2026-11-20T12:00:00Z');
  for (const phrase of ['shared', 'alone', 'failing', 'left', 'over'])
    await response(phrase, '2026-11-20T03:00:00Z');
  await api.db.pool.query(
    `insert into store_probes (store, provider, date, state, probed_at, marker) values ` +
      `('ios', 'itunes', '2026-11-20', 'degraded', '2026-11-20T02:00:01Z', '429')`,
  );
  await api.db.pool.query(
    `insert into store_requests (store, on_date, kind, requests, refused) values ('ios', ` +
      `'2026-11-20', 'search', 70, 3), ('ios', '2026-11-20', 'lookup', 5, 0)`,
  );
  await openRun('2026-11-21', 'running', false);
  api.clock.set('2026-11-21T12:00:00Z');
  await response('shared', '2026-11-21T03:00:00Z');
});
afterAll(() => api.close());

it('a run counts the workspace’s own markets, each once for any number of apps', async () => {
  const day = await run('2026-11-18');
  expect(day).toMatchObject({
    date: '2026-11-18',
    state: 'overdue',
    startedAt: '2026-11-18T02:00:00.000Z',
    finishedAt: '2026-11-18T04:00:00.000Z',
    planned: 6,
    done: 3,
    failed: 1,
    waiting: 0,
    gaps: { shed: 0, store_error: 1, over_quota: 1, not_yet_run: 1, paused: 0 },
    pressure: { ios: 0.5, android: null },
    coverage: 0.5,
    refreshes: { planned: 2, done: 0, failed: 2 },
    shed: { appRefreshes: 0, reviews: 0, pages: 0, charts: 0, hints: 0 },
  });
  expect(await run('2026-11-18', neighbour)).toMatchObject({
    planned: 2,
    done: 2,
    failed: 0,
    coverage: 1,
  });
});

it('a run splits a day by country, and the countries add up to the day', async () => {
  const none = {
    shed: 0,
    store_error: 0,
    not_served: 0,
    over_quota: 0,
    not_yet_run: 0,
    paused: 0,
  };
  expect((await run('2026-11-18')).countries).toEqual([
    {
      store: 'ios',
      country: 'us',
      planned: 6,
      done: 3,
      failed: 1,
      waiting: 0,
      gaps: { ...none, store_error: 1, over_quota: 1, not_yet_run: 1 },
    },
  ]);
  const late = await api.signUp();
  const app = await insertApp(api, late);
  await api.ok(
    'POST /apps/{id}/keywords',
    { params: { id: app.id }, body: { phrases: ['shared', 'late'], countries: ['us', 'de'] } },
    late,
  );
  await api.db.pool.query(
    `update workspaces set created_at = '2026-11-21T00:30:00Z' where id = $1`,
    [late.workspaceId],
  );
  const today = await run('2026-11-21', late);
  expect(today.countries).toEqual([
    { store: 'ios', country: 'de', planned: 2, done: 0, failed: 0, waiting: 2, gaps: none },
    // Others' search of the shared market does not count before the keyword's own check.
    { store: 'ios', country: 'us', planned: 2, done: 0, failed: 0, waiting: 2, gaps: none },
  ]);
  for (const account of [me, neighbour]) {
    for (const date of ['2026-11-18', '2026-11-19', '2026-11-20', '2026-11-21']) {
      const { countries, planned, done, waiting, gaps } = await run(date, account);
      const sum = (read: (row: (typeof countries)[number]) => number) =>
        countries.reduce((total, row) => total + read(row), 0);
      expect({
        planned: sum((row) => row.planned),
        done: sum((row) => row.done),
        waiting: sum((row) => row.waiting),
      }).toEqual({
        planned,
        done,
        waiting,
      });
      for (const reason of Object.keys(none) as (keyof typeof none)[])
        expect(sum((row) => row.gaps[reason])).toBe(gaps[reason]);
    }
  }
});

it('a run excludes paused markets from the plan, and lists what was shed', async () => {
  expect(await run('2026-11-20')).toMatchObject({
    planned: 5,
    done: 5,
    gaps: { paused: 1 },
    coverage: 1,
    refreshes: { planned: 2, done: 0, failed: 0 },
    shed: { appRefreshes: 2, reviews: 2, pages: 2, charts: 2, hints: 0 },
    pressure: { ios: 1.25, android: 0 },
  });
});

it('a run lists what an open day still waits for', async () => {
  expect(await run('2026-11-21')).toMatchObject({
    state: 'running',
    finishedAt: null,
    planned: 5,
    done: 1,
    waiting: 4,
    gaps: { not_yet_run: 0 },
    coverage: 0.2,
  });
});

it('a run keeps an app’s checks from before it was archived that day, none after', async () => {
  const account = await api.signUp();
  await api.db.pool.query(
    `update workspaces set created_at = '2026-11-21T00:30:00Z' where id = $1`,
    [account.workspaceId],
  );
  const app = await insertApp(api, account);
  await add(account, app.id, ['put away', 'put away unchecked', 'put away over the limit']);
  await recordMarketSearch(api, {
    marketId: await marketIdOf(api, 'put away'),
    listingIds: [app.listingId],
  });
  await api.db.pool.query(
    `update keywords set held = true, tracking_periods = '[["2026-11-21", -1]]' where app_id = ` +
      "$1 and phrase = 'put away over the limit'",
    [app.id],
  );
  expect(await run('2026-11-21', account)).toMatchObject({
    planned: 3,
    done: 1,
    gaps: { over_quota: 1 },
  });
  await api.ok('DELETE /apps/{id}', { params: { id: app.id } }, account);
  expect(await run('2026-11-21', account)).toMatchObject({
    planned: 1,
    done: 1,
    waiting: 0,
    gaps: { over_quota: 0, paused: 0 },
  });
  await openRun('2026-11-22', 'running', false);
  api.clock.set('2026-11-22T12:00:00Z');
  expect(await run('2026-11-22', account)).toMatchObject({
    planned: 0,
    done: 0,
    gaps: { over_quota: 0, paused: 0 },
  });
  await api.db.pool.query(`delete from runs where date = '2026-11-22'`);
  api.clock.set('2026-11-21T12:00:00Z');
});

it('runs are listed newest first with missed days, none from before the workspace', async () => {
  const { items, total } = await api.ok('GET /runs', null, me);
  expect(items.map((item) => `${item.date} ${item.state}`)).toEqual([
    '2026-11-21 running',
    '2026-11-20 finished',
    '2026-11-19 missed',
    '2026-11-18 overdue',
  ]);
  expect(total).toBe(4);
  expect(items[2]).toMatchObject({
    startedAt: null,
    planned: 5,
    done: 0,
    gaps: { not_yet_run: 5, paused: 1 },
    coverage: 0,
    pressure: { ios: null, android: null },
  });
  const first = await api.ok('GET /runs', { query: { limit: '3' } }, me);
  const rest = await api.ok('GET /runs', { query: { limit: '3', cursor: first.nextCursor! } }, me);
  expect([...first.items, ...rest.items]).toEqual(items);
  expect(
    (await api.ok('GET /runs', { query: { from: '2026-11-20', to: '2026-11-20' } }, me)).items,
  ).toEqual([items[1]]);
});

it('there is no run on other days', async () => {
  for (const date of ['2026-11-17', '2026-11-22', '2020-01-01'])
    expect((await api.call('GET /runs/{date}', { params: { date } }, me)).status).toBe(404);
  expect((await api.call('GET /runs/{date}', { params: { date: '2026-02-30' } }, me)).status).toBe(
    400,
  );
  expect(
    (await api.call('GET /runs', { query: { from: '2026-11-21', to: '2026-11-20' } }, me)).status,
  ).toBe(400);
});

it('requests of the instance are shown only to operators or a sole workspace', async () => {
  const health = async (account: Account) => (await run('2026-11-20', account)).storeHealth;
  expect(await health(me)).toEqual([
    {
      store: 'ios',
      state: 'degraded',
      probedAt: '2026-11-20T02:00:01.000Z',
      marker: '429',
      requests: null,
      refused: null,
      providers: [
        {
          provider: 'itunes',
          state: 'degraded',
          probedAt: '2026-11-20T02:00:01.000Z',
          marker: '429',
        },
      ],
      fallbacks: 0,
      anomalies: [],
      drifts: [],
    },
    {
      store: 'android',
      state: 'unknown',
      probedAt: null,
      marker: null,
      requests: null,
      refused: null,
      providers: [],
      fallbacks: 0,
      anomalies: [],
      drifts: [],
    },
  ]);
  (api.services.settings as { operatorEmails: readonly string[] }).operatorEmails = [me.email];
  expect((await health(me))[0]).toMatchObject({ requests: 75, refused: 3 });
  expect((await health(neighbour))[0]).toMatchObject({ requests: null });
});

it('a day says which fields drifted, with the share of known values that was missing', async () => {
  await api.db.pool.query(`
    insert into field_drifts (store, source, field, began_at, ended_at) values
      ('ios', 'page', 'subtitle', '2026-11-19T03:00:00Z', '2026-11-20T05:00:00Z'),
      ('ios', 'search/web', 'rating', '2026-11-20T04:00:00Z', null),
      ('ios', 'listing', 'version', '2026-11-18T04:00:00Z', '2026-11-19T04:00:00Z')`);
  await api.db.pool.query(`
    insert into field_days (on_date, store, source, field, read, missing, lost) values
      ('2026-11-19', 'ios', 'page', 'subtitle', 1, 99, 99),
      ('2026-11-20', 'ios', 'page', 'subtitle', 70, 50, 30),
      ('2026-11-20', 'ios', 'listing', 'version', 100, 0, 0)`);
  const { storeHealth } = await run('2026-11-20', me);
  expect(storeHealth.map(({ drifts }) => drifts)).toEqual([
    [
      {
        source: 'page',
        provider: null,
        field: 'subtitle',
        beganAt: '2026-11-19T03:00:00.000Z',
        endedAt: '2026-11-20T05:00:00.000Z',
        lostShare: 0.3,
      },
      {
        source: 'search',
        provider: 'web',
        field: 'rating',
        beganAt: '2026-11-20T04:00:00.000Z',
        endedAt: null,
        lostShare: null,
      },
    ],
    [],
  ]);
  await api.db.pool.query('delete from field_drifts');
});

it('the only workspace of an instance sees the requests', async () => {
  const alone = await startApi({ config: { signUp: 'invite' } });
  const account = await alone.signUp();
  await alone.db.pool.query(
    `insert into runs (date, opened_at, state) values ('2026-11-21', '2026-11-21T02:00:00Z', ` +
      `'running')`,
  );
  const day = () => alone.ok('GET /runs/{date}', { params: { date: '2026-11-21' } }, account);
  expect((await day()).storeHealth[0]).toMatchObject({ requests: 0, refused: 0 });
  await alone.signUp();
  expect((await day()).storeHealth[0]).toMatchObject({ requests: null, refused: null });
  await alone.close();
});

describe('a finished day', () => {
  const countedDays = async () =>
    (await api.db.pool.query('select date from counted_days order by date')).rows.map(
      (row) => row.date as string,
    );
  /** A result of a finished day, written after it. */
  const addLate = async (phrase: string, day: number) =>
    api.db.pool.query(
      'update market_months set days = set_byte(days, $2, 200) where market_id = $1 and ' +
        `month = '2026-11-01'`,
      [await marketIdOf(api, phrase), (day - 1) * 4],
    );
  const countAll = async () => {
    let [total, count] = [0, 0];
    do total += count = await countDays(api.services);
    while (count > 0);
    return total;
  };
  const list = async (account: Account) => (await api.ok('GET /runs', null, account)).items;

  it('is counted once with a stable result; an open one at each request', async () => {
    const before = [
      await list(me),
      await list(neighbour),
      await run('2026-11-18'),
      await run('2026-11-19'),
    ];
    const workspaces = (await api.db.pool.query('select 1 from workspaces')).rowCount!;
    expect(await countAll()).toBe(4 * workspaces);
    expect(await countDays(api.services)).toBe(0);
    expect(await countedDays()).toEqual(['2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20']);
    expect([
      await list(me),
      await list(neighbour),
      await run('2026-11-18'),
      await run('2026-11-19'),
    ]).toEqual(before);
    const { rows } = await api.db.pool.query(
      'select sum(planned)::int as planned from run_counts where workspace_id = $1 and date = $2',
      [me.workspaceId, '2026-11-20'],
    );
    expect(rows).toEqual([{ planned: 5 }]);
    await recordMarketSearch(api, {
      marketId: await marketIdOf(api, 'alone'),
      listingIds: [mine.listingId],
      at: '2026-11-21T11:00:00Z',
    });
    expect(await run('2026-11-21')).toMatchObject({ planned: 5, done: 2, waiting: 3 });
  });

  it('stays the same after its keywords are deleted', async () => {
    const passing = await api.signUp();
    await api.db.pool.query(
      `update workspaces set created_at = '2026-11-18T00:30:00Z' where id = $1`,
      [passing.workspaceId],
    );
    api.clock.set('2026-11-19T01:00:00Z');
    const app = await insertApp(api, passing);
    await add(passing, app.id, ['gone tomorrow', 'gone too']);
    api.clock.set('2026-11-21T12:00:00Z');
    await inSystem(api.services, (tx) => requestCounts(tx, '2026-11-19'));
    await countAll();
    const was = await run('2026-11-19', passing);
    expect(was).toMatchObject({ planned: 2, done: 0 });
    await api.db.pool.query('delete from keywords where workspace_id = $1', [passing.workspaceId]);
    expect(await run('2026-11-19', passing)).toMatchObject({
      planned: 2,
      countries: was.countries,
    });
  });

  it('is counted again after late results, for the workspaces that track the market', async () => {
    await addLate('alone', 19);
    expect(await run('2026-11-19')).toMatchObject({ done: 0 });
    await recountPastDay(api.services, '2026-11-19', [await marketIdOf(api, 'alone')]);
    expect(await run('2026-11-19')).toMatchObject({ planned: 5, done: 1 });
    expect(await countAll()).toBe(1);
    expect(await run('2026-11-19')).toMatchObject({ planned: 5, done: 1 });
    await recountPastDay(api.services, '2026-11-21', [await marketIdOf(api, 'alone')]);
    expect(await countAll()).toBe(0);
  });

  it('is counted again when it changed while it was counted', async () => {
    await inSystem(api.services, (tx) => requestCounts(tx, '2026-11-19'));
    const marketIds = [await marketIdOf(api, 'failing')];
    const changed = inSystem(api.services, async (tx) => {
      while (await countNextDay(tx));
      await addLate('failing', 19);
      // Waits until the count in progress is committed.
      return { recounted: recountPastDay(api.services, '2026-11-19', marketIds) };
    });
    await (
      await changed
    ).recounted;
    expect(await countAll()).toBe(1);
    expect(await run('2026-11-19')).toMatchObject({ done: 2 });
  });

  it('is not counted while its run is open', async () => {
    await api.db.pool.query(`delete from counted_days where date = '2026-11-20'`);
    await api.db.pool.query(`update runs set finished_at = null where date = '2026-11-20'`);
    expect(await countAll()).toBe(0);
    await api.db.pool.query(
      `update runs set finished_at = '2026-11-20T04:00:00Z' where date = '2026-11-20'`,
    );
    expect(await countAll()).toBeGreaterThan(1);
  });

  it('is not counted before its end by a clock that is ahead for a moment', async () => {
    const before = await countedDays();
    const finish = (at: string) =>
      api.db.pool.query(`update runs set finished_at = $1 where date = '2026-11-21'`, [at]);
    const countAt = async (at: string) => {
      api.clock.set(at);
      await countAll();
      return countedDays();
    };
    // Days ahead: the open run is closed, and another one is opened.
    await finish('2026-11-25T02:00:00Z');
    await openRun('2026-11-25', 'running', false);
    expect(await countAt('2026-11-25T02:00:00Z')).toEqual(before);
    await api.db.pool.query(`delete from runs where date = '2026-11-25'`);
    // Hours ahead: the day is counted, and once more when it is over.
    await finish('2026-11-21T04:00:00Z');
    expect(await countAt('2026-11-22T00:30:00Z')).toEqual([...before, '2026-11-21']);
    expect(await countAt('2026-11-21T13:00:00Z')).toEqual(before);
    await gap('left', '2026-11-21', 'store_error');
    expect(await run('2026-11-21')).toMatchObject({ planned: 5, failed: 1 });
    await countAt('2026-11-22T00:30:00Z');
    expect(await run('2026-11-21')).toMatchObject({ planned: 5, failed: 1 });
    api.clock.set('2026-11-21T13:00:00Z');
  });
});

it('one response holds a year of days', async () => {
  await api.db.pool.query(`update workspaces set created_at = '2025-01-01'`);
  await openRun('2025-11-01', 'finished', true);
  const year = await api.ok(
    'GET /runs',
    { query: { from: '2025-11-01', to: '2026-11-21', limit: '500' } },
    me,
  );
  expect(year.items).toHaveLength(386);
  expect(year.items[0]).toMatchObject({ planned: 5, done: 2 });
  expect(year.items.at(-1)).toMatchObject({ date: '2025-11-01', planned: 0, coverage: null });
});
