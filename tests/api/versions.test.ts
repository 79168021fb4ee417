import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '#contract/index.ts';
import type { Operation } from '#contract/operation.ts';
import { startApi, type Account, type RawResponse, type TestApi } from '../harness/api.ts';
import { insertCompetitor, insertListings } from './competitors.fixtures.ts';
import { insertApp } from './keywords.fixtures.ts';
import { insertCoverage, insertReviews } from './reviews.fixtures.ts';

let api: TestApi;
let ann: Account;
let appId: number;
let keywordId: number;
let webhookId: number;
let reviewId: number;
let draftId: number;
beforeAll(async () => {
  api = await startApi();
  ann = await api.signUp();
  const app = await insertApp(api, ann);
  appId = app.id;
  const { added } = await api.ok(
    'POST /apps/{id}/keywords',
    {
      params: { id: appId },
      body: { keywords: [{ phrase: 'habit tracker', country: 'us' }] },
    },
    ann,
  );
  keywordId = added[0]!.id;
  const receiver = { url: 'https://example.org/hooks/1', events: ['rank.dropped' as const] };
  ({ id: webhookId } = await api.ok('POST /webhooks', { body: receiver }, ann));
  [reviewId] = (await insertReviews(api, app, [{ rating: 1 }])) as [number];
  await insertCoverage(api, app);
  ({ id: draftId } = await api.ok(
    'POST /apps/{id}/listing-drafts',
    { params: { id: appId }, body: { name: 'Draft' } },
    ann,
  ));
});
afterAll(() => api.close());

const write = (method: string, path: string, body: unknown, ifMatch?: string) =>
  api.raw(
    path,
    {
      method,
      body: JSON.stringify(body),
      headers: {
        'content-type': 'application/json',
        ...(ifMatch !== undefined && { 'if-match': ifMatch }),
      },
    },
    ann,
  );
const etagOf = ({ headers }: RawResponse) => headers.get('etag')!;

const rule = (minPositions: number) => ({
  rules: [
    {
      event: 'rank.dropped',
      enabled: true,
      minPositions,
      thresholds: [],
      depthEdge: false,
      cooldownDays: 1,
      hysteresisPositions: 0,
      maxGapDays: 3,
      scope: {},
    },
  ],
});

/** Each record that several people edit: its path, a change and another one. */
const records = [
  ['PUT', () => '/alerts/rules', rule(7), rule(9)],
  ['PATCH', () => '/settings', { defaultDepth: 100 }, { defaultDepth: 50 }],
  ['PATCH', () => `/keywords/${keywordId}`, { note: 'mine' }, { note: 'theirs' }],
  ['PUT', () => `/apps/${appId}/keyword-field`, { text: 'habit' }, { text: 'routine' }],
  ['PATCH', () => `/apps/${appId}`, { displayName: 'mine' }, { displayName: 'theirs' }],
  ['PATCH', () => `/webhooks/${webhookId}`, { description: 'mine' }, { description: 'theirs' }],
  ['PATCH', () => `/reviews/${reviewId}`, { note: 'mine' }, { note: 'theirs' }],
  ['PATCH', () => `/listing-drafts/${draftId}`, { name: 'Mine' }, { name: 'Theirs' }],
  ['PATCH', () => '/workspace', { name: 'Mine' }, { name: 'Theirs' }],
] as const;

