import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startSimulator, type Simulator } from '#simulator/server.ts';
import { purgeKeywords } from '#db/queries/housekeeping/retention.ts';
import { lockListings } from '#db/queries/rankings/markets.ts';
import { inSystem } from '#domain/base/context.ts';
import { purgeDueApp } from '#domain/tracking/apps/purge-due-app.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { until } from '../harness/load-recorder.ts';
import { openStores } from '../stores/store-server.ts';
import { insertImportedRanks } from './competitors.fixtures.ts';
import { insertApp } from './keywords.fixtures.ts';

let simulator: Simulator;
let stores: ReturnType<typeof openStores>;
let api: TestApi;
let ann: Account;

const start = '2026-11-21T12:00:00Z';
const lumen = { store: 'ios', storeAppId: '1500000001' } as const;

beforeAll(async () => {
  simulator = await startSimulator({
    seed: 3,
    now: new Date(start),
    compress: false,
    world: { apps: 300, hugeInstalls: true },
  });
  stores = openStores(simulator.baseUrl, { timeoutMs: 30_000 });
  api = await startApi({ stores: stores.stores });
});
afterAll(async () => {
  await api.close();
  await stores.close();
  await simulator.close();
});
beforeEach(async () => {
  const shared = [
    'workspaces',
    'users',
    'store_task_demand',
    'store_tasks',
    'market_schedule',
    'markets',
    'listing_schedule',
    'listing_days',
    'changes',
    'snapshots',
    'listings',
  ];
  await api.db.pool.query(shared.map((table) => `delete from ${table}`).join(';'));
  ann = await api.signUp();
});
afterEach(() => {
  simulator.setFaults([]);
  simulator.clearLog();
  simulator.setNow(new Date(start));
  api.clock.set(start);
});

const add = async (
  body: {
    store: 'ios' | 'android';
    storeAppId: string;
    lookupCountry?: string;
    tags?: string[];
  } = lumen,
  who = ann,
) => (await api.ok('POST /apps', { body }, who)).app;
const follow = (id: number, countries = ['us', 'de'], who = ann) =>
  api.ok(
    'POST /apps/{id}/keywords',
    { params: { id }, body: { phrases: ['habit tracker', 'mood journal'], countries } },
    who,
  );
/** Returns how many steps had rows to delete. */
const purgeDueApps = async () => {
  let steps = 0;
  while ((await purgeDueApp(api.services)) > 0) steps += 1;
  return steps;
};
const rows = async (text: string, values: unknown[] = []) =>
  (await api.db.pool.query(text, values)).rows;
const demandOf = async (phrase: string) =>
  (
    await rows(
      'select s.depth from market_schedule s join markets m on m.id = s.market_id where ' +
        `m.store = 'ios' and m.phrase = $1 order by m.country`,
      [phrase],
    )
  ).map((row) => row.depth);

const waiting = `select from pg_stat_activity where datname = current_database()
  and wait_event_type = 'Lock'`;

