import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { describeTables, insertApp } from './keywords.fixtures.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const seen = ['sessions', 'tokens'];

/** An app tagged `brand` with keywords tagged `brand`, `brand`+`core`, and `core`. */
async function createTagged(): Promise<{ me: Account; appId: number; ids: number[] }> {
  const me = await api.signUp();
  const { id: appId } = await insertApp(api, me);
  await api.ok('PATCH /apps/{id}', { params: { id: appId }, body: { tags: ['brand'] } }, me);
  const keywords = [
    { phrase: 'alpha', country: 'us', tags: ['brand'] },
    { phrase: 'bravo', country: 'us', tags: ['brand', 'core'] },
    { phrase: 'charlie', country: 'us', tags: ['core'] },
  ];
  const { added } = await api.ok(
    'POST /apps/{id}/keywords',
    { params: { id: appId }, body: { keywords } },
    me,
  );
  return { me, appId, ids: added.map((keyword) => keyword.id) };
}

const etag: string = expect.any(String);
const list = async (me: Account) => (await api.ok('GET /tags', null, me)).items;
const tagsOf = async (me: Account, appId: number) =>
  (await api.ok('GET /apps/{id}/keywords', { params: { id: appId } }, me)).items.map((item) =>
    item.tags.toSorted().join(' '),
  );

test('a tag counts apps and active keywords, and ends with the last of them', async () => {
  const { me, ids, appId } = await createTagged();
  expect(await list(me)).toEqual([
    { name: 'brand', color: null, apps: 1, keywords: 2, etag },
    { name: 'core', color: null, apps: 0, keywords: 2, etag },
  ]);
  await api.ok(
    'POST /apps/{id}/keywords/delete',
    { params: { id: appId }, body: { ids: ids.slice(1) } },
    me,
  );
  expect(await list(me)).toEqual([{ name: 'brand', color: null, apps: 1, keywords: 1, etag }]);
});

test('a renamed tag changes everywhere and keeps its colour', async () => {
  const { me, appId } = await createTagged();
  const colored = await api.ok(
    'PATCH /tags/{name}',
    { params: { name: 'brand' }, body: { color: '#1f7a4d' } },
    me,
  );
  expect(colored).toEqual({ name: 'brand', color: '#1f7a4d', apps: 1, keywords: 2, etag });
  const renamed = await api.ok(
    'PATCH /tags/{name}',
    { params: { name: 'brand' }, body: { name: 'Marke / 牌' } },
    me,
  );
  expect(renamed).toEqual({ name: 'Marke / 牌', color: '#1f7a4d', apps: 1, keywords: 2, etag });
  expect(await tagsOf(me, appId)).toEqual(['Marke / 牌', 'Marke / 牌 core', 'core']);
  expect((await api.ok('GET /apps/{id}', { params: { id: appId } }, me)).tags).toEqual([
    'Marke / 牌',
  ]);
  const again = await api.ok(
    'PATCH /tags/{name}',
    { params: { name: 'Marke / 牌' }, body: { color: null } },
    me,
  );
  expect(again.color).toBeNull();
});

test('renaming to an existing tag merges both under its colour', async () => {
  const { me, appId } = await createTagged();
  await api.ok('PATCH /tags/{name}', { params: { name: 'brand' }, body: { color: '#111111' } }, me);
  await api.ok('PATCH /tags/{name}', { params: { name: 'core' }, body: { color: '#222222' } }, me);
  await api.ok('PATCH /tags/{name}', { params: { name: 'brand' }, body: { name: 'core' } }, me);
  expect(await tagsOf(me, appId)).toEqual(['core', 'core', 'core']);
  expect(await list(me)).toEqual([{ name: 'core', color: '#222222', apps: 1, keywords: 3, etag }]);
});

test('deleting a tag keeps the apps and keywords', async () => {
  const { me, appId } = await createTagged();
  expect(await api.ok('DELETE /tags/{name}', { params: { name: 'brand' } }, me)).toEqual({
    name: 'brand',
    deleted: true,
  });
  expect(await tagsOf(me, appId)).toEqual(['', 'core', 'core']);
  expect(await list(me)).toEqual([{ name: 'core', color: null, apps: 0, keywords: 2, etag }]);
});

test('another workspace’s tag of the same name is neither shown nor changed', async () => {
  const { me } = await createTagged();
  const other = await createTagged();
  await api.ok(
    'PATCH /tags/{name}',
    { params: { name: 'core' }, body: { name: 'mine', color: '#abcdef' } },
    me,
  );
  expect((await list(other.me)).map((tag) => tag.name)).toEqual(['brand', 'core']);
  for (const key of ['PATCH /tags/{name}', 'DELETE /tags/{name}'] as const) {
    const before = await describeTables(api, seen);
    const response = await api.call(
      key,
      {
        params: { name: 'mine' },
        ...(key.startsWith('PATCH') ? { body: { color: null } } : {}),
      } as never,
      other.me,
    );
    expect([response.status, response.body.code]).toEqual([404, 'not_found']);
    expect(await describeTables(api, seen)).toEqual(before);
  }
});

