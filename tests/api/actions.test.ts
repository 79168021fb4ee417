import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import {
  seedRankDrop,
  fallen,
  generate,
  listTypes,
  run,
  insertPositions,
  trackApp,
  trackKeyword,
  work,
} from './actions.fixtures.ts';
import { describeTables } from './keywords.fixtures.ts';

let api: TestApi;
let me: Account;
beforeAll(async () => {
  api = await startApi();
});
beforeEach(async () => {
  api.clock.set('2026-11-21T12:00:00Z');
  me = await api.signUp();
});
afterAll(() => api.close());

/** An account with one open action. */
async function openOne(account = me) {
  const arranged = await seedRankDrop(api, account);
  await run(api, account);
  const { items } = await api.ok(
    'GET /actions',
    { query: { type: 'rank-drop' } as never },
    account,
  );
  return { ...arranged, id: items[0]!.id, action: items[0]! };
}
const events = (account = me) =>
  api.ok('GET /events', { query: { type: 'action.opened' } }, account);

describe('generating actions', () => {
  test('creates actions with evidence, and emits events with the same numbers', async () => {
    const { app, keyword, action } = await openOne();
    expect(action).toEqual({
      id: expect.any(Number),
      appId: app.id,
      type: 'rank-drop',
      severity: 'high',
      title: '“habit tracker” (US) fell from 8 to 21',
      reason: expect.stringContaining('The traffic score of the phrase is 63 of 100.'),
      evidence: {
        phrase: 'habit tracker',
        country: 'us',
        device: 'iphone',
        usualPosition: 8,
        usualOverChecks: 8,
        latest: { date: '2026-11-21', position: 21, depth: 200 },
        recent: [
          { date: '2026-11-20', position: 21, depth: 200 },
          { date: '2026-11-21', position: 21, depth: 200 },
        ],
        positionsLost: 13,
        traffic: 63,
      },
      keywordIds: [keyword.id],
      openedAt: '2026-11-21T12:00:00.000Z',
      seenAt: '2026-11-21T12:00:00.000Z',
      state: 'open',
      snoozedUntil: null,
      resolvedAt: null,
      resolvedBy: null,
      dismissReason: null,
    });
    const reported = await events();
    expect(reported.items.map((event) => [event.sequence, event.app?.id, event.data])).toEqual([
      [
        1,
        app.id,
        {
          actionId: action.id,
          actionType: 'rank-drop',
          severity: 'high',
          title: action.title,
          reason: action.reason,
          evidence: action.evidence,
          keywordIds: [keyword.id],
        },
      ],
    ]);
    expect(reported.items[0]!.links).toMatchObject({ action: `/actions/${action.id}` });
  });

  test('returns the same job for the rest of the UTC day', async () => {
    const first = await api.call('POST /actions/run', null, me);
    expect(first.status).toBe(202);
    expect(first.body).toEqual({
      job: {
        id: expect.any(Number),
        kind: 'actions-run',
        state: 'queued',
        queuedAt: '2026-11-21T12:00:00.000Z',
        deduped: false,
      },
      poll: '/actions',
    });
    const { id } = first.body.job;
    api.clock.set('2026-11-21T23:59:59Z');
    const second = await api.ok('POST /actions/run', null, me);
    expect(second.job).toEqual({ ...first.body.job, deduped: true });
    await work(api, id);
    expect((await api.ok('POST /actions/run', null, me)).job).toMatchObject({
      id,
      state: 'succeeded',
      deduped: true,
    });
    expect((await api.ok('GET /jobs/{jobId}', { params: { jobId: id } }, me)).result).toEqual({
      path: '/actions',
    });
    api.clock.set('2026-11-22T00:00:00Z');
    const next = (await api.ok('POST /actions/run', null, me)).job;
    expect(next.id).not.toBe(id);
    expect(next.deduped).toBe(false);
  });

  test('returns one job to ten requests at once', async () => {
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => api.ok('POST /actions/run', null, me)),
    );
    expect(new Set(responses.map(({ job }) => job.id)).size).toBe(1);
    expect(responses.filter(({ job }) => !job.deduped)).toHaveLength(1);
    expect((await api.ok('GET /jobs', { query: { kind: 'actions-run' } as never }, me)).total).toBe(
      1,
    );
  });

  test('restarts a cancelled job under its id', async () => {
    const { job } = await api.ok('POST /actions/run', null, me);
    await api.ok('POST /jobs/{jobId}/cancel', { params: { jobId: job.id } }, me);
    expect((await api.ok('POST /actions/run', null, me)).job).toMatchObject({
      id: job.id,
      state: 'queued',
    });
  });

  test('gives each workspace its own job', async () => {
    const other = await api.signUp();
    const [mine, theirs] = [
      await api.ok('POST /actions/run', null, me),
      await api.ok('POST /actions/run', null, other),
    ];
    expect(mine.job.id).not.toBe(theirs.job.id);
    expect(theirs.job.deduped).toBe(false);
  });

  test('accepts and writes nothing when the queue is full', async () => {
    const full = await startApi({
      db: api.db,
      services: { queueCapacity: { usedBytes: () => Promise.resolve(200), capBytes: 200 } },
    });
    const account = await full.signUp();
    const before = await describeTables(full);
    const response = await full.call('POST /actions/run', null, account);
    expect([response.status, response.body.code]).toEqual([500, 'queue_full']);
    expect(await describeTables(full)).toEqual(before);
    await full.close();
  });

  test('creates nothing and emits nothing twice, even in parallel', async () => {
    const { action } = await openOne();
    const rows = async () =>
      (
        await api.db.pool.query('select * from actions where workspace_id = $1 order by id', [
          me.workspaceId,
        ])
      ).rows;
    const before = await rows();
    await generate(api, me);
    await Promise.all([generate(api, me), generate(api, me), generate(api, me)]);
    expect(await rows()).toEqual(before);
    expect((await events()).total).toBe(1);
    const fresh = await api.signUp();
    await seedRankDrop(api, fresh, 'mood journal');
    await Promise.all([generate(api, fresh), generate(api, fresh), generate(api, fresh)]);
    expect([
      (await api.ok('GET /actions', null, fresh)).total,
      (await events(fresh)).total,
    ]).toEqual([1, 1]);
    expect(action.id).toBeGreaterThan(0);
  });

  test('resolves an action whose cause is gone; within two weeks it reopens silently', async () => {
    const { id, keyword } = await openOne();
    await insertPositions(api, keyword, [8, 8]);
    await generate(api, me);
    expect(await api.ok('GET /actions/{id}', { params: { id } }, me)).toMatchObject({
      state: 'resolved',
      resolvedBy: 'gone',
      resolvedAt: '2026-11-21T12:00:00.000Z',
    });
    await insertPositions(api, keyword, [21, 21]);
    await generate(api, me);
    expect(await api.ok('GET /actions/{id}', { params: { id } }, me)).toMatchObject({
      state: 'open',
      resolvedBy: null,
      resolvedAt: null,
    });
    expect((await events()).total).toBe(1);
  });

  test('does not count an unchecked keyword as recovered', async () => {
    const { id } = await openOne();
    api.clock.set('2026-11-26T12:00:00Z');
    await generate(api, me);
    expect(await api.ok('GET /actions/{id}', { params: { id } }, me)).toMatchObject({
      state: 'open',
      seenAt: '2026-11-21T12:00:00.000Z',
    });
  });

  test('resolves the action of a deleted keyword', async () => {
    const { id, keyword } = await openOne();
    await api.ok('DELETE /keywords/{keywordId}', { params: { keywordId: keyword.id } }, me);
    await generate(api, me);
    expect(await api.ok('GET /actions/{id}', { params: { id } }, me)).toMatchObject({
      state: 'resolved',
      resolvedBy: 'gone',
    });
  });

  test('does not use days before the workspace tracked the market', async () => {
    const app = await trackApp(api, me);
    const keyword = await trackKeyword(api, me, app, {
      phrase: 'shared phrase',
      since: '2026-11-20',
      traffic: 63,
    });
    await insertPositions(api, keyword, fallen);
    await generate(api, me);
    expect(await listTypes(api, me)).toEqual([]);
    await api.db.pool.query(
      `update keywords set tracking_periods = '[["2026-10-01", 200]]' where id = $1`,
      [keyword.id],
    );
    await generate(api, me);
    expect(await listTypes(api, me)).toEqual(['rank-drop']);
  });

  test('does not use a score from a day on which the market was not tracked', async () => {
    const { keyword } = await seedRankDrop(api, me, 'scored for others');
    await api.db.pool.query(
      `update market_scores set observed_on = '2026-09-30' where market_id = $1`,
      [keyword.marketId],
    );
    await generate(api, me);
    const { items } = await api.ok('GET /actions', null, me);
    expect(items.map(({ type, severity, evidence }) => [type, severity, evidence.traffic])).toEqual(
      [['rank-drop', 'low', null]],
    );
    expect(items[0]!.reason).toContain('The phrase has no traffic score yet.');
  });
});

