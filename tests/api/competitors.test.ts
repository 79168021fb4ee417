import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startSimulator, type Simulator } from '#simulator/server.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { openStores } from '../stores/store-server.ts';
import { readAt } from './changes.fixtures.ts';
import { describeTables } from './keywords.fixtures.ts';

let simulator: Simulator;
let stores: ReturnType<typeof openStores>;
let api: TestApi;
let ann: Account;
let appId: number;
/** Other apps of the simulated store. */
let others: string[];

const start = '2026-11-21T12:00:00Z';
const lumen = { store: 'ios', storeAppId: '1500000001' } as const;

beforeAll(async () => {
  simulator = await startSimulator({
    seed: 3,
    now: new Date(start),
    compress: false,
    world: { apps: 300 },
  });
  stores = openStores(simulator.baseUrl, { timeoutMs: 30_000 });
  api = await startApi({ stores: stores.stores });
  const found = await api.ok(
    'GET /store/apps/search',
    { query: { store: 'ios', q: 'habit tracker', country: 'us' } },
    await api.signUp(),
  );
  others = found.items.map((item) => item.storeAppId).filter((id) => id !== lumen.storeAppId);
});
afterAll(async () => {
  await api.close();
  await stores.close();
  await simulator.close();
});
beforeEach(async () => {
  await api.db.pool.query('truncate workspaces, users, markets, listings cascade');
  ann = await api.signUp();
  appId = await track(ann);
  simulator.clearLog();
});
afterEach(() => {
  simulator.setFaults([]);
  simulator.setNow(new Date(start));
  api.clock.set(start);
});

const track = async (who: Account) => (await api.ok('POST /apps', { body: lumen }, who)).app.id;
const follow = (countries: string[], who = ann, id = appId) =>
  api.ok(
    'POST /apps/{id}/keywords',
    { params: { id }, body: { phrases: ['habit tracker', 'mood journal'], countries } },
    who,
  );
const post = (body: object, who: { headers: Record<string, string> } = ann, id = appId) =>
  api.call('POST /apps/{id}/competitors', { params: { id }, body: body as never }, who);
const add = async (storeAppId = others[0]!, who = ann, id = appId) =>
  (await post({ storeAppId }, who, id)).body.competitor as { id: number };
const rows = async (text: string, values: unknown[] = []) =>
  (await api.db.pool.query(text, values)).rows;
const schedule = async (storeAppId: string) =>
  (
    await rows(
      'select country from listing_schedule s join listings l on l.id = s.listing_id where ' +
        'l.store_app_id = $1 and s.active order by 1',
      [storeAppId],
    )
  ).map((row) => row.country);

