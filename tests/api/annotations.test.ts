import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CallInput } from '#client/http.ts';
import { startApi, type Account, type Credential, type TestApi } from '../harness/api.ts';
import { describeTables, insertApp } from './keywords.fixtures.ts';

let api: TestApi;
let ann: Account;
let bob: Account;
let appId: number;
let keywordIds: number[];
beforeAll(async () => {
  api = await startApi();
  ann = await api.signUp();
  bob = await api.signUp();
  appId = (await insertApp(api, ann)).id;
  keywordIds = await addKeywords(ann, appId);
});
afterAll(() => api.close());

async function addKeywords(account: Account, id: number): Promise<number[]> {
  const body = { phrases: ['habit', 'goals'], countries: ['us'] };
  return (await api.ok('POST /apps/{id}/keywords', { params: { id }, body }, account)).added.map(
    (keyword) => keyword.id,
  );
}

const add = (
  body: CallInput<'POST /apps/{id}/annotations'>['body'],
  account: Account = ann,
  id = appId,
) => api.ok('POST /apps/{id}/annotations', { params: { id }, body }, account);
const list = (
  query: CallInput<'GET /apps/{id}/annotations'>['query'] = {},
  id = appId,
  credential: Credential = ann,
) => api.ok('GET /apps/{id}/annotations', { params: { id }, query }, credential);

