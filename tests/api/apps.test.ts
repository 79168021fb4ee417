import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startSimulator, type Simulator } from '#simulator/server.ts';
import { listDays } from '#lib/dates.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { openStores } from '../stores/store-server.ts';

let simulator: Simulator;
let stores: ReturnType<typeof openStores>;
let api: TestApi;
let ann: Account;

const start = '2026-11-21T12:00:00Z';
const lumen = { store: 'ios', storeAppId: '1500000001' } as const;
const habits = { store: 'android', storeAppId: 'app.lumen.habits' } as const;

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
const rows = async (text: string, values: unknown[] = []) =>
  (await api.db.pool.query(text, values)).rows;

describe('adding an app', () => {
  test('fetches the listing with one request and stores the first snapshot', async () => {
    const response = await api.call(
      'POST /apps',
      { body: { ...lumen, tags: ['a', 'b', 'a'] } },
      ann,
    );
    expect(response.status).toBe(201);
    expect(simulator.log()).toHaveLength(1);
    expect(response.body.app).toMatchObject({
      store: 'ios',
      storeAppId: '1500000001',
      bundleId: 'app.lumen.journal',
      name: expect.stringMatching(/^Lumen: Habit/),
      developer: 'Lumen Works',
      storeUrl: 'https://apps.apple.com/us/app/id1500000001',
      primaryCountry: 'us',
      price: 0,
      free: true,
      currency: 'USD',
      installs: null,
      tags: ['a', 'b'],
      archived: false,
      purgeAt: null,
      lastSnapshotAt: '2026-11-21T12:00:00.000Z',
      createdAt: '2026-11-21T12:00:00.000Z',
    });
    const { id } = response.body.app;
    const shown = await api.ok(
      'GET /apps/{id}',
      { params: { id }, query: { include: 'latestSnapshot,counts' } },
      ann,
    );
    expect(shown.latestSnapshot).toMatchObject({
      country: 'us',
      name: shown.name,
      description: expect.stringContaining('habit tracker'),
      rating: shown.rating,
    });
    expect(shown.counts).toEqual({ keywords: 0, countries: 0, ranked: 0 });
  });

  test('accepts a job even if the primary country needs nothing more today', async () => {
    const { job, app } = (await api.ok('POST /apps', { body: lumen }, ann)) as {
      job: { id: number; kind: string };
      app: { id: number };
    };
    expect(job).toMatchObject({ kind: 'app-refresh', state: 'queued', deduped: false });
    const [schedule] = await rows(
      'select s.* from listing_schedule s join apps a using (listing_id) where a.id = $1',
      [app.id],
    );
    expect(schedule).toMatchObject({
      country: 'us',
      active: true,
      refreshed_on: '2026-11-21',
      completed_on: '2026-11-21',
      urgent_at: null,
    });
    expect(await rows('select total, done from jobs where id = $1', [job.id])).toEqual([
      { total: 1, done: 1 },
    ]);
  });

  test.each([
    ['https://apps.apple.com/de/app/lumen-habit-journal/id1500000001?mt=8', 'ios', 'de'],
    ['apps.apple.com/app/id1500000001', 'ios', 'us'],
    ['https://play.google.com/store/apps/details?id=app.lumen.habits&hl=fr', 'android', 'us'],
    ['https://play.google.com/store/apps/details?id=app.lumen.habits&gl=FR', 'android', 'fr'],
  ])('accepts %s', async (url, store, country) => {
    const { app } = await api.ok('POST /apps', { body: { url } }, ann);
    expect(app).toMatchObject({ store, primaryCountry: country });
  });

  test('prefers the country of the request to the one in the address', async () => {
    const { app } = await api.ok(
      'POST /apps',
      { body: { url: 'https://apps.apple.com/de/app/id1500000001', lookupCountry: 'jp' } },
      ann,
    );
    expect(app).toMatchObject({ primaryCountry: 'jp', currency: 'JPY' });
  });

  test.each([
    [{ url: 'https://example.org/app/id1500000001' }, 'url'],
    [{ url: 'not a url' }, 'url'],
    [{ url: 'javascript:alert(1)' }, 'url'],
    [{ store: 'ios', storeAppId: 'com.example' }, 'storeAppId'],
    [{ store: 'android', storeAppId: '../etc' }, 'storeAppId'],
  ])('refuses %j and says what is accepted', async (body, path) => {
    const response = await api.call('POST /apps', { body: body as never }, ann);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ code: 'invalid_request', issues: [{ path }] });
    expect(simulator.log()).toHaveLength(0);
  });

  test('returns 404 and writes nothing if the store does not know the app', async () => {
    const response = await api.call(
      'POST /apps',
      { body: { store: 'ios', storeAppId: '999' } },
      ann,
    );
    expect([response.status, response.body.code]).toEqual([404, 'store_app_not_found']);
    simulator.setFaults([{ fault: 'gone', storeAppId: habits.storeAppId, country: 'se' }]);
    expect(
      (await api.call('POST /apps', { body: { ...habits, lookupCountry: 'se' } }, ann)).status,
    ).toBe(404);
    expect(await rows('select from apps where workspace_id = $1', [ann.workspaceId])).toEqual([]);
  });

  test.each(['503', 'captcha', '429', 'empty', 'rpc-renamed'] as const)(
    'returns 503 and writes nothing if the store responds with %s',
    async (fault) => {
      simulator.setFaults([{ fault }]);
      const response = await api.call('POST /apps', { body: habits }, ann);
      expect([response.status, response.body.code]).toEqual([503, 'store_unavailable']);
      expect(response.body.retryAfterSeconds).toBeGreaterThan(0);
      expect(await rows('select from apps where workspace_id = $1', [ann.workspaceId])).toEqual([]);
      expect(await rows('select from jobs where workspace_id = $1', [ann.workspaceId])).toEqual([]);
    },
  );

  test('returns an app that is already tracked, without a request to the store', async () => {
    const first = await add();
    simulator.clearLog();
    const again = await api.call(
      'POST /apps',
      { body: { url: 'https://apps.apple.com/fr/app/id1500000001' } },
      ann,
    );
    expect(again.status).toBe(200);
    expect(again.body).toEqual({ app: first, job: null });
    expect(simulator.log()).toHaveLength(0);
  });

  test('creates one app and one job for two requests at once', async () => {
    const responses = await Promise.all(
      Array.from({ length: 6 }, () => api.call('POST /apps', { body: lumen }, ann)),
    );
    expect(responses.map((response) => response.status).sort()).toEqual([
      200, 200, 200, 200, 200, 201,
    ]);
    expect(new Set(responses.map((response) => response.body.app.id)).size).toBe(1);
    expect(await rows('select from jobs where workspace_id = $1', [ann.workspaceId])).toHaveLength(
      1,
    );
  });

  test('creates one app in each of two workspaces, with a shared listing', async () => {
    const bob = await api.signUp();
    const [mine, his] = [await add(), await add(lumen, bob)];
    expect(mine.id).not.toBe(his.id);
    expect(
      await rows('select distinct listing_id from apps where id = any($1)', [[mine.id, his.id]]),
    ).toHaveLength(1);
    expect(
      await rows('select from snapshots s join apps a using (listing_id) where a.id = $1', [
        mine.id,
      ]),
    ).toHaveLength(1);
  });

  test('is refused before any store request while the queue is full', async () => {
    const full = await startApi({
      db: api.db,
      stores: stores.stores,
      services: { queueCapacity: { usedBytes: () => Promise.resolve(100), capBytes: 100 } },
    });
    const response = await full.call('POST /apps', { body: lumen }, await api.token(ann));
    expect(response).toMatchObject({ status: 500, body: { code: 'queue_full' } });
    expect(simulator.log()).toHaveLength(0);
    await full.close();
  });
});