describe('adding a competitor', () => {
  test('fetches and stores the listing without creating an app', async () => {
    await follow(['us', 'de']);
    const response = await post({ storeAppId: others[0], relationship: 'direct' });
    expect([response.status, simulator.log().length]).toEqual([201, 1]);
    expect(response.body.competitor).toMatchObject({
      appId,
      store: 'ios',
      storeAppId: others[0],
      name: expect.any(String),
      storeUrl: `https://apps.apple.com/us/app/id${others[0]}`,
      relationship: 'direct',
      note: null,
      trackedAppId: null,
      createdAt: '2026-11-21T12:00:00.000Z',
      lastSnapshotAt: '2026-11-21T12:00:00.000Z',
      overlap: { compared: 0, both: 0, wins: 0, losses: 0, onlyOwn: 0, onlyCompetitor: 0 },
    });
    expect(response.body.job).toMatchObject({
      kind: 'app-refresh',
      state: 'queued',
      deduped: false,
    });
    const listed = await api.ok('GET /apps/{id}/competitors', { params: { id: appId } }, ann);
    expect(listed).toEqual({ items: [response.body.competitor], nextCursor: null, total: 1 });
    expect((await api.ok('GET /apps', null, ann)).items.map((app) => app.id)).toEqual([appId]);
  });

  test('has its listing refreshed daily in the app’s countries, within the budget', async () => {
    await follow(['us', 'de']);
    const before = await api.ok('GET /jobs/budget', null, ann);
    await add();
    expect(await schedule(others[0]!)).toEqual(['de', 'us']);
    const reads = (budget: typeof before) => JSON.stringify(budget);
    expect(reads(await api.ok('GET /jobs/budget', null, ann))).not.toBe(reads(before));
    const de = await rows(
      'select urgent_at is not null as urgent from listing_schedule s join listings l on ' +
        `l.id = s.listing_id where l.store_app_id = $1 and country = 'de'`,
      [others[0]],
    );
    expect(de).toEqual([{ urgent: true }]);
    await follow(['jp']);
    expect(await schedule(others[0]!)).toEqual(['de', 'jp', 'us']);
    const { items } = await api.ok(
      'GET /apps/{id}/keywords',
      { params: { id: appId }, query: { country: 'jp' } },
      ann,
    );
    await api.ok(
      'POST /apps/{id}/keywords/delete',
      { params: { id: appId }, body: { ids: items.map((item) => item.id) } },
      ann,
    );
    expect(await schedule(others[0]!)).toEqual(['de', 'us']);
  });

  test('stops with archiving the app, resumes with restoring, ends with deletion', async () => {
    await add();
    await api.ok('DELETE /apps/{id}', { params: { id: appId } }, ann);
    expect(await schedule(others[0]!)).toEqual([]);
    expect((await post({ storeAppId: others[1] })).status).toBe(400);
    await api.ok('POST /apps/{id}/restore', { params: { id: appId } }, ann);
    expect(await schedule(others[0]!)).toEqual(['us']);
    await api.ok('DELETE /apps/{id}', { params: { id: appId }, query: { purge: true } }, ann);
    expect(await schedule(others[0]!)).toEqual([]);
    expect(await rows('select from competitors')).toEqual([]);
  });

  test('returns the existing one without a store request; two at once create one', async () => {
    const both = await Promise.all([
      post({ storeAppId: others[0] }),
      post({ url: `https://apps.apple.com/us/app/x/id${others[0]}` }),
    ]);
    expect(both.map((response) => response.status).toSorted()).toEqual([200, 201]);
    expect(new Set(both.map((response) => response.body.competitor.id)).size).toBe(1);
    simulator.clearLog();
    const again = await post({ storeAppId: others[0], relationship: 'other' });
    expect([
      again.status,
      again.body.job,
      again.body.competitor.relationship,
      simulator.log().length,
    ]).toEqual([200, null, null, 0]);
  });

  test('works for many apps and workspaces with one listing, revealing no others', async () => {
    const bob = await api.signUp();
    const bobsApp = await track(bob);
    const mine = await add();
    api.clock.advance(60_000);
    const theirs = (await post({ storeAppId: others[0] }, bob, bobsApp)).body.competitor;
    expect(theirs.id).not.toBe(mine.id);
    expect(theirs.createdAt).toBe('2026-11-21T12:01:00.000Z');
    await api.ok(
      'DELETE /apps/{id}/competitors/{cid}',
      { params: { id: bobsApp, cid: theirs.id } },
      bob,
    );
    expect(await schedule(others[0]!)).toEqual(['us']);
    expect((await api.ok('GET /apps/{id}/competitors', { params: { id: appId } }, ann)).total).toBe(
      1,
    );
  });

  test.each([
    [{ storeAppId: '1500000001' }, 'storeAppId'],
    [{ url: 'https://apps.apple.com/us/app/x/id1500000001' }, 'url'],
    [{ url: 'https://play.google.com/store/apps/details?id=app.lumen.habits' }, 'url'],
    [{ url: 'https://example.org/' }, 'url'],
    [{ storeAppId: 'com.example' }, 'storeAppId'],
    [{ storeAppId: '5', relationship: 'a\u0000b' }, 'body'],
    [{ storeAppId: '5', relationship: 'x'.repeat(61) }, 'relationship'],
  ])('refuses %j with a reason and sends no store request', async (body, path) => {
    const before = await describeTables(api);
    const response = await post(body);
    expect(response.body).toMatchObject({
      statusCode: 400,
      code: 'invalid_request',
      issues: [{ path }],
    });
    expect(simulator.log()).toHaveLength(0);
    expect(await describeTables(api)).toEqual(before);
  });

  test('reports an unknown app or a failing store, and writes nothing', async () => {
    const before = await describeTables(api);
    const unknown = await post({ storeAppId: '999' });
    expect([unknown.status, unknown.body.code]).toEqual([404, 'store_app_not_found']);
    simulator.setFaults([{ fault: '503' }]);
    const down = await post({ storeAppId: others[0] });
    expect([down.status, down.body.code]).toEqual([503, 'store_unavailable']);
    expect(await describeTables(api)).toEqual(before);
  });

  test('is limited to fifty for an app', async () => {
    await rows(
      `insert into listings (store, store_app_id, name) select 'ios', (3000000000 + ` +
        `n)::text, 'x' from generate_series(1, 50) n`,
    );
    await rows(
      `insert into competitors (workspace_id, app_id, listing_id, tracking_periods, followed_at,
         created_at)
       select $1, $2, id, '[]', now(), now() from listings where store_app_id like '30%'`,
      [ann.workspaceId, appId],
    );
    const response = await post({ storeAppId: others[0] });
    expect(response.body).toMatchObject({
      code: 'invalid_request',
      issues: [{ limit: 50, actual: 51 }],
    });
    expect(simulator.log()).toHaveLength(0);
  });

  test('is idempotent with a key, and refused when the queue is full', async () => {
    const keyed = () =>
      api.raw(
        `/apps/${appId}/competitors`,
        {
          method: 'POST',
          body: JSON.stringify({ storeAppId: others[0] }),
          headers: { 'content-type': 'application/json', 'idempotency-key': 'k1' },
        },
        ann,
      );
    const [first, second] = [await keyed(), await keyed()];
    expect([first.status, second.status, second.text]).toEqual([201, 201, first.text]);
    const full = await startApi({
      db: api.db,
      stores: stores.stores,
      deps: { authSecret: api.authSecret },
      services: { queueCapacity: { usedBytes: () => Promise.resolve(100), capBytes: 100 } },
    });
    const refused = await full.call(
      'POST /apps/{id}/competitors',
      { params: { id: appId }, body: { storeAppId: others[1]! } },
      ann,
    );
    expect([refused.status, refused.body.code]).toEqual([500, 'queue_full']);
    await full.close();
  });
});

