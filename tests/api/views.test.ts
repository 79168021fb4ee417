import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { insertApp } from './keywords.fixtures.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const save = (account: Account, body: { name: string; path: string; appId?: number }) =>
  api.ok('POST /views', { body }, account);
const list = async (account: Account) => (await api.ok('GET /views', null, account)).items;

test('a view is saved for every member, pinned, renamed and deleted', async () => {
  const me = await api.signUp();
  const other = await api.signUp({ workspaceId: me.workspaceId, role: 'member' });
  const { id: appId } = await insertApp(api, me);
  const first = await save(me, {
    name: ' Top 10 ',
    path: `/apps/${appId}/keywords?best=10`,
    appId,
  });
  expect(first).toEqual({
    id: expect.any(Number),
    name: 'Top 10',
    path: `/apps/${appId}/keywords?best=10`,
    appId,
    pinned: false,
    createdAt: '2026-11-21T12:00:00.000Z',
    etag: expect.stringMatching(/^"[\w-]{16}"$/),
  });
  const second = await save(other, { name: 'Open', path: '/actions' });
  expect(await list(me)).toEqual([first, second]);
  const pinned = await api.ok(
    'PATCH /views/{id}',
    { params: { id: second.id }, body: { pinned: true } },
    me,
  );
  expect(pinned).toEqual({ ...second, pinned: true, etag: expect.any(String) });
  expect(pinned.etag).not.toBe(second.etag);
  expect(await list(other)).toEqual([pinned, first]);
  // The same path again is the same view, and stays pinned.
  expect(await save(me, { name: 'To do', path: '/actions' })).toEqual({
    ...pinned,
    name: 'To do',
    etag: expect.any(String),
  });
  await api.ok('DELETE /views/{id}', { params: { id: second.id } }, other);
  expect(await list(me)).toEqual([first]);
});

test('a path leads to the dashboard and nowhere else', async () => {
  const me = await api.signUp();
  for (const path of [
    'https://example.org',
    '//example.org',
    '/\\example.org',
    'apps/1',
    '',
    '/a\nb',
    `/${'a'.repeat(2_000)}`,
  ])
    expect((await api.raw('/views', post({ name: 'x', path }), me)).status).toBe(400);
  const foreign = await insertApp(api, await api.signUp());
  const body = post({ name: 'x', path: '/actions', appId: foreign.id });
  expect((await api.raw('/views', body, me)).status).toBe(404);
  expect(await list(me)).toEqual([]);
});

test('two members who save the last view at once save one', async () => {
  const me = await api.signUp();
  await api.db.pool.query(
    `insert into saved_views (workspace_id, name, path, created_at)
     select $1, 'view', '/actions?n=' || n, now() from generate_series(1, 199) n`,
    [me.workspaceId],
  );
  const statuses = await Promise.all(
    ['a', 'b', 'c'].map(
      async (name) =>
        (await api.raw('/views', post({ name, path: `/actions?${name}` }), me)).status,
    ),
  );
  expect(statuses.toSorted()).toEqual([201, 400, 400]);
  expect(await list(me)).toHaveLength(200);
});

const post = (body: object) => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
});