describe('installs', () => {
  const counts = [0n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 63n - 1n, null];
  test.each(counts)('are returned as %s, digit for digit', async (installs) => {
    const app = await add(habits);
    await rows(
      'update listing_days set installs = $1 where listing_id = (select listing_id from apps ' +
        'where id = $2)',
      [installs === null ? null : String(installs), app.id],
    );
    for (const path of ['/apps', `/apps/${app.id}`, `/apps/${app.id}?include=latestSnapshot`]) {
      const { text } = await api.raw(path, {}, ann);
      expect(
        text.match(/"installs":[^,}]+/g)!.every((member) => member === `"installs":${installs}`),
      ).toBe(true);
    }
  });

  test.each([
    ['app.exact.counter', '9007199254740993'],
    ['app.limit.counter', '9223372036854775807'],
  ])('of %s are returned exactly as the store sends them', async (storeAppId, digits) => {
    const { id } = await add({ store: 'android', storeAppId });
    expect((await api.raw(`/apps/${id}`, {}, ann)).text).toContain(`"installs":${digits},`);
    const { text } = await api.raw(`/apps/${id}/refresh`, { method: 'POST' }, ann);
    expect(text.match(/"installs":\d+/g)).toEqual([`"installs":${digits}`, `"installs":${digits}`]);
  });
});

