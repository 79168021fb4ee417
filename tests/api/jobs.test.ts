import { afterAll, beforeAll, expect, it } from 'vitest';
import { syncJobStatus } from '#db/queries/jobs/sync-job-status.ts';
import { insertRun } from '#db/queries/runs/runs.ts';
import { closeRun } from '#domain/scheduling/runs/close-run.ts';
import { syncOpenJobs } from '#domain/scheduling/runs/sync-open-jobs.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { recordMarketSearch, insertApp, marketIdOf } from './keywords.fixtures.ts';
import { jobSync } from '../harness/background-work.ts';
import { keepOrder } from '../harness/keep-order.ts';

keepOrder('later tests advance the clock');

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const add = async (account: Account, id: number, phrases: string[]) =>
  (
    await api.ok(
      'POST /apps/{id}/keywords',
      { params: { id }, body: { phrases, countries: ['us'] } },
      account,
    )
  ).job!;

it('a first check is listed from acceptance to its end, with its progress', async () => {
  const me = await api.signUp();
  const app = await insertApp(api, me);
  const accepted = await add(me, app.id, ['job one', 'job two']);
  const read = () => api.ok('GET /jobs/{jobId}', { params: { jobId: accepted.id } }, me);
  expect(await read()).toEqual({
    id: accepted.id,
    kind: 'first-check',
    state: 'queued',
    appId: app.id,
    attempts: 0,
    progress: { done: 0, total: 2 },
    parts: [
      {
        kind: 'rank-check',
        total: 2,
        done: 0,
        missing: 0,
        awaited: 0,
        reason: null,
        awaitedUntil: null,
      },
    ],
    error: null,
    queuedAt: '2026-11-21T12:00:00.000Z',
    startedAt: null,
    finishedAt: null,
    result: null,
  });
  await recordMarketSearch(api, {
    marketId: await marketIdOf(api, 'job one'),
    listingIds: [app.listingId],
  });
  await syncJobStatus(api.services.systemDb, { ...jobSync, now: api.clock.now() });
  expect(await read()).toMatchObject({
    state: 'running',
    progress: { done: 1, total: 2 },
    result: null,
  });
  await recordMarketSearch(api, { marketId: await marketIdOf(api, 'job two'), listingIds: [] });
  await syncJobStatus(api.services.systemDb, { ...jobSync, now: api.clock.now() });
  expect(await read()).toMatchObject({
    state: 'succeeded',
    progress: { done: 2, total: 2 },
    finishedAt: '2026-11-21T12:00:00.000Z',
    result: { path: `/apps/${app.id}/keywords` },
  });
});

it('jobs are listed newest first, in pages, with filters and exact totals', async () => {
  const me = await api.signUp();
  const [one, two] = [await insertApp(api, me), await insertApp(api, me)];
  const ids: number[] = [];
  for (let index = 0; index < 5; index += 1)
    ids.unshift((await add(me, index % 2 ? two.id : one.id, [`list ${index}`])).id);
  const first = await api.ok('GET /jobs', { query: { limit: '2' } }, me);
  expect(first.items.map((job) => job.id)).toEqual(ids.slice(0, 2));
  expect(first.total).toBe(5);
  const second = await api.ok(
    'GET /jobs',
    { query: { limit: '2', cursor: first.nextCursor! } },
    me,
  );
  const third = await api.ok(
    'GET /jobs',
    { query: { limit: '2', cursor: second.nextCursor! } },
    me,
  );
  expect([...second.items, ...third.items].map((job) => job.id)).toEqual(ids.slice(2));
  expect(third.nextCursor).toBeNull();
  expect((await api.ok('GET /jobs', { query: { appId: String(two.id) } }, me)).total).toBe(2);
  expect((await api.ok('GET /jobs', { query: { state: 'failed' } }, me)).total).toBe(0);
  expect(
    (await api.ok('GET /jobs', { query: { kind: 'first-check', state: 'queued' } }, me)).total,
  ).toBe(5);
  expect((await api.call('GET /jobs', { query: { cursor: 'eyJhIjoxfQ' } }, me)).body.code).toBe(
    'invalid_cursor',
  );
});

