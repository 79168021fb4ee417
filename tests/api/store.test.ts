import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startSimulator, type Simulator } from '#simulator/server.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { openStores } from '../stores/store-server.ts';

let simulator: Simulator;
let stores: ReturnType<typeof openStores>;
let api: TestApi;
let ann: Account;
let bob: Account;

beforeAll(async () => {
  simulator = await startSimulator({
    seed: 3,
    now: new Date('2026-11-21T12:00:00Z'),
    compress: false,
    world: { apps: 300, hugeInstalls: true },
  });
  stores = openStores(simulator.baseUrl, { timeoutMs: 30_000 });
  api = await startApi({ stores: stores.stores });
  [ann, bob] = [await api.signUp(), await api.signUp()];
});
afterAll(async () => {
  await api.close();
  await stores.close();
  await simulator.close();
});
afterEach(() => {
  simulator.setFaults([]);
  simulator.clearLog();
});

/** Every table except those that a request itself may change. */
async function countRows(): Promise<unknown> {
  const tables = [
    'listings',
    'snapshots',
    'listing_days',
    'listing_schedule',
    'apps',
    'jobs',
    'serps',
    'markets',
  ];
  return (
    await api.db.pool.query(
      `select ${tables.map((table) => `(select count(*) from ${table}) as ${table}`).join(', ')}`,
    )
  ).rows[0];
}

test.each(['ios', 'android'] as const)(
  'a search of %s returns the store’s order within the limit, and stores nothing',
  async (store) => {
    const before = await countRows();
    const { items, nextCursor, total } = await api.ok(
      'GET /store/apps/search',
      { query: { store, q: 'habit tracker', country: 'us', limit: 12 } },
      ann,
    );
    expect(items.map((item) => item.storeAppId)).toEqual(
      simulator
        .order({
          store,
          phrase: 'habit tracker',
          country: 'us',
          ...(store === 'ios' && { shownOn: 'api' }),
        })
        .slice(0, 12),
    );
    expect([nextCursor, total, new Set(items.map((item) => item.tracked))]).toEqual([
      null,
      items.length,
      new Set([null]),
    ]);
    expect(await countRows()).toEqual(before);
  },
);

test('a search marks the apps of this workspace and not those of others', async () => {
  const { app } = await api.ok(
    'POST /apps',
    { body: { store: 'android', storeAppId: 'app.lumen.habits' } },
    ann,
  );
  const query = { store: 'android', q: 'lumen habits', country: 'de' } as const;
  const trackedIn = async (who: Account) =>
    (await api.ok('GET /store/apps/search', { query }, who)).items.find(
      (item) => item.storeAppId === 'app.lumen.habits',
    )!.tracked;
  expect(await trackedIn(ann)).toBe(app.id);
  expect(await trackedIn(bob)).toBeNull();
  const lookUp = async (who: Account) =>
    (
      await api.ok(
        'GET /store/apps/lookup',
        { query: { store: 'android', id: 'app.lumen.habits' } },
        who,
      )
    ).tracked;
  expect([await lookUp(ann), await lookUp(bob)]).toEqual([app.id, null]);
  await api.ok('DELETE /apps/{id}', { params: { id: app.id } }, ann);
  expect([await trackedIn(ann), await lookUp(ann)]).toEqual([null, null]);
});

test('a lookup returns the listing with first phrases, and stores nothing', async () => {
  const before = await countRows();
  const listing = await api.ok(
    'GET /store/apps/lookup',
    { query: { url: 'https://apps.apple.com/gb/app/lumen/id1500000001' } },
    ann,
  );
  expect(listing).toMatchObject({
    store: 'ios',
    storeAppId: '1500000001',
    country: 'gb',
    currency: 'GBP',
    storeUrl: 'https://apps.apple.com/gb/app/id1500000001',
    tracked: null,
  });
  expect(listing.phrases.map((item) => item.phrase)).toContain('lumen');
  expect(listing.phrases.length).toBeGreaterThanOrEqual(8);
  expect(await countRows()).toEqual(before);
});

test('installs beyond 2^53 are returned digit for digit', async () => {
  const { text } = await api.raw('/store/apps/lookup?store=android&id=app.limit.counter', {}, ann);
  expect(text).toContain('"installs":9223372036854775807,');
});

test('a read-only token can search and look up', async () => {
  const token = await api.token(ann, { readOnly: true });
  expect(
    (
      await api.call(
        'GET /store/apps/lookup',
        { query: { store: 'ios', id: '1500000001', country: 'us' } },
        token,
      )
    ).status,
  ).toBe(200);
  expect(
    (
      await api.call(
        'GET /store/apps/search',
        { query: { store: 'ios', q: 'calm', country: 'us', limit: 1 } },
        token,
      )
    ).status,
  ).toBe(200);
});

test.each([
  ['/store/apps/lookup', 400, 'invalid_request'],
  ['/store/apps/lookup?store=ios', 400, 'invalid_request'],
  [
    '/store/apps/lookup?store=ios&id=1500000001&url=https://apps.apple.com/app/id1',
    400,
    'invalid_request',
  ],
  ['/store/apps/lookup?store=ios&id=com.example', 400, 'invalid_request'],
  ['/store/apps/lookup?url=https://example.org', 400, 'invalid_request'],
  ['/store/apps/lookup?store=ios&id=1500000001&country=US', 400, 'invalid_country'],
  ['/store/apps/lookup?store=ios&id=77', 404, 'store_app_not_found'],
  ['/store/apps/lookup?store=android&id=com.nobody.knows', 404, 'store_app_not_found'],
  ['/store/apps/search?store=ios&q=calm', 400, 'invalid_request'],
  ['/store/apps/search?store=ios&q=%00&country=us', 400, 'invalid_request'],
  ['/store/apps/search?store=ios&q=calm&country=us&limit=51', 400, 'invalid_request'],
])('%s gets %i %s', async (path, status, code) => {
  const response = await api.raw(path, {}, ann);
  expect([response.status, [code, 'invalid_request'].includes(response.body.code)]).toEqual([
    status,
    true,
  ]);
});

test('a store without a usable response is never an empty list', async () => {
  for (const fault of ['429', 'captcha', 'empty', 'truncated-gzip'] as const) {
    simulator.setFaults([{ fault }]);
    for (const path of [
      '/store/apps/search?store=ios&q=calm&country=us',
      '/store/apps/lookup?store=ios&id=1500000001',
    ]) {
      const response = await api.raw(path, {}, ann);
      expect([fault, response.status, response.body.code]).toEqual([
        fault,
        503,
        'store_unavailable',
      ]);
    }
  }
});