test('a read-only token reads tags only; hostile names and colours are refused', async () => {
  const { me } = await createTagged();
  const reader = await api.token(me, { readOnly: true });
  expect((await api.call('GET /tags', null, reader)).status).toBe(200);
  expect(
    (await api.call('DELETE /tags/{name}', { params: { name: 'core' } }, reader)).body.code,
  ).toBe('read_only_token');
  const before = await describeTables(api, seen);
  const refusals: object[] = [
    { name: '' },
    { name: '   ' },
    { name: 'x'.repeat(41) },
    { name: 'a\0b' },
    { name: '\ud800' },
    { color: 'red' },
    { color: '#FFFFFF' },
    { color: '#ffffff\n' },
    { colour: '#ffffff' },
    { name: null },
  ];
  for (const body of refusals) {
    const response = await api.call('PATCH /tags/{name}', { params: { name: 'core' }, body }, me);
    expect([response.status, response.body.code], JSON.stringify(body)).toEqual([
      400,
      'invalid_request',
    ]);
  }
  expect((await api.raw('/tags/a%00b', { method: 'DELETE' }, me)).status).toBe(400);
  expect(
    (await api.raw(`/tags/${'x'.repeat(41)}`, { method: 'DELETE' }, me)).status,
  ).toBeGreaterThanOrEqual(400);
  expect(await describeTables(api, seen)).toEqual(before);
});

test('an alert rule follows the renamed tag, and prevents its deletion', async () => {
  const { me } = await createTagged();
  const rules = [
    { event: 'rank.dropped', scope: { tags: ['brand', 'core'] } },
    { event: 'review.negative', scope: { tags: ['brand'] } },
    { event: 'rank.improved', scope: { tags: ['core'] } },
    { event: 'digest.weekly', mailTo: 'nobody' },
  ] as never;
  const saved = await api.ok('PUT /alerts/rules', { body: { rules } }, me);
  await api.ok('PATCH /tags/{name}', { params: { name: 'brand' }, body: { name: 'core' } }, me);
  const renamed = await api.ok('GET /alerts/rules', null, me);
  expect(renamed.rules.map((rule) => ('scope' in rule ? rule.scope?.tags : null))).toEqual([
    ['core'],
    ['core'],
    ['core'],
    null,
  ]);
  expect({ ...renamed, rules: [] }).toEqual({ ...saved, rules: [] });
  const before = await describeTables(api, seen);
  const refused = await api.call('DELETE /tags/{name}', { params: { name: 'core' } }, me);
  expect([refused.status, refused.body.issues]).toMatchObject([
    400,
    [{ path: 'params.name', actual: 'rank.dropped, review.negative, rank.improved' }],
  ]);
  expect(await describeTables(api, seen)).toEqual(before);
  await api.ok('PUT /alerts/rules', { body: { rules: [] } }, me);
  await api.ok('DELETE /tags/{name}', { params: { name: 'core' } }, me);
  expect(await list(me)).toEqual([]);
});

test('saved views follow the renamed tag, and two of one page become one', async () => {
  const { me, appId } = await createTagged();
  const other = await createTagged();
  const page = `/apps/${appId}/keywords?tag=`;
  const paths = (account: Account) =>
    api
      .ok('GET /views', null, account)
      .then(({ items }) => items.map(({ name, path }) => `${name} ${path}`));
  const save = (name: string, path: string, pinned: boolean, account = me) =>
    api.ok('POST /views', { body: { name, path, pinned } }, account);
  await save('Core', `${page}core`, false);
  await save('Brand', `${page}brand`, true);
  await save('Competitors', `/apps/${appId}/competitors?tab=matrix&tag=brand`, false);
  await save('Reviews', `/apps/${appId}/reviews?tag=brand`, false);
  await save('Theirs', `${page}brand`, false, other.me);
  const rename = (name: string, to: string) =>
    api.ok('PATCH /tags/{name}', { params: { name }, body: { name: to } }, me);
  await rename('brand', 'core');
  await rename('core', '2026');
  expect(await paths(me)).toEqual([
    `Brand ${page}%222026%22`,
    `Competitors /apps/${appId}/competitors?tab=matrix&tag=%222026%22`,
    `Reviews /apps/${appId}/reviews?tag=brand`,
  ]);
  expect(await paths(other.me)).toEqual([`Theirs ${page}brand`]);
});

test('two concurrent renames of one tag end in one of the names', async () => {
  const { me, appId } = await createTagged();
  const to = async (name: string) =>
    (await api.call('PATCH /tags/{name}', { params: { name: 'core' }, body: { name } }, me)).status;
  const statuses = await Promise.all([to('left'), to('right')]);
  expect(statuses).toContain(200);
  const names = (await list(me)).map((tag) => tag.name);
  expect(names).toHaveLength(2);
  expect(names).not.toContain('core');
  expect(
    (await tagsOf(me, appId)).filter((tags) => tags.includes('left') || tags.includes('right')),
  ).toHaveLength(2);
});