describe('listing actions', () => {
  test('returns the newest first, in pages, filtered', async () => {
    const app = await trackApp(api, me);
    for (const phrase of ['one', 'two', 'three']) {
      await insertPositions(
        api,
        await trackKeyword(api, me, app, { phrase: `page ${phrase}`, traffic: 63 }),
        fallen,
      );
      await generate(api, me);
    }
    const all = await api.ok('GET /actions', null, me);
    expect(all.items.map((item) => item.id)).toEqual(
      all.items.map((item) => item.id).toSorted((a, b) => b - a),
    );
    const paged = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await api.ok(
        'GET /actions',
        { query: { limit: '1', ...(cursor && { cursor }) } },
        me,
      );
      expect(page.total).toBe(3);
      paged.push(...page.items);
      cursor = page.nextCursor;
    }
    expect(paged).toEqual(all.items);
    await api.ok('POST /actions/{id}/dismiss', { params: { id: all.items[0]!.id }, body: {} }, me);
    const count = async (query: object) =>
      (await api.ok('GET /actions', { query: query }, me)).total;
    expect(await count({ state: 'open' })).toBe(2);
    expect(await count({ state: 'dismissed,resolved' })).toBe(1);
    expect(await count({ type: 'rank-drop' })).toBe(3);
    expect(await count({ type: 'keyword-gap' })).toBe(0);
    expect(await count({ appId: String(app.id) })).toBe(3);
    expect(await count({ appId: String(app.id + 1) })).toBe(0);
    expect(await count({ severity: 'high' })).toBe(3);
    expect(await count({ severity: 'low,medium' })).toBe(0);
  });

  test.each([
    ['status=closed'],
    ['type=rank_drop'],
    ['severity=severe'],
    ['appId=0'],
    ['appId=x'],
    ['limit=0'],
    ['limit=501'],
    ['cursor=abc'],
    ['cursor=WyJhY3Rpb25zIiwiMSJd'],
    ['order=asc'],
    ['status=open&status=open'],
  ])('refuses ?%s', async (query) => {
    expect((await api.raw(`/actions?${query}`, {}, me)).status).toBe(400);
  });

  test('refuses a cursor of another list', async () => {
    const cursor = Buffer.from(JSON.stringify(['jobs', 5])).toString('base64url');
    const response = await api.raw(`/actions?cursor=${cursor}`, {}, me);
    expect([response.status, response.body.code]).toEqual([400, 'invalid_cursor']);
  });
});

