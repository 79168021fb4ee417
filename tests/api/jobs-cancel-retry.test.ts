import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { syncJobStatus } from '#db/queries/jobs/sync-job-status.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { recordMarketSearch, insertApp, marketIdOf } from './keywords.fixtures.ts';
import { jobSync } from '../harness/background-work.ts';

let api: TestApi;
let me: Account;
beforeAll(async () => {
  api = await startApi();
  me = await api.signUp();
});
afterAll(() => api.close());

async function accept(phrase: string) {
  const app = await insertApp(api, me);
  const { job } = await api.ok(
    'POST /apps/{id}/keywords',
    { params: { id: app.id }, body: { phrases: [phrase], countries: ['us'] } },
    me,
  );
  return { app, jobId: job!.id, marketId: await marketIdOf(api, phrase) };
}

const fail = async (marketId: number, jobId: number) => {
  await api.db.pool.query(
    `insert into market_gaps (market_id, on_date, reason) values ($1, '2026-11-21', 'store_error')`,
    [marketId],
  );
  await api.db.pool.query(
    `update market_schedule set completed_on = '2026-11-21', urgent_at = null where market_id = $1`,
    [marketId],
  );
  await syncJobStatus(api.services.systemDb, { ...jobSync, now: api.clock.now() });
  expect((await api.ok('GET /jobs/{jobId}', { params: { jobId } }, me)).state).toBe('failed');
};

describe('cancelling a job', () => {
  it('stops work that has not started, and is idempotent', async () => {
    const { jobId } = await accept('cancel me');
    for (let time = 0; time < 2; time += 1) {
      expect((await api.ok('POST /jobs/{jobId}/cancel', { params: { jobId } }, me)).state).toBe(
        'cancelled',
      );
    }
    await syncJobStatus(api.services.systemDb, { ...jobSync, now: api.clock.now() });
    expect((await api.ok('GET /jobs/{jobId}', { params: { jobId } }, me)).state).toBe('cancelled');
  });

  it('is refused while it runs', async () => {
    const { jobId } = await accept('runs now');
    await api.db.pool.query(`update jobs set state = 'running' where id = $1`, [jobId]);
    const response = await api.call('POST /jobs/{jobId}/cancel', { params: { jobId } }, me);
    expect([response.status, response.body.issues[0].path]).toEqual([400, 'params.jobId']);
  });

  it('is refused once it has ended', async () => {
    const { jobId, marketId, app } = await accept('done already');
    await recordMarketSearch(api, { marketId, listingIds: [app.listingId] });
    await syncJobStatus(api.services.systemDb, { ...jobSync, now: api.clock.now() });
    const response = await api.call('POST /jobs/{jobId}/cancel', { params: { jobId } }, me);
    expect([response.status, response.body.issues[0].path]).toEqual([400, 'params.jobId']);
  });
});

describe('retrying a job', () => {
  it('enqueues failed work in the run again', async () => {
    const { jobId, marketId } = await accept('fails once');
    await fail(marketId, jobId);
    const again = await api.ok('POST /jobs/{jobId}/retry', { params: { jobId } }, me);
    expect([again.state, again.error, again.finishedAt, again.progress.total]).toEqual([
      'queued',
      null,
      null,
      1,
    ]);
    const { rows } = await api.db.pool.query(
      'select urgent_at is not null as urgent from market_schedule where market_id = $1',
      [marketId],
    );
    expect(rows).toEqual([{ urgent: true }]);
    await syncJobStatus(api.services.systemDb, { ...jobSync, now: api.clock.now() });
    expect((await api.ok('GET /jobs/{jobId}', { params: { jobId } }, me)).state).toBe('queued');
  });

  it('leaves pending work alone and refuses a succeeded job', async () => {
    const { jobId, marketId, app } = await accept('works');
    const before = await api.ok('GET /jobs/{jobId}', { params: { jobId } }, me);
    expect(await api.ok('POST /jobs/{jobId}/retry', { params: { jobId } }, me)).toEqual(before);
    await recordMarketSearch(api, { marketId, listingIds: [app.listingId] });
    await syncJobStatus(api.services.systemDb, { ...jobSync, now: api.clock.now() });
    expect((await api.call('POST /jobs/{jobId}/retry', { params: { jobId } }, me)).status).toBe(
      400,
    );
  });
});

it('another workspace gets 404 for a job, and a read-only token 403', async () => {
  const { jobId } = await accept('mine');
  const you = await api.signUp();
  const reader = await api.token(me, { readOnly: true });
  for (const key of ['POST /jobs/{jobId}/cancel', 'POST /jobs/{jobId}/retry'] as const) {
    expect((await api.call(key, { params: { jobId } }, you)).body.code).toBe('not_found');
    expect((await api.call(key, { params: { jobId } }, reader)).body.code).toBe('read_only_token');
  }
  expect((await api.ok('GET /jobs/{jobId}', { params: { jobId } }, me)).state).toBe('queued');
});