describe('an annotation', () => {
  test('is created, listed newest day first, updated in part and deleted', async () => {
    const { id } = await insertApp(api, ann);
    const own = await addKeywords(ann, id);
    const made = await add(
      { date: '2026-11-20', text: '  Search ads began  ', keywordIds: [own[1]!, own[0]!, own[1]!] },
      ann,
      id,
    );
    expect(made).toEqual({
      id: expect.any(Number),
      appId: id,
      date: '2026-11-20',
      text: 'Search ads began',
      keywordIds: own.toSorted((a, b) => a - b),
      createdAt: '2026-11-21T12:00:00.000Z',
      etag: expect.any(String),
    });
    const planned = await add({ date: '2027-01-15', text: 'Relaunch' }, ann, id);
    const old = await add({ date: '2024-02-29', text: 'Launch' }, ann, id);
    const { items, total } = await list({}, id);
    expect([items.map((item) => item.id), total]).toEqual([[planned.id, made.id, old.id], 3]);
    expect((await list({ from: '2026-11-20', to: '2026-11-20' }, id)).items).toEqual([made]);
    const changed = await api.ok(
      'PATCH /annotations/{id}',
      { params: { id: made.id }, body: { text: 'Ads' } },
      ann,
    );
    expect(changed).toEqual({ ...made, text: 'Ads', etag: expect.any(String) });
    expect(
      await api.ok(
        'PATCH /annotations/{id}',
        { params: { id: made.id }, body: { date: '2026-11-19', keywordIds: [] } },
        ann,
      ),
    ).toEqual({
      ...changed,
      date: '2026-11-19',
      keywordIds: [],
      etag: expect.any(String),
    });
    expect(await api.ok('DELETE /annotations/{id}', { params: { id: made.id } }, ann)).toEqual({
      id: made.id,
      deleted: true,
    });
    expect(
      (await api.call('DELETE /annotations/{id}', { params: { id: made.id } }, ann)).status,
    ).toBe(404);
    expect((await list({}, id)).total).toBe(2);
  });

  test('holds 500 characters, counted as people count them', async () => {
    const text = '😀'.repeat(500);
    expect((await add({ date: '2026-11-01', text })).text).toBe(text);
    expect(
      (
        await api.call(
          'POST /apps/{id}/annotations',
          { params: { id: appId }, body: { date: '2026-11-01', text: `${text}!` } },
          ann,
        )
      ).status,
    ).toBe(400);
  });

  test('is returned once over all pages, even with many on one day', async () => {
    const { id } = await insertApp(api, ann);
    for (let index = 0; index < 7; index++)
      await add({ date: `2026-11-0${1 + (index % 2)}`, text: `Note ${index}` }, ann, id);
    const whole = (await list({}, id)).items;
    const first = await list({ limit: 4 }, id);
    const second = await list({ limit: 4, cursor: first.nextCursor! }, id);
    expect([...first.items, ...second.items]).toEqual(whole);
    expect(second.nextCursor).toBeNull();
    const wrong = await api.call(
      'GET /apps/{id}/annotations',
      { params: { id: appId }, query: { cursor: first.nextCursor! } },
      ann,
    );
    expect([wrong.status, wrong.body.code]).toEqual([400, 'invalid_cursor']);
  });

  test('is created once for one Idempotency-Key', async () => {
    const send = () =>
      api.raw(
        `/apps/${appId}/annotations`,
        {
          method: 'POST',
          body: JSON.stringify({ date: '2026-11-02', text: 'Once' }),
          headers: { 'content-type': 'application/json', 'idempotency-key': 'note-once' },
        },
        ann,
      );
    const [first, again] = [await send(), await send()];
    expect([first.status, again.status, again.text]).toEqual([201, 201, first.text]);
    expect((await list()).items.filter((item) => item.text === 'Once')).toHaveLength(1);
  });

  test('appears with the rankings of its keywords, or of all if it names none', async () => {
    const { id } = await insertApp(api, ann);
    const [one, two] = await addKeywords(ann, id);
    await add({ date: '2026-11-20', text: 'About one', keywordIds: [one!] }, ann, id);
    await add({ date: '2026-11-21', text: 'About all' }, ann, id);
    await add({ date: '2026-10-01', text: 'Long ago' }, ann, id);
    const annotationsOf = async (keywordId: number) =>
      (await api.ok('GET /keywords/{keywordId}/rankings', { params: { keywordId } }, ann))
        .annotations;
    const all = { date: '2026-11-21', text: 'About all', kind: 'note' };
    expect(await annotationsOf(one!)).toEqual([
      all,
      { date: '2026-11-20', text: 'About one', kind: 'note' },
    ]);
    expect(await annotationsOf(two!)).toEqual([all]);
  });

  test('is deleted with its app', async () => {
    const { id } = await insertApp(api, ann);
    await add({ date: '2026-11-20', text: 'Gone soon' }, ann, id);
    await api.ok('DELETE /apps/{id}', { params: { id }, query: { purge: 'true' } }, ann);
    expect(
      (await api.db.pool.query('select from annotations where app_id = $1', [id])).rows,
    ).toEqual([]);
  });

  test('names removed keywords of its app, and keeps deleted ones that it has', async () => {
    const { id } = await insertApp(api, ann);
    const [removed, purged] = (await addKeywords(ann, id)) as [number, number];
    const body = { date: '2026-11-20', text: 'Undone', keywordIds: [removed, purged] };
    const note = await add(body, ann, id);
    await api.ok('DELETE /keywords/{keywordId}', { params: { keywordId: removed } }, ann);
    await api.ok('DELETE /annotations/{id}', { params: { id: note.id } }, ann);
    const again = await add(body, ann, id);
    expect(again.keywordIds).toEqual(note.keywordIds);
    await api.db.pool.query('delete from keywords where id = $1', [purged]);
    const change = (keywordIds: number[]) =>
      api.call('PATCH /annotations/{id}', { params: { id: again.id }, body: { keywordIds } }, ann);
    expect(await change(note.keywordIds)).toMatchObject({
      status: 200,
      body: { keywordIds: note.keywordIds },
    });
    expect((await change([removed])).status).toBe(200);
    expect((await change([removed, purged])).status).toBe(404);
  });
});