describe('updating and removing a competitor', () => {
  test('stores a note and clears it', async () => {
    const { id: cid } = await add();
    const change = (body: object) =>
      api.ok('PATCH /apps/{id}/competitors/{cid}', { params: { id: appId, cid }, body }, ann);
    expect(await change({ relationship: ' copies us ', note: 'since May' })).toMatchObject({
      relationship: 'copies us',
      note: 'since May',
    });
    expect(await change({ note: null })).toMatchObject({ relationship: 'copies us', note: null });
    expect(await change({})).toMatchObject({ relationship: 'copies us', note: null });
    for (const body of [
      { relationship: '' },
      { relationship: 'x'.repeat(61) },
      { note: 5 },
      { name: 'x' },
      { note: '\ud800' },
    ]) {
      expect(
        (
          await api.call(
            'PATCH /apps/{id}/competitors/{cid}',
            { params: { id: appId, cid }, body: body as never },
            ann,
          )
        ).status,
      ).toBe(400);
    }
  });

  test('hides it everywhere, stops refreshes, and adding restores its id', async () => {
    const { id: cid } = await add();
    await api.ok(
      'PATCH /apps/{id}/competitors/{cid}',
      { params: { id: appId, cid }, body: { note: 'kept' } },
      ann,
    );
    const target = { params: { id: appId, cid } };
    expect(await api.ok('DELETE /apps/{id}/competitors/{cid}', target, ann)).toEqual({
      id: cid,
      deleted: true,
    });
    expect(
      (await api.ok('GET /apps/{id}/competitors', { params: { id: appId } }, ann)).items,
    ).toEqual([]);
    expect((await api.call('DELETE /apps/{id}/competitors/{cid}', target, ann)).status).toBe(404);
    expect(
      (
        await api.call(
          'PATCH /apps/{id}/competitors/{cid}',
          { ...target, body: { note: 'x' } },
          ann,
        )
      ).status,
    ).toBe(404);
    expect((await api.call('GET /apps/{id}/competitors/{cid}/rankings', target, ann)).status).toBe(
      404,
    );
    expect(
      (
        await api.call(
          'GET /apps/{id}/compare',
          { params: { id: appId }, query: { with: String(cid) } },
          ann,
        )
      ).status,
    ).toBe(404);
    expect(await schedule(others[0]!)).toEqual([]);
    api.clock.advance(3_600_000);
    const back = await post({ storeAppId: others[0], relationship: 'again' });
    expect([back.status, back.body.competitor.id, back.body.job.kind]).toEqual([
      200,
      cid,
      'app-refresh',
    ]);
    expect(back.body.competitor).toMatchObject({
      note: 'kept',
      relationship: 'again',
      lastSnapshotAt: '2026-11-21T13:00:00.000Z',
    });
    expect(await rows('select tracking_periods from competitors')).toEqual([
      {
        tracking_periods: [
          ['2026-11-21', 0],
          ['2026-11-22', 200],
        ],
      },
    ]);
    expect(await schedule(others[0]!)).toEqual(['us']);
  });

  describe('and adding it again', () => {
    const storeAppId = () => others[0]!;
    const at = (instant: string) => {
      api.clock.set(instant);
      simulator.setNow(new Date(instant));
    };
    const remove = (cid: number) =>
      api.ok('DELETE /apps/{id}/competitors/{cid}', { params: { id: appId, cid } }, ann);
    const read = (day: number, name: string) =>
      readAt(api, storeAppId(), `2026-11-${day}T02:00:00Z`, { name });
    /** The new names that the app's changes and those of the workspace show. */
    const names = async () => {
      const query = { scope: 'competitors' as const };
      const ofApp = await api.ok('GET /apps/{id}/changes', { params: { id: appId }, query }, ann);
      const ofAll = await api.ok('GET /changes', { query }, ann);
      expect(ofAll.items.map(({ id }) => id)).toEqual(ofApp.items.map(({ id }) => id));
      return ofApp.items.filter(({ field }) => field === 'name').map(({ after }) => after);
    };
    const tracking = () =>
      rows('select tracking_periods as periods, archived_spans as spans from competitors');

    test('at once keeps its history and the day', async () => {
      const { id: cid } = await add();
      await read(22, 'Old name');
      await read(23, 'New name');
      at('2026-11-24T12:00:00Z');
      expect(await names()).toEqual(['New name']);
      await remove(cid);
      api.clock.advance(2_000);
      await add();
      expect(await names()).toEqual(['New name']);
      expect(await tracking()).toEqual([{ periods: [['2026-11-22', 200]], spans: [] }]);
    });

    test('on a later day hides what others have read in between', async () => {
      const { id: cid } = await add();
      await read(22, 'Old name');
      await read(23, 'New name');
      at('2026-11-24T12:00:00Z');
      await remove(cid);
      for (const [day, name] of [
        [25, 'Read for others'],
        [26, 'Read again for others'],
      ] as const)
        await read(day, name);
      at('2026-11-27T12:00:00Z');
      await add();
      expect(await names()).toEqual(['New name']);
      await read(28, 'Name of the 28th');
      await read(29, 'Name of the 29th');
      at('2026-11-29T12:00:00Z');
      expect(await names()).toEqual(['Name of the 29th', 'New name']);
      expect(await tracking()).toEqual([
        {
          periods: [
            ['2026-11-22', 200],
            ['2026-11-24', 0],
            ['2026-11-28', 200],
          ],
          spans: [['2026-11-24T12:00:00.000Z', '2026-11-27T12:00:00.000Z']],
        },
      ]);
    });
  });
});