describe('listing apps', () => {
  test('returns the workspace’s apps once each over all pages, with the total', async () => {
    const ids = [];
    for (const storeAppId of ['app.lumen.habits', 'app.babel.translate', 'app.exact.counter'])
      ids.push((await add({ store: 'android', storeAppId })).id);
    await add(lumen, await api.signUp());
    const first = await api.ok('GET /apps', { query: { limit: 2 } }, ann);
    expect(first).toMatchObject({
      items: [{ id: ids[0] }, { id: ids[1] }],
      total: 3,
      nextCursor: expect.any(String),
    });
    const second = await api.ok(
      'GET /apps',
      { query: { limit: 2, cursor: first.nextCursor! } },
      ann,
    );
    expect(second).toMatchObject({ items: [{ id: ids[2] }], total: 3, nextCursor: null });
    for (const cursor of [
      'x',
      'bnVsbA',
      Buffer.from('[-1]').toString('base64url'),
      Buffer.from('["1"]').toString('base64url'),
    ]) {
      expect((await api.call('GET /apps', { query: { cursor } }, ann)).body.code).toBe(
        'invalid_cursor',
      );
    }
  });

  test('filters by store, name, tag and archived', async () => {
    const ios = await add({ ...lumen, tags: ['Own'] });
    const android = await add({ store: 'android', storeAppId: 'app.babel.translate' });
    const idsOf = async (query: object) =>
      (await api.ok('GET /apps', { query }, ann)).items.map((app) => app.id);
    expect(await idsOf({ store: 'android' })).toEqual([android.id]);
    expect(await idsOf({ q: 'LUMEN' })).toEqual([ios.id]);
    expect(await idsOf({ q: 'app.babel' })).toEqual([android.id]);
    expect(await idsOf({ q: '%' })).toEqual([]);
    expect(await idsOf({ tag: 'Own' })).toEqual([ios.id]);
    await api.ok(
      'PATCH /apps/{id}',
      { params: { id: android.id }, body: { displayName: 'Ours, renamed' } },
      ann,
    );
    expect(await idsOf({ q: 'renamed' })).toEqual([android.id]);
    const [displayName, params] = ['İzmir App™ … ：ｶﾞｲﾄﾞ ΟΔΟΣ', { id: android.id }];
    await api.ok('PATCH /apps/{id}', { params, body: { displayName } }, ann);
    for (const q of [displayName, 'izmir', 'İZMİR', 'App™', 'apptm ...', ':ガイド', 'οδος', 'Οδος'])
      expect([q, await idsOf({ q })]).toEqual([q, [android.id]]);
    await api.ok('DELETE /apps/{id}', { params: { id: ios.id } }, ann);
    expect(await idsOf({})).toEqual([android.id]);
    expect(await idsOf({ archived: 'true' })).toEqual([ios.id]);
    expect((await api.raw('/apps?q=%00', {}, ann)).status).toBe(400);
  });

  test('includes counts only on request', async () => {
    const { id } = await add();
    await follow(id);
    await rows(
      `update keywords set latest_on = '2026-11-21', latest_position = 4, latest_depth = 200 ` +
        'where app_id = $1 and market_id = (select min(market_id) from keywords where app_id = ' +
        '$1)',
      [id],
    );
    expect((await api.ok('GET /apps', null, ann)).items[0]).not.toHaveProperty('counts');
    expect(
      (await api.ok('GET /apps', { query: { include: 'summary' } }, ann)).items[0]!.counts,
    ).toEqual({ keywords: 4, countries: 2, ranked: 1 });
  });
});

describe('updating an app', () => {
  test('writes the fields sent and keeps the rest; null clears a field', async () => {
    const { id } = await add();
    const patch = (body: object) => api.ok('PATCH /apps/{id}', { params: { id }, body }, ann);
    expect(await patch({ displayName: ' Mine ', tags: ['x', 'x', 'y'], note: 'n' })).toMatchObject({
      displayName: 'Mine',
      tags: ['x', 'y'],
      note: 'n',
    });
    expect(await patch({ displayName: null })).toMatchObject({
      displayName: null,
      tags: ['x', 'y'],
      note: 'n',
    });
    expect(await patch({})).toMatchObject({ displayName: null, tags: ['x', 'y'], note: 'n' });
    expect(
      (await api.call('PATCH /apps/{id}', { params: { id }, body: { note: 'a\0' } }, ann)).status,
    ).toBe(400);
  });

  test('links the same product in the other store, within the workspace', async () => {
    const bob = await api.signUp();
    const [ios, android, his] = [await add(), await add(habits), await add(habits, bob)];
    const link = (linkedAppId: number | null) =>
      api.call('PATCH /apps/{id}', { params: { id: ios.id }, body: { linkedAppId } }, ann);
    expect((await link(android.id)).body.linkedAppId).toBe(android.id);
    expect((await link(his.id)).status).toBe(404);
    expect((await link(999_999)).status).toBe(404);
    expect((await link(ios.id)).body).toMatchObject({
      code: 'invalid_request',
      issues: [{ path: 'linkedAppId' }],
    });
    await api.ok(
      'DELETE /apps/{id}',
      { params: { id: android.id }, query: { purge: 'true' } },
      ann,
    );
    expect(await api.ok('GET /apps/{id}', { params: { id: ios.id } }, ann)).toMatchObject({
      linkedAppId: null,
    });
  });

  test('returns 404 for another workspace’s app, exactly as for an unknown id', async () => {
    const { id } = await add(lumen, await api.signUp());
    const calls = [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['DELETE', '?purge=true'],
      ['POST', '/restore'],
      ['POST', '/refresh'],
      ['POST', '/run-daily'],
      ['GET', '/overview'],
      ['GET', '/markets'],
    ] as const;
    simulator.clearLog();
    for (const [method, rest] of calls) {
      const init =
        method === 'PATCH'
          ? { method, body: '{"note":"x"}', headers: { 'content-type': 'application/json' } }
          : { method };
      const [foreign, absent] = [
        await api.raw(`/apps/${id}${rest}`, init, ann),
        await api.raw(`/apps/424242${rest}`, init, ann),
      ];
      expect([method, rest, foreign.status, absent.status]).toEqual([method, rest, 404, 404]);
      expect(foreign.text.replace(`/apps/${id}`, '/apps/424242')).toBe(absent.text);
    }
    expect(simulator.log()).toHaveLength(0);
    expect(await rows('select note, archived_at from apps where id = $1', [id])).toEqual([
      { note: null, archived_at: null },
    ]);
  });
});

