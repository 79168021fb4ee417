import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { completeWithGap } from '#db/queries/rankings/checks.ts';
import { syncJobStatus } from '#db/queries/jobs/sync-job-status.ts';
import { startApi, type Account, type Credential, type TestApi } from '../harness/api.ts';
import { jobSync } from '../harness/background-work.ts';
import { describeTables, insertApp, marketIdOf, recordMarketSearch } from './keywords.fixtures.ts';

const day = '2026-11-21';
let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

/** An app whose keywords have not been checked, as on the morning after they were added. */
async function insertTracked(account: Account, phrases: string[], server = api) {
  const app = await insertApp(server, account);
  const { added } = await server.ok(
    'POST /apps/{id}/keywords',
    { params: { id: app.id }, body: { phrases, countries: ['us'] } },
    account,
  );
  await server.db.pool.query(
    `update market_schedule set urgent_at = null, urgent_by = null, urgent_round = 0
     where market_id in (select market_id from keywords where app_id = $1)`,
    [app.id],
  );
  return { ...app, ids: added.map((keyword) => keyword.id) };
}

const check = (who: Credential, id: number, ids: unknown, headers = {}, server = api) =>
  server.raw(
    `/apps/${id}/keywords/check`,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ ids }),
    },
    who,
  );

async function readUrgent(appId: number): Promise<string[]> {
  const { rows } = await api.db.pool.query(
    `select k.phrase from keywords k join market_schedule s using (market_id)
     where k.app_id = $1 and s.urgent_at is not null order by s.urgent_round`,
    [appId],
  );
  return rows.map((row) => row.phrase as string);
}

async function readSynced(who: Account, jobId: number) {
  await syncJobStatus(api.services.systemDb, { ...jobSync, now: api.clock.now() });
  return api.ok('GET /jobs/{jobId}', { params: { jobId } }, who);
}