describe('access to competitors', () => {
  test('returns the same 404 for another workspace’s app or competitor as for none', async () => {
    const bob = await api.signUp();
    const bobsApp = await track(bob);
    const { id: theirs } = await add(others[0], bob, bobsApp);
    const ask = async (id: number, cid: number) => [
      await api.call(
        'PATCH /apps/{id}/competitors/{cid}',
        { params: { id, cid }, body: { note: 'mine' } },
        ann,
      ),
      await api.call('DELETE /apps/{id}/competitors/{cid}', { params: { id, cid } }, ann),
      await api.call('GET /apps/{id}/competitors/{cid}/rankings', { params: { id, cid } }, ann),
      await api.call(
        'GET /apps/{id}/compare',
        { params: { id }, query: { with: String(cid) } },
        ann,
      ),
    ];
    const bare = (responses: Awaited<ReturnType<typeof ask>>) =>
      responses.map(({ status, body: { path: _path, timestamp: _at, ...body } }) => ({
        status,
        body,
      }));
    const before = await describeTables(api);
    const expected = bare(await ask(2_147_483_000, 2_147_483_000));
    expect(expected.map((response) => response.status)).toEqual([404, 404, 404, 404]);
    for (const [id, cid] of [
      [appId, theirs],
      [bobsApp, theirs],
      [bobsApp, 2_147_483_000],
    ] as const)
      expect(bare(await ask(id, cid))).toEqual(expected);
    expect((await post({ storeAppId: others[1] }, ann, bobsApp)).status).toBe(404);
    expect(await describeTables(api)).toEqual(before);
  });

  test('refuses writes by read-only tokens and suspended workspaces', async () => {
    const { id: cid } = await add();
    const reader = await api.token(ann, { readOnly: true });
    for (const path of [
      'competitors',
      'competitors/suggestions',
      `competitors/${cid}/rankings`,
      'gaps',
      'compare',
    ]) {
      expect([path, (await api.raw(`/apps/${appId}/${path}`, {}, reader)).status]).toEqual([
        path,
        200,
      ]);
    }
    const tries = async (who: { headers: Record<string, string> }) => [
      (await post({ storeAppId: others[1] }, who)).body.code,
      (
        await api.call(
          'PATCH /apps/{id}/competitors/{cid}',
          { params: { id: appId, cid }, body: { note: 'x' } },
          who,
        )
      ).body.code,
      (await api.call('DELETE /apps/{id}/competitors/{cid}', { params: { id: appId, cid } }, who))
        .body.code,
    ];
    const before = await describeTables(api);
    expect(await tries(reader)).toEqual(['read_only_token', 'read_only_token', 'read_only_token']);
    await rows('update workspaces set suspended_at = now() where id = $1', [ann.workspaceId]);
    expect(await tries(ann)).toEqual([
      'workspace_suspended',
      'workspace_suspended',
      'workspace_suspended',
    ]);
    await rows('update workspaces set suspended_at = null where id = $1', [ann.workspaceId]);
    expect(await describeTables(api)).toEqual(before);
  });
});