describe('access to actions', () => {
  test('returns 404 for another workspace’s actions, exactly as for unknown ids', async () => {
    const { id, app } = await openOne();
    const other = await api.signUp();
    expect((await api.ok('GET /actions', null, other)).total).toBe(0);
    expect((await api.ok('GET /actions', { query: { appId: String(app.id) } }, other)).total).toBe(
      0,
    );
    const before = await describeTables(api);
    for (const path of ['', '/resolve', '/dismiss', '/reopen', '/snooze']) {
      const body = path === '/snooze' ? { until: '2026-12-01T00:00:00Z' } : {};
      const send =
        path === ''
          ? {}
          : {
              method: 'POST',
              body: JSON.stringify(body),
              headers: { 'content-type': 'application/json' },
            };
      const bare = async (which: number) => {
        const { status, body: response } = await api.raw(`/actions/${which}${path}`, send, other);
        return [status, { ...response, path: null, timestamp: null }];
      };
      expect(await bare(id)).toEqual(await bare(2_147_483_000));
      expect((await bare(id))[0]).toBe(404);
    }
    const bulk = await api.call(
      'POST /actions/bulk',
      { body: { ids: [id], op: 'resolve' } },
      other,
    );
    expect([bulk.status, bulk.body.code]).toEqual([404, 'not_found']);
    expect(await describeTables(api)).toEqual(before);
  });

  test('lets a read-only token read and not update', async () => {
    const { id } = await openOne();
    const reader = await api.token(me, { readOnly: true });
    expect((await api.ok('GET /actions', null, reader)).total).toBe(1);
    expect((await api.ok('GET /actions/{id}', { params: { id } }, reader)).id).toBe(id);
    const before = await describeTables(api, ['tokens']);
    for (const response of [
      await api.call('POST /actions/run', null, reader),
      await api.call('POST /actions/{id}/resolve', { params: { id } }, reader),
      await api.call('POST /actions/{id}/dismiss', { params: { id }, body: {} }, reader),
      await api.call(
        'POST /actions/{id}/snooze',
        { params: { id }, body: { until: '2026-12-01T00:00:00Z' } },
        reader,
      ),
      await api.call('POST /actions/{id}/reopen', { params: { id } }, reader),
      await api.call('POST /actions/bulk', { body: { ids: [id], op: 'resolve' } }, reader),
    ]) {
      expect([response.status, response.body.code]).toEqual([403, 'read_only_token']);
    }
    expect(await describeTables(api, ['tokens'])).toEqual(before);
  });

  test('returns 401 without credentials', async () => {
    expect((await api.raw('/actions')).status).toBe(401);
    expect((await api.raw('/actions/run', { method: 'POST' })).status).toBe(401);
  });
});