it('another workspace’s job is not found', async () => {
  const [me, you] = [await api.signUp(), await api.signUp()];
  const app = await insertApp(api, you);
  const { id } = await add(you, app.id, ['theirs']);
  for (const jobId of [id, 9_999_999]) {
    const response = await api.call('GET /jobs/{jobId}', { params: { jobId } }, me);
    expect([response.status, response.body.code, response.body.message]).toEqual([
      404,
      'not_found',
      'The resource does not exist.',
    ]);
  }
  expect((await api.ok('GET /jobs', null, me)).items).toEqual([]);
});

it('five hundred blocked jobs do not keep another from ending', async () => {
  const me = await api.signUp();
  const app = await insertApp(api, me);
  const { id: stuck } = await add(me, app.id, ['nobody answers']);
  await api.db.pool.query(
    `insert into jobs (workspace_id, app_id, kind, payload, total, queued_at)
     select workspace_id, app_id, kind, payload, total, queued_at from jobs, generate_series(1, 500)
       where id = $1`,
    [stuck],
  );
  const { id: jobId } = await add(me, app.id, ['answered']);
  await recordMarketSearch(api, {
    marketId: await marketIdOf(api, 'answered'),
    listingIds: [app.listingId],
  });
  const stateAfterTick = async () => {
    await syncOpenJobs(api.services, jobSync);
    return (await api.ok('GET /jobs/{jobId}', { params: { jobId } }, me)).state;
  };
  expect([await stateAfterTick(), await stateAfterTick()]).toEqual(['queued', 'succeeded']);
  await recordMarketSearch(api, {
    marketId: await marketIdOf(api, 'nobody answers'),
    listingIds: [app.listingId],
  });
  for (let tick = 0; tick < 2; tick += 1) await syncOpenJobs(api.services, jobSync);
  expect((await api.ok('GET /jobs', { query: { state: 'queued' } }, me)).total).toBe(0);
});

it('a job cancelled during a tick stays cancelled', async () => {
  const me = await api.signUp();
  const app = await insertApp(api, me);
  const { id: jobId } = await add(me, app.id, ['cancelled meanwhile']);
  await recordMarketSearch(api, {
    marketId: await marketIdOf(api, 'cancelled meanwhile'),
    listingIds: [app.listingId],
  });
  const cancelling = await api.db.pool.connect();
  try {
    await cancelling.query('begin');
    await cancelling.query(
      `update jobs set state = 'cancelled', finished_at = now() where id = $1`,
      [jobId],
    );
    const settling = syncJobStatus(api.services.systemDb, {
      ...jobSync,
      now: api.clock.now(),
    });
    await expect.poll(countWaiting).toBe(1);
    await cancelling.query('commit');
    await settling;
  } finally {
    cancelling.release();
  }
  expect((await api.ok('GET /jobs/{jobId}', { params: { jobId } }, me)).state).toBe('cancelled');
});

async function countWaiting(): Promise<number> {
  const { rows } = await api.db.pool.query<{ count: number }>(
    'select count(*)::int as count from pg_stat_activity where datname = current_database() ' +
      "and wait_event_type = 'Lock' and query like '/* sync-job-status */%'",
  );
  return rows[0]!.count;
}

it('a check accepted before midnight and answered after it succeeds', async () => {
  const me = await api.signUp();
  const app = await insertApp(api, me);
  api.clock.set('2026-11-21T23:59:58Z');
  const accepted = await add(me, app.id, ['before midnight', 'never answered']);
  await insertRun(api.services.systemDb, {
    date: '2026-11-21',
    openedAt: api.clock.now(),
    pressure: {},
    shed: {},
  });
  api.clock.set('2026-11-22T00:00:05Z');
  await closeRun(api.services, '2026-11-21');
  await recordMarketSearch(api, {
    marketId: await marketIdOf(api, 'before midnight'),
    listingIds: [app.listingId],
  });
  const readSynced = async () => {
    await syncJobStatus(api.services.systemDb, { ...jobSync, now: api.clock.now() });
    return api.ok('GET /jobs/{jobId}', { params: { jobId: accepted.id } }, me);
  };
  expect(await readSynced()).toMatchObject({ state: 'running', progress: { done: 1, total: 2 } });
  await api.db.pool.query('update market_schedule set urgent_at = null where market_id = $1', [
    await marketIdOf(api, 'never answered'),
  ]);
  expect(await readSynced()).toMatchObject({
    state: 'succeeded',
    error: expect.stringContaining('1 of 2 checks'),
  });
});