describe.each(records)('%s with If-Match', (method, path, first, second) => {
  test('writes the state that was read, and refuses one that has changed since', async () => {
    await write(method, path(), second);
    const read = await api.raw(path(), {}, ann);
    const written = await write(method, path(), first, etagOf(read));
    expect(written.status).toBe(200);
    const refused = await write(method, path(), second, etagOf(read));
    expect([refused.status, refused.body.code]).toEqual([412, 'precondition_failed']);
    expect([refused.body.etag, etagOf(refused)]).toEqual([etagOf(written), etagOf(written)]);
    expect(etagOf(await api.raw(path(), {}, ann))).toContain(etagOf(written).slice(1, -1));

    // The ETag of the refusal and that of a new read are both that of the current state.
    expect((await write(method, path(), second, etagOf(refused))).status).toBe(200);
    const reread = await api.raw(path(), {}, ann);
    const weak = etagOf(reread).replace(/^(W\/)?/, 'W/');
    expect((await write(method, path(), first, `"other", ${weak}`)).status).toBe(200);
  });

  test('of two at once only one is written', async () => {
    await write(method, path(), first);
    const etag = etagOf(await api.raw(path(), {}, ann));
    const statuses = await Promise.all(
      [1, 2, 3].map(async () => (await write(method, path(), second, etag)).status),
    );
    expect(statuses.toSorted()).toEqual([200, 412, 412]);
  });

  test('is optional, and a malformed one is refused', async () => {
    expect((await write(method, path(), second)).status).toBe(200);
    expect((await write(method, path(), first, '*')).status).toBe(200);
    for (const header of ['abc', '"abc', 'W/abc', '"a" "b"', '']) {
      const refused = await write(method, path(), second, header);
      expect([header, refused.status, refused.body.issues]).toMatchObject([
        header,
        400,
        [{ path: 'headers.if-match', code: 'wrong_form' }],
      ]);
    }
  });
});

test('a view has its ETag in the list', async () => {
  const view = await api.ok('POST /views', { body: { name: 'Old', path: '/actions' } }, ann);
  const path = `/views/${view.id}`;
  expect((await write('PATCH', path, { name: 'New' }, view.etag)).status).toBe(200);
  const refused = await write('PATCH', path, { name: 'Other' }, view.etag);
  const [current] = (await api.ok('GET /views', null, ann)).items;
  expect([refused.status, refused.body.etag, current!.name]).toEqual([412, current!.etag, 'New']);
});

test('an annotation and a competitor have their ETag in the list', async () => {
  const of = { params: { id: appId } };
  const note = { date: '2026-11-20', text: 'Old' };
  await api.ok('POST /apps/{id}/annotations', { ...of, body: note }, ann);
  const [listingId] = (await insertListings(api, 1)) as [number];
  const since = api.clock.now().toISOString();
  await insertCompetitor(api, ann.workspaceId, { appId, listingId, since });
  const listed = async () => [
    ...(await api.ok('GET /apps/{id}/annotations', of, ann)).items,
    ...(await api.ok('GET /apps/{id}/competitors', of, ann)).items,
  ];
  const [before] = [await listed()];
  expect(before).toHaveLength(2);
  const changes = [
    [`/annotations/${before[0]!.id}`, { text: 'Mine' }, { text: 'Theirs' }],
    [`/apps/${appId}/competitors/${before[1]!.id}`, { note: 'mine' }, { relationship: 'theirs' }],
  ] as const;
  for (const [index, [path, mine, theirs]] of changes.entries()) {
    const { etag } = before[index]!;
    expect((await write('PATCH', path, mine, etag)).status).toBe(200);
    const refused = await write('PATCH', path, theirs, etag);
    const current = (await listed())[index]!;
    expect([refused.status, refused.body.etag]).toEqual([412, current.etag]);
    expect(current).toMatchObject(mine);
    expect((await write('PATCH', path, theirs, current.etag)).status).toBe(200);
  }
});

test('a draft has one ETag for its name and its texts', async () => {
  const path = `/listing-drafts/${draftId}`;
  const { items } = await api.ok('GET /apps/{id}/listing-drafts', { params: { id: appId } }, ann);
  const { etag } = items.find(({ id }) => id === draftId)!;
  expect(etagOf(await api.raw(path, {}, ann))).toContain(etag.slice(1, -1));
  const locales = [{ locale: 'en-US', texts: { title: `Title ${etag}` } }];
  const saved = await write('PUT', `${path}/texts`, { locales }, etag);
  expect([saved.status, saved.body.etag]).toEqual([200, etagOf(saved)]);
  expect((await write('PATCH', path, { name: 'Late' }, etag)).status).toBe(412);
  // Which draft is the current one is no edit of its contents.
  expect((await write('PATCH', path, { current: true }, saved.body.etag)).status).toBe(200);
  expect((await write('PATCH', path, { name: 'Later' }, saved.body.etag)).status).toBe(200);
  expect((await write('PUT', `${path}/texts`, { locales }, saved.body.etag)).status).toBe(412);
});