describe('archiving an app', () => {
  test('ends the demand for its markets and listing; restoring brings it back', async () => {
    const { id } = await add();
    await follow(id);
    const active = () =>
      rows(
        'select country, active from listing_schedule join apps using (listing_id) where ' +
          'apps.id = $1 order by country',
        [id],
      );
    expect(await demandOf('habit tracker')).toEqual([200, 200]);
    const gone = await api.ok('DELETE /apps/{id}', { params: { id } }, ann);
    expect(gone).toEqual({ id, deleted: true, purgeAt: '2026-12-21T12:00:00.000Z' });
    expect(await demandOf('habit tracker')).toEqual([0, 0]);
    expect((await active()).map((row) => row.active)).toEqual((await active()).map(() => false));
    expect(
      await rows('select sum(markets)::int as markets from budgets where workspace_id = $1', [
        ann.workspaceId,
      ]),
    ).toEqual([{ markets: 0 }]);
    expect(await api.ok('GET /apps/{id}', { params: { id } }, ann)).toMatchObject({
      archived: true,
      purgeAt: gone.purgeAt,
    });
    expect(await api.ok('POST /apps/{id}/restore', { params: { id } }, ann)).toMatchObject({
      archived: false,
      purgeAt: null,
    });
    expect(await demandOf('habit tracker')).toEqual([200, 200]);
    expect(await active()).toEqual(
      expect.arrayContaining([
        { country: 'de', active: true },
        { country: 'us', active: true },
      ]),
    );
  });

  test('works with PATCH, is idempotent, and is undone by adding the app', async () => {
    const { id } = await add();
    const patch = (archived: boolean) =>
      api.ok('PATCH /apps/{id}', { params: { id }, body: { archived } }, ann);
    const first = await patch(true);
    api.clock.advance(3_600_000);
    expect(await patch(true)).toEqual(first);
    expect((await api.ok('DELETE /apps/{id}', { params: { id } }, ann)).purgeAt).toBe(
      first.purgeAt,
    );
    expect(await patch(false)).toMatchObject({ archived: false });
    await patch(true);
    const again = await api.call('POST /apps', { body: lumen }, ann);
    expect(again).toMatchObject({ status: 200, body: { app: { id, archived: false }, job: null } });
  });

  test('hides days on which only other workspaces had its markets checked', async () => {
    const { id } = await add();
    await follow(id, ['us']);
    const trackingPeriods = async () =>
      (await rows('select tracking_periods from keywords where app_id = $1 order by id', [id])).map(
        (row) => row.tracking_periods,
      );
    await api.ok('DELETE /apps/{id}', { params: { id } }, ann);
    expect(await trackingPeriods()).toEqual([[['2026-11-21', 0]], [['2026-11-21', 0]]]);
    api.clock.advance(3 * 86_400_000);
    await api.ok('POST /apps/{id}/restore', { params: { id } }, ann);
    const restored = [
      ['2026-11-21', 0],
      ['2026-11-24', 200, expect.any(Number)],
    ];
    expect(await trackingPeriods()).toEqual([restored, restored]);
  });

  test('makes requests refused that would need the store', async () => {
    const { id } = await add();
    await api.ok('DELETE /apps/{id}', { params: { id } }, ann);
    simulator.clearLog();
    for (const key of ['POST /apps/{id}/refresh', 'POST /apps/{id}/run-daily'] as const) {
      const response = await api.call(key, { params: { id } }, ann);
      expect(response).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
      expect(response.body.message).toContain('archived');
    }
    expect(simulator.log()).toHaveLength(0);
  });

  test('deletes the app after 30 days, for this workspace only', async () => {
    const bob = await api.signUp();
    const [mine, his] = [await add(), await add(lumen, bob)];
    await follow(mine.id);
    await follow(his.id, ['us'], bob);
    const [annToken, bobToken] = [await api.token(ann), await api.token(bob)];
    await api.ok('DELETE /apps/{id}', { params: { id: mine.id } }, ann);
    expect(await demandOf('habit tracker')).toEqual([0, 200]);
    api.clock.advance(30 * 86_400_000 - 1);
    expect(await purgeDueApp(api.services)).toBe(0);
    api.clock.advance(1);
    await purgeDueApps();
    expect((await api.call('GET /apps/{id}', { params: { id: mine.id } }, annToken)).status).toBe(
      404,
    );
    expect(await rows('select from keywords where app_id = $1', [mine.id])).toEqual([]);
    expect(await api.ok('GET /apps/{id}', { params: { id: his.id } }, bobToken)).toMatchObject({
      id: his.id,
    });
    expect(await demandOf('habit tracker')).toEqual([0, 200]);
  });

  test('with purge=true deletes the workspace’s data at once, not the store’s facts', async () => {
    const { id } = await add();
    const added = await follow(id);
    expect(added.job).not.toBeNull();
    const [{ listing_id: listingId }] = await rows('select listing_id from apps where id = $1', [
      id,
    ]);
    const purged = await api.ok(
      'DELETE /apps/{id}',
      { params: { id }, query: { purge: 'true' } },
      ann,
    );
    expect(purged).toEqual({ id, deleted: true, purgeAt: '2026-11-21T12:00:00.000Z' });
    expect((await api.call('DELETE /apps/{id}', { params: { id } }, ann)).status).toBe(404);
    for (const table of ['apps', 'keywords', 'jobs'])
      expect(await rows(`select from ${table} where workspace_id = $1`, [ann.workspaceId])).toEqual(
        [],
      );
    expect(
      (await rows('select from snapshots where listing_id = $1', [listingId])).length,
    ).toBeGreaterThan(0);
    expect(await demandOf('mood journal')).toEqual([0, 0]);
    expect(
      await rows(
        'select sum(markets)::int as markets, sum(listings)::int as listings from budgets ' +
          'where workspace_id = $1',
        [ann.workspaceId],
      ),
    ).toEqual([{ markets: 0, listings: 0 }]);
  });
});