describe('refreshing an app', () => {
  test('records no change if the listing is the same', async () => {
    const { id } = await add(habits);
    const { changes, previous, snapshot } = await api.ok(
      'POST /apps/{id}/refresh',
      { params: { id } },
      ann,
    );
    expect(changes).toEqual([]);
    expect(previous).toEqual(snapshot);
    expect(
      await rows('select from snapshots s join apps a using (listing_id) where a.id = $1', [id]),
    ).toHaveLength(1);
  });

  test('records each change of a listing with one snapshot', async () => {
    const { id } = await add();
    const token = await api.token(ann);
    const fieldsByDay: string[][] = [];
    const days = listDays('2026-11-22', '2027-01-25').filter((_day, index) => index % 4 < 2);
    for (const day of days) {
      simulator.setNow(new Date(`${day}T12:00:00Z`));
      api.clock.set(`${day}T12:00:00Z`);
      const { changes } = await api.ok('POST /apps/{id}/refresh', { params: { id } }, token);
      fieldsByDay.push(changes.map((change) => change.field));
    }
    const texts = fieldsByDay.map((fields) =>
      fields.filter((field) => field !== 'rating' && field !== 'ratingCount'),
    );
    expect(new Set(texts.flat())).toContain('name');
    const kept = await rows(
      'select from snapshots s join apps a using (listing_id) where a.id = $1',
      [id],
    );
    expect(kept).toHaveLength(1 + texts.filter((fields) => fields.length > 0).length);
    expect(fieldsByDay.filter((fields) => fields.length === 0).length).toBeGreaterThan(0);
    expect(
      await rows('select from listing_days d join apps a using (listing_id) where a.id = $1', [id]),
    ).toHaveLength(1 + days.length);
  });

  test('writes nothing if the store’s response is unusable', async () => {
    const { id } = await add(habits);
    const before = await rows('select * from listing_days');
    for (const fault of ['503', 'captcha', 'rpc-renamed'] as const) {
      simulator.setFaults([{ fault }]);
      expect((await api.call('POST /apps/{id}/refresh', { params: { id } }, ann)).body.code).toBe(
        'store_unavailable',
      );
    }
    simulator.setFaults([{ fault: 'gone', storeAppId: habits.storeAppId }]);
    expect((await api.call('POST /apps/{id}/refresh', { params: { id } }, ann)).body.code).toBe(
      'store_app_not_found',
    );
    expect(await rows('select * from listing_days')).toEqual(before);
  });
});

test('run-daily accepts one job for the markets without a check today', async () => {
  const { id } = await add();
  await follow(id);
  const first = await api.call('POST /apps/{id}/run-daily', { params: { id } }, ann);
  expect(first).toMatchObject({
    status: 202,
    body: {
      job: { kind: 'run-daily', state: 'queued', deduped: false },
      poll: `/apps/${id}/rankings`,
    },
  });
  const [job] = await rows('select total, done, payload from jobs where id = $1', [
    first.body.job.id,
  ]);
  expect(job.payload.marketIds).toHaveLength(4);
  // Four markets, and in both countries the listing, its feed, its page and four charts. The
  // listing in the first country was read with the app.
  expect([job.total, job.done]).toEqual([18, 1]);
  expect(job.payload.storeTaskIds).toHaveLength(12);
  const second = await api.ok('POST /apps/{id}/run-daily', { params: { id } }, ann);
  expect(second.job).toMatchObject({ id: first.body.job.id, deduped: true });
});
