import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { syncJobStatus } from '#db/queries/jobs/sync-job-status.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { jobSync } from '../harness/background-work.ts';
import { insertApp, marketIdOf } from './keywords.fixtures.ts';

let api: TestApi;
let me: Account;
let other: Account;
beforeAll(async () => {
  api = await startApi();
  me = await api.signUp();
  other = await api.signUp();
});
afterAll(() => api.close());

const sync = () =>
  syncJobStatus(api.services.systemDb, { ...jobSync, now: api.clock.now() }).then(() => undefined);
const read = (jobId: number) => api.ok('GET /jobs/{jobId}', { params: { jobId } }, me);
const cancel = (jobId: number) => api.ok('POST /jobs/{jobId}/cancel', { params: { jobId } }, me);
const retry = (jobId: number) => api.ok('POST /jobs/{jobId}/retry', { params: { jobId } }, me);
const track = (account: Account, id: number, phrase: string, country = 'us') =>
  api.ok(
    'POST /apps/{id}/keywords',
    { params: { id }, body: { phrases: [phrase], countries: [country] } },
    account,
  );
/** What a client sees of a job, without its id and instants. */
const seen = ({ state, progress, parts, error }: Awaited<ReturnType<typeof read>>) => ({
  state,
  progress,
  parts,
  error,
});
const unmarkAll = () =>
  api.db.pool.query(`update market_schedule set urgent_at = null, urgent_by = null;
    update listing_schedule set urgent_at = null, urgent_by = null;
    update store_tasks set urgent_at = null, urgent_by = null`);
const countUrgent = async () => {
  const { rows } = await api.db.pool.query(
    `select (select count(*) from market_schedule where urgent_at is not null)::int
      + (select count(*) from listing_schedule where urgent_at is not null)::int
      + (select count(*) from store_tasks where urgent_at is not null)::int as count`,
  );
  return rows[0].count as number;
};

async function deleteKeyword(appId: number, phrase: string) {
  const { items } = await api.ok('GET /apps/{id}/keywords', { params: { id: appId } }, me);
  const { id: keywordId } = items.find((item) => item.phrase === phrase)!;
  await api.ok('DELETE /keywords/{keywordId}', { params: { keywordId } }, me);
}

describe('a job does not show whether another workspace tracks', () => {
  test('the keyword that was deleted, with a retry', async () => {
    const responses: object[] = [];
    for (const phrase of ['only mine', 'of both']) {
      if (phrase === 'of both') await track(other, (await insertApp(api, other)).id, phrase);
      const app = await insertApp(api, me);
      const { job } = await track(me, app.id, phrase);
      await cancel(job!.id);
      await deleteKeyword(app.id, phrase);
      await unmarkAll();
      const retried = await retry(job!.id);
      expect(await countUrgent()).toBe(0);
      await sync();
      responses.push([seen(retried), seen(await read(job!.id))]);
    }
    expect(responses[1]).toEqual(responses[0]);
    expect(responses[0]).toMatchObject([{ parts: [] }, { state: 'succeeded', parts: [] }]);
  });

  test('the keyword that was deleted, without a retry', async () => {
    const responses: object[] = [];
    for (const phrase of ['again mine', 'again of both']) {
      const app = await insertApp(api, me);
      if (phrase !== 'again mine') await track(other, (await insertApp(api, other)).id, phrase);
      const { job } = await track(me, app.id, phrase);
      expect((await read(job!.id)).parts).toMatchObject([{ kind: 'rank-check', total: 1 }]);
      await deleteKeyword(app.id, phrase);
      await sync();
      responses.push(seen(await read(job!.id)));
    }
    expect(responses[1]).toEqual(responses[0]);
    expect(responses[0]).toMatchObject({ state: 'succeeded', parts: [] });
  });

  test('the app that was archived', async () => {
    const responses: object[] = [];
    for (const storeAppId of ['990001', '990002']) {
      if (storeAppId === '990002') {
        const theirs = await insertApp(api, other, { storeAppId });
        await track(other, theirs.id, 'phrase of an app');
      }
      const app = await insertApp(api, me, { storeAppId });
      await track(me, app.id, 'phrase of an app');
      const { job } = await api.ok('POST /apps/{id}/run-daily', { params: { id: app.id } }, me);
      await cancel(job.id);
      await api.ok('DELETE /apps/{id}', { params: { id: app.id } }, me);
      await unmarkAll();
      const retried = await retry(job.id);
      expect(await countUrgent()).toBe(0);
      await sync();
      responses.push([seen(retried), seen(await read(job.id))]);
    }
    expect(responses[1]).toEqual(responses[0]);
    expect(responses[0]).toMatchObject([{ parts: [] }, { state: 'succeeded', parts: [] }]);
  });

  test('the app in another country', async () => {
    const responses: object[] = [];
    for (const storeAppId of ['990003', '990004']) {
      if (storeAppId === '990004') {
        const theirs = await insertApp(api, other, { storeAppId });
        await track(other, theirs.id, 'in germany', 'de');
      }
      const app = await insertApp(api, me, { storeAppId });
      await track(me, app.id, 'in the states');
      const { job } = await api.ok('POST /apps/{id}/run-daily', { params: { id: app.id } }, me);
      responses.push(seen(await read(job.id)));
    }
    expect(responses[1]).toEqual(responses[0]);
    expect(responses[0]).toMatchObject({
      parts: expect.arrayContaining([expect.objectContaining({ kind: 'app-refresh', total: 1 })]),
    });
  });
});

test('a retry requests the keywords that are left', async () => {
  const app = await insertApp(api, me);
  const body = { phrases: ['stays here', 'goes away'], countries: ['us'] };
  const { job } = await api.ok('POST /apps/{id}/keywords', { params: { id: app.id }, body }, me);
  await cancel(job!.id);
  await deleteKeyword(app.id, 'goes away');
  await unmarkAll();
  expect((await retry(job!.id)).parts).toMatchObject([{ kind: 'rank-check', total: 1 }]);
  const { rows } = await api.db.pool.query(
    'select market_id from market_schedule where urgent_at is not null',
  );
  expect(rows).toEqual([{ market_id: await marketIdOf(api, 'stays here') }]);
});