test('a tag has its ETag in the list, and of two changes at once only one is written', async () => {
  await api.ok('PATCH /apps/{id}', { params: { id: appId }, body: { tags: ['brand', 'b'] } }, ann);
  const tag = async (of: string) =>
    (await api.ok('GET /tags', null, ann)).items.find(({ name }) => name === of)!;
  const before = await tag('brand');
  const colors = ['#111111', '#222222', '#333333'];
  const responses = await Promise.all(
    colors.map((color) => write('PATCH', '/tags/brand', { color }, before.etag)),
  );
  expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 412, 412]);
  const current = await tag('brand');
  const written = responses.find(({ status }) => status === 200)!;
  expect([written.body, etagOf(written)]).toEqual([current, current.etag]);
  const refused = responses.find(({ status }) => status === 412)!;
  expect([refused.body.code, refused.body.etag]).toEqual(['precondition_failed', current.etag]);
  expect((await write('PATCH', '/tags/brand', { name: 'b' }, before.etag)).status).toBe(412);
  expect((await tag('b')).apps).toBe(1);
  // A name that somebody else has changed is gone.
  expect((await write('PATCH', '/tags/brand', { name: 'c' }, current.etag)).status).toBe(200);
  expect((await write('PATCH', '/tags/brand', { name: 'd' }, current.etag)).status).toBe(404);
});

test('a storefront locale has its ETag in the list, also one that nobody has yet', async () => {
  const rowOf = async (country: string, locale: string) =>
    (await api.ok('GET /storefront-locales', { query: { country, locale } }, ann)).items[0]!;
  for (const [country, locale] of [
    ['gb', 'en-AU'],
    ['gb', 'cy'],
  ] as const) {
    const before = await rowOf(country, locale);
    expect(before).toMatchObject({ enabled: false, note: null, savedAt: null });
    const change = (note: string, etag: string) =>
      write('PUT', '/storefront-locales', { country, locale, enabled: true, note }, etag);
    const responses = await Promise.all(['a', 'b', 'c'].map((note) => change(note, before.etag)));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 412, 412]);
    const current = await rowOf(country, locale);
    const refused = responses.find(({ status }) => status === 412)!;
    expect(refused.body.etag).toBe(current.etag);
    const restored = await write(
      'PUT',
      '/storefront-locales',
      { country, locale, enabled: null },
      current.etag,
    );
    expect([restored.status, etagOf(restored), restored.body]).toEqual([200, before.etag, before]);
  }
  const absent = await api.call('GET /storefront-locales', { query: { locale: 'cy' } }, ann);
  expect(absent.body.issues).toMatchObject([{ path: 'query.locale' }]);
});

test('a position that is checked meanwhile is no change of the keyword', async () => {
  const path = `/keywords/${keywordId}`;
  const read = await api.raw(path, {}, ann);
  await api.db.pool.query('update keywords set best_position = 3, best_on = $2 where id = $1', [
    keywordId,
    '2026-11-20',
  ]);
  const reread = await api.raw(path, {}, ann);
  expect(etagOf(reread)).not.toBe(etagOf(read));
  expect((await write('PATCH', path, { favorite: true }, etagOf(read))).status).toBe(200);
});

test('a record of another workspace is not found, whatever the ETag', async () => {
  const stranger = await api.signUp();
  const response = await api.raw(
    `/keywords/${keywordId}`,
    {
      method: 'PATCH',
      body: JSON.stringify({ favorite: true }),
      headers: { 'content-type': 'application/json', 'if-match': '"x"' },
    },
    stranger,
  );
  expect(response.status).toBe(404);
});

test('every versioned write has a read or a list with its ETag', () => {
  const listed = [
    '/views/{id}',
    '/annotations/{id}',
    '/apps/{id}/competitors/{cid}',
    '/tags/{name}',
    '/storefront-locales',
  ];
  const versioned = Object.entries<Operation>(operations).filter(([, { versioned: of }]) => of);
  const keys = versioned.map(([key]) => key);
  for (const [key, operation] of versioned) {
    const path = key.slice(key.indexOf(' ') + 1);
    expect(operation.idempotent).toBeUndefined();
    // The texts of a draft are read with the draft.
    const read = `GET ${path.replace(/\/texts$/, '')}`;
    expect(keys.includes(read) || listed.includes(path)).toBe(true);
  }
});