describe('deleting an app of more keywords than one statement deletes', () => {
  const phrases = Array.from({ length: 90 }, (_, number) => `habit ${number}`);
  const keywordIds: number[] = [];
  let [id, otherId] = [0, 0];

  beforeEach(async () => {
    [{ id }, { id: otherId }] = [await add(), await insertApp(api, ann)];
    const track = async (appId: number, some: string[], countries: string[]) =>
      (
        await api.ok(
          'POST /apps/{id}/keywords',
          { params: { id: appId }, body: { phrases: some, countries } },
          ann,
        )
      ).added.map((keyword) => keyword.id);
    const own = await track(id, phrases, ['us', 'de']);
    const others = await track(otherId, phrases.slice(60, 62), ['us']);
    keywordIds.splice(0, Infinity, ...own, ...others);
    for (const keywordId of keywordIds)
      await insertImportedRanks(api, keywordId, [3, null, 5], '2026-10-31');
  });

  const purge = () =>
    api.ok('DELETE /apps/{id}', { params: { id }, query: { purge: 'true' } }, ann);
  const archiveUntilPurged = async () => {
    await api.ok('DELETE /apps/{id}', { params: { id } }, ann);
    await rows(
      `insert into imported_facts (workspace_id, app_id, kind, on_date, items)
       select $1, $2, 'daily', date '2020-01-01' + n, '[]' from generate_series(1, 1500) n`,
      [ann.workspaceId, id],
    );
    api.clock.advance(30 * 86_400_000);
    expect(await purgeDueApps()).toBe(11);
  };
  /** The retention of keywords deletes some of them, which the deletion has to wait for. */
  const purgeDuringRetention = async () => {
    for (const keywordId of keywordIds.slice(0, 5))
      await api.ok('DELETE /keywords/{keywordId}', { params: { keywordId } }, ann);
    const later = new Date(api.clock.now().getTime() + 30 * 86_400_000);
    const purged = await inSystem(api.services, async (tx) => {
      expect(await purgeKeywords(tx, later)).toBe(5);
      const begun = purge();
      const isWaiting = async () => (await rows(waiting)).length === 1;
      await until(isWaiting, 60_000, 'the deletion to wait');
      return [begun] as const;
    });
    await purged[0];
  };

  test.each([
    ['at once', purge],
    ['at once while the retention of keywords runs', purgeDuringRetention],
    ['after 30 days', archiveUntilPurged],
  ])('%s leaves nothing of it, and the keywords of other apps', async (_name, remove) => {
    expect(keywordIds).toHaveLength(182);
    await remove();
    expect(await rows('select id from apps where workspace_id = $1', [ann.workspaceId])).toEqual([
      { id: otherId },
    ]);
    const others = keywordIds.slice(-2).map((keywordId) => ({ id: keywordId }));
    expect(await rows('select id from keywords order by id')).toEqual(others);
    const ranks = 'select keyword_id as id, count(*)::int from imported_daily_ranks';
    expect(await rows(`${ranks} group by 1 order by 1`)).toEqual(
      others.map((keyword) => ({ ...keyword, count: 3 })),
    );
    const searched = 'select m.phrase, m.country from market_schedule s join markets m on m.id =';
    expect(await rows(`${searched} s.market_id where s.depth > 0 order by m.phrase`)).toEqual(
      phrases.slice(60, 62).map((phrase) => ({ phrase, country: 'us' })),
    );
  });
});