describe('comparing listings', () => {
  const compare = (query: object = {}) =>
    api.ok('GET /apps/{id}/compare', { params: { id: appId }, query }, ann);

  test('returns the newest snapshots, the app first, and names the differences', async () => {
    const [first, second] = [await add(others[0]), await add(others[1])];
    const response = await compare({ with: `${second.id},${first.id}` });
    expect(response.country).toBe('us');
    expect(response.items.map((item) => [item.competitorId, item.storeAppId])).toEqual([
      [null, '1500000001'],
      [first.id, others[0]],
      [second.id, others[1]],
    ]);
    expect(response.items.every((item) => item.snapshot?.description)).toBe(true);
    expect(response.differing).toEqual(
      expect.arrayContaining(['name', 'description', 'developer']),
    );
    expect(response.differing).not.toContain('takenAt');
    expect((await compare()).items).toHaveLength(3);
    for (const given of ['x', '1,', '-1', '0', Array.from({ length: 11 }, () => 1).join()]) {
      expect((await api.raw(`/apps/${appId}/compare?with=${given}`, {}, ann)).status).toBe(400);
    }
    expect(
      (await api.raw(`/apps/${appId}/compare?with=${first.id},9999999999`, {}, ann)).status,
    ).toBe(404);
  });

  test('hides a snapshot from before, which would reveal that others track it', async () => {
    const bob = await api.signUp();
    const bobsApp = await track(bob);
    await follow(['de'], bob, bobsApp);
    await add(others[0], bob, bobsApp);
    await rows(
      `insert into snapshots (listing_id, country, taken_at, content_hash, fields)
         select listing_id, 'de', taken_at, content_hash, fields from snapshots
       where listing_id = (select id from listings where store_app_id = $1)`,
      [others[0]],
    );
    await rows(
      `insert into listing_days (listing_id, country, on_date, read_at) select id, 'de', ` +
        `'2026-11-21', '2026-11-21T12:00:00Z' from listings where store_app_id = $1`,
      [others[0]],
    );
    api.clock.advance(60_000);
    await add(others[0]);
    expect((await compare({ country: 'de' })).items[1]!.snapshot).toBeNull();
    await rows(`update listing_days set read_at = '2026-11-21T12:02:00Z' where country = 'de'`);
    // Only bob tracks the country.
    expect((await compare({ country: 'de' })).items[1]!.snapshot).toBeNull();
    await follow(['de']);
    expect((await compare({ country: 'de' })).items[1]!.snapshot).toMatchObject({
      country: 'de',
      takenAt: '2026-11-21T12:02:00.000Z',
    });
  });
});