describe('checking chosen keywords', () => {
  it('accepts one job for exactly these markets, in the order of the ids', async () => {
    const me = await api.signUp();
    const { id, ids } = await insertTracked(me, ['c one', 'c two', 'c three', 'c four']);
    const response = await check(me, id, [ids[2], ids[0], ids[2]]);
    expect([response.status, response.body]).toEqual([
      202,
      {
        job: {
          id: expect.any(Number),
          kind: 'keyword-check',
          state: 'queued',
          queuedAt: '2026-11-21T12:00:00.000Z',
          deduped: false,
        },
        poll: `/apps/${id}/rankings`,
        skipped: [],
      },
    ]);
    const { rows } = await api.db.pool.query(
      'select app_id, payload, total, done from jobs where id = $1',
      [response.body.job.id],
    );
    const marketIds = [await marketIdOf(api, 'c three'), await marketIdOf(api, 'c one')];
    expect(rows).toEqual([{ app_id: id, payload: { day, marketIds }, total: 2, done: 0 }]);
    expect(await readUrgent(id)).toEqual(['c three', 'c one']);
  });

  it('returns the open job for the same keywords, and another one for others', async () => {
    const me = await api.signUp();
    const { id, ids } = await insertTracked(me, ['d one', 'd two', 'd three']);
    const first = await check(me, id, ids.slice(0, 2));
    const same = await check(me, id, ids.slice(0, 2).toReversed());
    expect(same.body.job).toMatchObject({ id: first.body.job.id, deduped: true });
    const other = await check(me, id, ids);
    expect(other.body.job).toMatchObject({ deduped: false });
    expect(other.body.job.id).not.toBe(first.body.job.id);
  });

  it('is open work of the day on which its job is retried', async () => {
    const own = await startApi();
    const me = await own.signUp();
    const { id, ids } = await insertTracked(me, ['l one', 'l two'], own);
    const first = await check(me, id, ids, {}, own);
    const jobId = first.body.job.id as number;
    await own.db.pool.query("update jobs set state = 'failed' where id = $1", [jobId]);
    own.clock.advance(24 * 3_600_000);
    await own.ok('POST /jobs/{jobId}/retry', { params: { jobId } }, me);
    const same = await check(me, id, ids, {}, own);
    expect(same.body.job).toMatchObject({ id: jobId, deduped: true });
    await own.close();
  });

  it('names the keywords that it leaves out, and why', async () => {
    const me = await api.signUp();
    const { id, listingId, ids } = await insertTracked(me, ['s done', 's rest', 's over', 's due']);
    await recordMarketSearch(api, {
      marketId: await marketIdOf(api, 's done'),
      listingIds: [listingId],
    });
    await api.ok(
      'PATCH /keywords/{keywordId}',
      { params: { keywordId: ids[1]! }, body: { paused: true } },
      me,
    );
    await api.db.pool.query('update keywords set held = true where id = $1', [ids[2]]);
    const skipped = [
      { keywordId: ids[0], reason: 'checked_today' },
      { keywordId: ids[1], reason: 'paused' },
      { keywordId: ids[2], reason: 'over_limit' },
    ];
    const mixed = await check(me, id, ids);
    expect([mixed.status, mixed.body.skipped]).toEqual([202, skipped]);
    const { rows } = await api.db.pool.query('select payload from jobs where id = $1', [
      mixed.body.job.id,
    ]);
    expect(rows[0].payload.marketIds).toEqual([await marketIdOf(api, 's due')]);
    expect(await readUrgent(id)).toEqual(['s due']);

    const before = await describeTables(api, ['sessions']);
    const none = await check(me, id, ids.slice(0, 3));
    expect([none.status, none.body]).toEqual([
      200,
      { job: null, poll: `/apps/${id}/rankings`, skipped },
    ]);
    expect(await describeTables(api, ['sessions'])).toEqual(before);
    const { onDemand } = await api.ok('GET /workspace/usage', null, me);
    const used = onDemand.find(({ kind }) => kind === 'run-daily')!.used;
    expect(used, 'a response without a job is free').toBe(1);
  });

  it('tries a gap of today again, and ends with the position of the search', async () => {
    const me = await api.signUp();
    const { id, listingId, ids } = await insertTracked(me, ['g gap']);
    const marketId = await marketIdOf(api, 'g gap');
    await completeWithGap(api.services.systemDb, { marketId, day, marker: 'http-500' });
    const { body } = await check(me, id, ids);
    expect(await readUrgent(id)).toEqual(['g gap']);
    const readJob = () => readSynced(me, body.job.id);
    expect(await readJob()).toMatchObject({ state: 'queued', progress: { done: 0, total: 1 } });
    await recordMarketSearch(api, { marketId, listingIds: [listingId] });
    expect(await readJob()).toMatchObject({
      kind: 'keyword-check',
      state: 'succeeded',
      progress: { done: 1, total: 1 },
      parts: [{ kind: 'rank-check', done: 1, missing: 0 }],
      result: { path: `/apps/${id}/rankings` },
    });
  });

  it('does not show whether another workspace’s search came first', async () => {
    const [me, you] = [await api.signUp(), await api.signUp()];
    const mine = await insertTracked(me, ['shared phrase']);
    const yours = await insertTracked(you, ['shared phrase']);
    await recordMarketSearch(api, {
      marketId: await marketIdOf(api, 'shared phrase'),
      listingIds: [mine.listingId, yours.listingId],
      beforeRecord: () =>
        api.db.pool.query('update keywords set archived_at = now() where id = $1', mine.ids),
    });
    await api.db.pool.query('update keywords set archived_at = null where id = $1', mine.ids);
    const { status, body } = await check(me, mine.id, mine.ids);
    expect([status, body.skipped]).toEqual([202, []]);
    expect(await readUrgent(mine.id)).toEqual(['shared phrase']);
    expect(await readSynced(me, body.job.id)).toMatchObject({
      state: 'queued',
      progress: { done: 0, total: 1 },
    });
  });

  it('accepts exactly 500 keywords', async () => {
    const me = await api.signUp();
    const phrases = (from: number) =>
      Array.from({ length: 200 }, (_, index) => `many ${from + index}`);
    const { id, ids } = await insertTracked(me, phrases(0));
    for (const from of [200, 400]) {
      const body = { phrases: phrases(from), countries: ['us'] };
      const { added } = await api.ok('POST /apps/{id}/keywords', { params: { id }, body }, me);
      ids.push(...added.map((keyword) => keyword.id));
    }
    const over = await check(me, id, ids.slice(0, 501));
    expect([over.status, over.body.issues]).toEqual([
      400,
      [expect.objectContaining({ path: 'ids', code: 'too_many', limit: 500, actual: 501 })],
    ]);
    const response = await check(me, id, ids.slice(0, 500));
    const { rows } = await api.db.pool.query('select total from jobs where id = $1', [
      response.body.job.id,
    ]);
    expect([response.status, rows]).toEqual([202, [{ total: 500 }]]);
  });
});