test('an app whose 30 days are over is added once by several calls', async () => {
  const { id } = await add();
  const token = await api.token(ann);
  await api.ok('DELETE /apps/{id}', { params: { id } }, token);
  api.clock.advance(30 * 86_400_000);
  const added = await Promise.all(
    [1, 2, 3].map(() => api.call('POST /apps', { body: lumen }, token)),
  );
  expect(added.map(({ status }) => status).toSorted()).toEqual([200, 200, 201]);
});

test('an app whose deletion has begun cannot be restored, and is a new one if added', async () => {
  const { id } = await add();
  await follow(id);
  const token = await api.token(ann);
  await api.ok('DELETE /apps/{id}', { params: { id } }, token);
  api.clock.advance(30 * 86_400_000);
  expect(await purgeDueApp(api.services)).toBe(4);
  api.clock.advance(-86_400_000);
  for (const restored of [
    await api.call('POST /apps/{id}/restore', { params: { id } }, token),
    await api.call('PATCH /apps/{id}', { params: { id }, body: { archived: false } }, token),
  ])
    expect(restored).toMatchObject({ status: 404, body: { code: 'not_found' } });
  const anew = await add(lumen, { ...ann, ...token });
  expect(anew.id).not.toBe(id);
  expect(await purgeDueApps()).toBe(0);
  expect(await rows('select id from apps where workspace_id = $1', [ann.workspaceId])).toEqual([
    { id: anew.id },
  ]);
});

test('frees quota, and restoring needs quota again', async () => {
  const billed = await startApi({ stores: stores.stores, settings: { billingEnabled: true } });
  try {
    const payer = await billed.signUp();
    const ids = (
      await stores.stores.android.search(
        { provider: 'web', phrase: 'habit', country: 'us', device: 'phone', depth: 20 },
        { signal: new AbortController().signal, lane: 'run' },
      )
    ).items.map((item) => item.storeAppId);
    const tracked: number[] = [];
    for (const storeAppId of ids.slice(0, 10))
      tracked.push(
        (await billed.ok('POST /apps', { body: { store: 'android', storeAppId } }, payer)).app.id,
      );
    const refused = await billed.call(
      'POST /apps',
      { body: { store: 'android', storeAppId: ids[10]! } },
      payer,
    );
    expect(refused).toMatchObject({
      status: 403,
      body: {
        code: 'quota_apps',
        quota: {
          kind: 'apps',
          limit: 10,
          used: 10,
          requested: 1,
          plan: 'indie',
          upgradeTo: 'ultimate',
        },
      },
    });
    await billed.ok('DELETE /apps/{id}', { params: { id: tracked[0]! } }, payer);
    await billed.ok('POST /apps', { body: { store: 'android', storeAppId: ids[10]! } }, payer);
    expect(
      (await billed.call('POST /apps/{id}/restore', { params: { id: tracked[0]! } }, payer)).body
        .code,
    ).toBe('quota_apps');
    expect(
      (await billed.call('POST /apps', { body: { store: 'android', storeAppId: ids[0]! } }, payer))
        .body.code,
    ).toBe('quota_apps');
  } finally {
    await billed.close();
  }
});