describe('annotations are refused, and nothing is written:', () => {
  const send = (method: string, path: string, body: unknown, credential: Credential | null = ann) =>
    api.raw(
      path,
      { method, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } },
      credential,
    );

  test('malformed ones', async () => {
    const note = await add({ date: '2026-11-03', text: 'Stays' });
    const before = await describeTables(api);
    const good = { date: '2026-11-03', text: 'a' };
    const bodies = [
      { ...good, date: '2026-02-30' },
      { ...good, date: null },
      { ...good, text: '' },
      { ...good, text: '   ' },
      { ...good, text: 'a\0b' },
      { ...good, text: '\ud800' },
      { ...good, text: 'a'.repeat(501) },
      { ...good, keywordIds: [0] },
      { ...good, keywordIds: ['1'] },
      { ...good, keywordIds: Array.from({ length: 201 }, (_, index) => index + 1) },
      { ...good, more: 1 },
    ];
    for (const body of [...bodies, { text: 'a' }, { date: '2026-11-03' }, {}, []]) {
      const response = await send('POST', `/apps/${appId}/annotations`, body);
      expect([JSON.stringify(body).slice(0, 80), response.status]).toEqual([
        JSON.stringify(body).slice(0, 80),
        400,
      ]);
    }
    for (const body of bodies)
      expect((await send('PATCH', `/annotations/${note.id}`, body)).status).toBe(400);
    for (const query of [
      'from=x',
      'from=2026-11-02&to=2026-11-01',
      'limit=0',
      'cursor=x',
      'more=1',
    ]) {
      expect([
        query,
        (await api.raw(`/apps/${appId}/annotations?${query}`, {}, ann)).status,
      ]).toEqual([query, 400]);
    }
    expect(await describeTables(api)).toEqual(before);
  });

  test('keywords of another app, of another workspace, or unknown ones', async () => {
    const note = await add({ date: '2026-11-03', text: 'Stays' });
    const theirs = (await insertApp(api, bob)).id;
    const foreign = [
      (await addKeywords(bob, theirs))[0]!,
      (await addKeywords(ann, (await insertApp(api, ann)).id))[0]!,
      2_000_000_000,
    ];
    await api.ok('DELETE /keywords/{keywordId}', { params: { keywordId: foreign[1]! } }, ann);
    const before = await describeTables(api);
    for (const keywordId of foreign) {
      const body = { date: '2026-11-03', text: 'a', keywordIds: [keywordIds[0], keywordId] };
      expect((await send('POST', `/apps/${appId}/annotations`, body)).status).toBe(404);
      expect(
        (await send('PATCH', `/annotations/${note.id}`, { keywordIds: [keywordId] })).status,
      ).toBe(404);
    }
    expect(await describeTables(api)).toEqual(before);
  });

  test('apps of another workspace as unknown ones, and read-only tokens', async () => {
    const note = await add({ date: '2026-11-03', text: 'Mine' });
    const reader = await api.token(ann, { readOnly: true });
    await api.ok('GET /workspace', null, reader);
    const before = await describeTables(api, ['tokens']);
    const asks = [
      ['POST', `/apps/${appId}/annotations`, { date: '2026-11-03', text: 'a' }],
      ['PATCH', `/annotations/${note.id}`, { text: 'a' }],
    ] as const;
    for (const [method, path, body] of asks) {
      expect((await send(method, path, body, bob)).status).toBe(404);
      expect((await send(method, path, body, reader)).body.code).toBe('read_only_token');
      expect((await send(method, path, body, null)).status).toBe(401);
    }
    expect((await api.raw(`/annotations/${note.id}`, { method: 'DELETE' }, bob)).status).toBe(404);
    expect((await api.raw(`/annotations/${note.id}`, { method: 'DELETE' }, reader)).status).toBe(
      403,
    );
    expect((await api.raw(`/apps/${appId}/annotations`, {}, bob)).status).toBe(404);
    expect((await list({}, appId, reader)).items.length).toBeGreaterThan(0);
    expect(await describeTables(api, ['tokens'])).toEqual(before);
  });

  test('more than 2,000 for an app, also when two are created at once', async () => {
    const { id } = await insertApp(api, ann);
    await api.db.pool.query(
      'insert into annotations (workspace_id, app_id, on_date, text, created_at) select $1, ' +
        `$2, '2026-11-01', 'n', now() from generate_series(1, 1999)`,
      [ann.workspaceId, id],
    );
    const responses = await Promise.all(
      [1, 2, 3].map(() =>
        send('POST', `/apps/${id}/annotations`, { date: '2026-11-03', text: 'a' }),
      ),
    );
    expect(responses.map((response) => response.status).toSorted()).toEqual([201, 400, 400]);
    expect((await list({ limit: 1 }, id)).total).toBe(2_000);
  });
});