describe('a refused check of keywords', () => {
  it('writes nothing', async () => {
    const [me, you] = [await api.signUp(), await api.signUp()];
    const { id, ids } = await insertTracked(me, ['r one', 'r two']);
    const elsewhere = await insertTracked(me, ['r elsewhere']);
    const theirs = await insertTracked(you, ['r theirs']);
    const deleted = await insertTracked(me, ['r deleted']);
    await api.ok('DELETE /keywords/{keywordId}', { params: { keywordId: deleted.ids[0]! } }, me);
    const archived = await insertTracked(me, ['r archived']);
    await api.db.pool.query('update apps set archived_at = now() where id = $1', [archived.id]);
    const reader = await api.token(me, { readOnly: true });
    const before = await describeTables(api, ['sessions', 'tokens']);
    const refusals: [Credential, number, unknown, number, string][] = [
      [me, id, null, 400, 'invalid_request'],
      [me, id, '5', 400, 'invalid_request'],
      [me, id, ['5'], 400, 'invalid_request'],
      [me, id, [], 400, 'invalid_request'],
      [me, id, [0], 400, 'invalid_request'],
      [me, id, [1.5], 400, 'invalid_request'],
      [me, id, [2 ** 31], 400, 'invalid_request'],
      [me, id, Array.from({ length: 10_000 }, () => ids[0]), 400, 'invalid_request'],
      [me, id, { 0: ids[0] }, 400, 'invalid_request'],
      [me, id, [...ids, theirs.ids[0]], 404, 'not_found'],
      [me, id, [...ids, elsewhere.ids[0]], 404, 'not_found'],
      [me, deleted.id, deleted.ids, 404, 'not_found'],
      [me, id, [...ids, 2_000_000], 404, 'not_found'],
      [me, theirs.id, theirs.ids, 404, 'not_found'],
      [me, 2_000_000, ids, 404, 'not_found'],
      [me, archived.id, archived.ids, 400, 'invalid_request'],
      [reader, id, ids, 403, 'read_only_token'],
    ];
    for (const [who, appId, sent, status, code] of refusals) {
      const response = await check(who, appId, sent);
      expect([JSON.stringify(sent).slice(0, 40), response.status, response.body.code]).toEqual([
        JSON.stringify(sent).slice(0, 40),
        status,
        code,
      ]);
    }
    const send = (body: string) =>
      api.raw(
        `/apps/${id}/keywords/check`,
        { method: 'POST', headers: { 'content-type': 'application/json' }, body },
        me,
      );
    for (const body of [
      `{"ids":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
      `{"ids":[${ids[0]}],"more":1}`,
      '{"ids":[',
      '',
    ])
      expect((await send(body)).body.code).toBe('invalid_request');
    expect((await check(me, archived.id, archived.ids)).body.message).toContain('archived');
    expect(await describeTables(api, ['sessions', 'tokens'])).toEqual(before);
  });

  it('leaves keywords of other workspaces unnamed', async () => {
    const [me, you] = [await api.signUp(), await api.signUp()];
    const { id } = await insertTracked(me, ['u mine']);
    const theirs = await insertTracked(you, ['u theirs']);
    const [foreign, absent] = [await check(me, id, theirs.ids), await check(me, id, [2_000_000])];
    expect([foreign.status, foreign.body.message]).toEqual([absent.status, absent.body.message]);
  });
});

it('a repeated request with its Idempotency-Key accepts one job', async () => {
  const me = await api.signUp();
  const { id, ids } = await insertTracked(me, ['i one', 'i two']);
  const key = { 'idempotency-key': 'check-once' };
  const first = await check(me, id, ids, key);
  await api.db.pool.query("update jobs set state = 'succeeded' where app_id = $1", [id]);
  expect(await check(me, id, ids, key)).toMatchObject({ status: 202, text: first.text });
  expect((await check(me, id, ids.slice(0, 1), key)).body.code).toBe('idempotency_mismatch');
  const { rows } = await api.db.pool.query(
    `select count(*)::int as jobs from jobs where app_id = $1 and kind = 'keyword-check'`,
    [id],
  );
  expect(rows).toEqual([{ jobs: 1 }]);
});

it('each check counts as one on-demand check of the plan, and the cap refuses more', async () => {
  const metered = await startApi({ settings: { billingEnabled: true } });
  const me = await metered.signUp();
  const { id, ids } = await insertTracked(me, ['p one', 'p two'], metered);
  const send = (sent: unknown) => check(me, id, sent, {}, metered);
  expect((await send([2_000_000])).status).toBe(404);
  await metered.ok('POST /apps/{id}/run-daily', { params: { id } }, me);
  for (let count = 0; count < 4; count += 1) expect((await send(ids)).status).toBe(202);
  const refused = await send(ids);
  expect([refused.status, refused.body.code]).toEqual([429, 'on_demand_cap']);
  await metered.close();
});

it('a full queue store refuses the check', async () => {
  const full = await startApi({
    db: api.db,
    deps: { authSecret: api.authSecret },
    services: { queueCapacity: { capBytes: 100, usedBytes: async () => 99 } },
  });
  const me = await api.signUp();
  const { id, ids } = await insertTracked(me, ['q one']);
  const before = await describeTables(api, ['sessions']);
  expect((await check(me, id, ids, {}, full)).body.code).toBe('queue_full');
  expect(await describeTables(api, ['sessions'])).toEqual(before);
  await full.close();
});