describe('while keywords are added to the app', () => {
  const addKeyword = (id: number) =>
    api.call(
      'POST /apps/{id}/keywords',
      { params: { id }, body: { phrases: ['daily planner'], countries: ['us'] } },
      ann,
    );
  const remove = (id: number, purge: boolean) =>
    api.call('DELETE /apps/{id}', { params: { id }, query: { purge } }, ann);

  /** Both before their last step: the first one has written, and the second one waits for it. */
  async function overlap<First, Second>(
    id: number,
    first: () => Promise<First>,
    second: () => Promise<Second>,
  ): Promise<[First, Second]> {
    const { rows: apps } = await api.db.pool.query('select listing_id from apps where id = $1', [
      id,
    ]);
    const isWaiting = (count: number) => async () =>
      (await api.db.pool.query(waiting)).rowCount === count;
    return inSystem(api.services, async (tx) => {
      await lockListings(tx, [apps[0].listing_id]);
      const begun = first();
      await until(isWaiting(1), 60_000, 'the first to wait');
      const next = second();
      await until(isWaiting(2), 60_000, 'the second to wait');
      return [begun, next] as const;
    }).then((both) => Promise.all(both));
  }

  test.each([
    ['archiving', false],
    ['purging', true],
  ])('%s ends the demand for them, too', async (_name, purge) => {
    const { id } = await add();
    await follow(id);
    const [added, removed] = await overlap(
      id,
      () => addKeyword(id),
      () => remove(id, purge),
    );
    expect([added.status, removed.status]).toEqual([201, 200]);
    expect(await demandOf('daily planner')).toEqual([0]);
    expect(await rows('select from market_schedule where depth > 0')).toEqual([]);
  });

  test.each([
    ['archived', false, 400],
    ['purged', true, 404],
  ])('they are refused once it is %s', async (_name, purge, status) => {
    const { id } = await add();
    await follow(id);
    const [removed, added] = await overlap(
      id,
      () => remove(id, purge),
      () => addKeyword(id),
    );
    expect([removed.status, added.status]).toEqual([200, status]);
    expect(await rows(`select from markets where phrase = 'daily planner'`)).toEqual([]);
  });
});

test('runs without deadlocks beside restores, deletions and new keywords', async () => {
  const bob = await api.signUp();
  const people = [ann, bob];
  const ids = await Promise.all(people.map(async (who) => (await add(lumen, who)).id));
  const phrases = [
    'habit tracker',
    'mood journal',
    'daily planner',
    'self care',
    'journal',
    'calm',
  ];
  const acts = [
    (who: Account, id: number, round: number) =>
      api.call(
        'POST /apps/{id}/keywords',
        {
          params: { id },
          body: {
            phrases: [phrases[round % 6]!, phrases[(round * 5 + 2) % 6]!],
            countries: ['us', 'de'],
          },
        },
        who,
      ),
    (who: Account, id: number) => api.call('DELETE /apps/{id}', { params: { id } }, who),
    (who: Account, id: number) => api.call('POST /apps/{id}/restore', { params: { id } }, who),
    (who: Account, id: number) => api.call('POST /apps/{id}/run-daily', { params: { id } }, who),
    (who: Account, id: number) => api.call('POST /apps/{id}/refresh', { params: { id } }, who),
  ];
  const responses = await Promise.all(
    Array.from({ length: 60 }, (_, round) =>
      acts[(round * 7) % 5]!(people[round % 2]!, ids[round % 2]!, round),
    ),
  );
  expect(
    [...new Set(responses.map((response) => response.status))].filter((status) => status >= 500),
  ).toEqual([]);
  await Promise.all(
    people.map((who, index) =>
      api.ok('DELETE /apps/{id}', { params: { id: ids[index]! }, query: { purge: 'true' } }, who),
    ),
  );
  expect(await rows('select depth from market_schedule where depth > 0')).toEqual([]);
  expect(await rows('select from listing_schedule where active')).toEqual([]);
  const [{ deadlocks }] = await rows(
    'select deadlocks from pg_stat_database where datname = current_database()',
  );
  expect(deadlocks).toBe(0n);
});
