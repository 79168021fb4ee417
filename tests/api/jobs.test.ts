import { afterAll, beforeAll, expect, it } from 'vitest';
import { settleJobs } from '../../src/db/queries/runs.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { answerMarket, insertApp, marketIdOf } from './keywords-arrange.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const add = async (account: Account, id: number, phrases: string[]) =>
  (await api.ok('POST /apps/{id}/keywords', { params: { id }, body: { phrases, countries: ['us'] } }, account)).job!;

it('a first check is listed from its acceptance to its end, with its progress', async () => {
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
    error: null,
    queuedAt: '2026-11-21T12:00:00.000Z',
    startedAt: null,
    finishedAt: null,
    result: null,
  });
  await answerMarket(api, { marketId: await marketIdOf(api, 'job one'), listingIds: [app.listingId] });
  await settleJobs(api.services.systemDb, api.clock.now());
  expect(await read()).toMatchObject({ state: 'running', progress: { done: 1, total: 2 }, result: null });
  await answerMarket(api, { marketId: await marketIdOf(api, 'job two'), listingIds: [] });
  await settleJobs(api.services.systemDb, api.clock.now());
  expect(await read()).toMatchObject({
    state: 'succeeded',
    progress: { done: 2, total: 2 },
    finishedAt: '2026-11-21T12:00:00.000Z',
    result: { path: `/apps/${app.id}/keywords` },
  });
});

it('lists newest first, in pages, with filters and exact totals', async () => {
  const me = await api.signUp();
  const [one, two] = [await insertApp(api, me), await insertApp(api, me)];
  const ids: number[] = [];
  for (let index = 0; index < 5; index += 1) ids.unshift((await add(me, index % 2 ? two.id : one.id, [`list ${index}`])).id);
  const first = await api.ok('GET /jobs', { query: { limit: '2' } }, me);
  expect(first.items.map((job) => job.id)).toEqual(ids.slice(0, 2));
  expect(first.total).toBe(5);
  const second = await api.ok('GET /jobs', { query: { limit: '2', cursor: first.nextCursor! } }, me);
  const third = await api.ok('GET /jobs', { query: { limit: '2', cursor: second.nextCursor! } }, me);
  expect([...second.items, ...third.items].map((job) => job.id)).toEqual(ids.slice(2));
  expect(third.nextCursor).toBeNull();
  expect((await api.ok('GET /jobs', { query: { appId: String(two.id) } }, me)).total).toBe(2);
  expect((await api.ok('GET /jobs', { query: { state: 'failed' } }, me)).total).toBe(0);
  expect((await api.ok('GET /jobs', { query: { kind: 'first-check', state: 'queued' } }, me)).total).toBe(5);
  expect((await api.call('GET /jobs', { query: { cursor: 'eyJhIjoxfQ' } }, me)).body.code).toBe('invalid_cursor');
});

it('another workspace’s job is not there', async () => {
  const [me, you] = [await api.signUp(), await api.signUp()];
  const app = await insertApp(api, you);
  const { id } = await add(you, app.id, ['theirs']);
  for (const jobId of [id, 9_999_999]) {
    const answer = await api.call('GET /jobs/{jobId}', { params: { jobId } }, me);
    expect([answer.status, answer.body.code, answer.body.message]).toEqual([404, 'not_found', 'There is no such thing here.']);
  }
  expect((await api.ok('GET /jobs', null, me)).items).toEqual([]);
});
