import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestClock } from '#lib/clock.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { until } from '../harness/load-recorder.ts';
import { insertApp } from './keywords.fixtures.ts';

let api: TestApi;
const clock = new TestClock('2026-11-21T12:00:00Z');
beforeAll(async () => {
  api = await startApi({ clock });
});
afterAll(() => api.close());

const create = (me: Account, appId: number, body: { name: string; copyOf?: number }) =>
  api.ok('POST /apps/{id}/listing-drafts', { params: { id: appId }, body }, me);
const list = async (me: Account, id: number) =>
  (await api.ok('GET /apps/{id}/listing-drafts', { params: { id } }, me)).items;
type Locales = { locale: string; texts: Record<string, string> }[];
const save = (me: Account, id: number, locales: Locales) =>
  api.call('PUT /listing-drafts/{id}/texts', { params: { id }, body: { locales } }, me);
const read = (me: Account, id: number, query = {}) =>
  api.ok('GET /listing-drafts/{id}', { params: { id }, query }, me);
const versions = (me: Account, id: number, query = {}) =>
  api.ok('GET /listing-drafts/{id}/versions', { params: { id }, query }, me);

async function insertSnapshot(
  listingId: number,
  { country, language = null, ...fields }: Record<string, string | null>,
): Promise<void> {
  await api.db.pool.query(
    `insert into snapshots (listing_id, country, language, taken_at, content_hash, fields)
     values ($1, $2, $3, $4, $5, $6)`,
    [listingId, country, language, clock.now(), Buffer.alloc(32), JSON.stringify(fields)],
  );
}

test('the first draft of an app is the current one until another one is', async () => {
  const me = await api.signUp();
  const app = await insertApp(api, me);
  const first = await create(me, app.id, { name: ' Spring ' });
  expect(first).toEqual({
    id: expect.any(Number),
    appId: app.id,
    name: 'Spring',
    current: true,
    locales: [],
    createdAt: clock.now().toISOString(),
    savedAt: null,
    lastVersionId: null,
    etag: expect.any(String),
  });
  const second = await create(me, app.id, { name: 'Summer' });
  expect(second.current).toBe(false);
  const update = (id: number, body: object) =>
    api.call('PATCH /listing-drafts/{id}', { params: { id }, body }, me);
  expect((await update(second.id, { current: true })).body).toEqual({ ...second, current: true });
  expect((await list(me, app.id)).map(({ name, current }) => [name, current])).toEqual([
    ['Summer', true],
    ['Spring', false],
  ]);
  expect((await update(first.id, { name: 'Summer' })).status).toBe(400);
  expect((await update(second.id, { name: 'Summer', current: true })).status).toBe(200);
  await api.ok('DELETE /listing-drafts/{id}', { params: { id: second.id } }, me);
  expect(await list(me, app.id)).toEqual([{ ...first, current: false }]);
});

test('every saved text of a locale is a version with its author and time', async () => {
  const me = await api.signUp();
  const other = await api.signUp({ workspaceId: me.workspaceId, role: 'member' });
  const { id } = await create(me, (await insertApp(api, me)).id, { name: 'A' });
  const en = { locale: 'en-US', texts: { title: 'Habits', keywordField: 'routine' } };
  const de = { locale: 'de-DE', texts: { title: 'Gewohnheiten' } };
  expect((await save(me, id, [en, de])).body).toMatchObject({ locales: ['de-DE', 'en-US'] });
  // The same texts in another order are no new version.
  const same = { locale: 'en-US', texts: { keywordField: 'routine', title: 'Habits' } };
  await save(other, id, [same, { locale: 'de-DE', texts: {} }]);
  await save(other, id, [{ locale: 'en-US', texts: { title: 'Habits 2' } }]);
  const all = await versions(me, id);
  expect(all.items.map(({ locale, texts, savedBy }) => [locale, texts, savedBy])).toEqual([
    ['en-US', { title: 'Habits 2' }, other.userId],
    ['de-DE', {}, other.userId],
    ['de-DE', de.texts, me.userId],
    ['en-US', en.texts, me.userId],
  ]);
  const paged = await versions(me, id, { locale: 'en-US', limit: 1 });
  expect(paged).toMatchObject({ total: 2, items: [{ texts: { title: 'Habits 2' } }] });
  const next = await versions(me, id, { locale: 'en-US', limit: 1, cursor: paged.nextCursor });
  expect(next).toMatchObject({ nextCursor: null, items: [{ texts: en.texts }] });
  // The removed locale is no longer in the draft.
  expect((await read(me, id)).texts.map(({ locale }) => locale)).toEqual(['en-US']);
});

test('a copy has the newest texts of the other draft', async () => {
  const me = await api.signUp();
  const app = await insertApp(api, me);
  const { id } = await create(me, app.id, { name: 'A' });
  await save(me, id, [{ locale: 'en-US', texts: { title: 'One' } }]);
  await save(me, id, [{ locale: 'en-US', texts: { title: 'Two' } }]);
  const copy = await create(me, app.id, { name: 'B', copyOf: id });
  expect((await versions(me, copy.id)).items).toMatchObject([{ texts: { title: 'Two' } }]);
  const foreign = await insertApp(api, me);
  const body = { name: 'C', copyOf: id };
  const refused = { params: { id: foreign.id }, body };
  expect((await api.call('POST /apps/{id}/listing-drafts', refused, me)).status).toBe(404);
});

test('a draft is compared with the listing of the storefront that shows its locale', async () => {
  const me = await api.signUp();
  const app = await insertApp(api, me);
  await insertSnapshot(app.listingId, {
    country: 'us',
    name: 'Habit Tracker',
    subtitle: null,
    description: 'Keep your habits.',
  });
  const { id } = await create(me, app.id, { name: 'A' });
  const texts = { title: 'Habit Diary', keywordField: 'ab,c😀' };
  await save(me, id, [
    { locale: 'en-US', texts },
    { locale: 'fr-FR', texts },
  ]);
  const [en, fr] = (await read(me, id)).texts;
  expect(en!.live).toEqual({ country: 'us', takenAt: clock.now().toISOString() });
  expect(en!.compared).toEqual([
    {
      field: 'title',
      draft: 'Habit Diary',
      live: 'Habit Tracker',
      characters: 11,
      limit: 30,
      diff: [
        { op: 'same', text: 'Habit ' },
        { op: 'removed', text: 'Tracker' },
        { op: 'added', text: 'Diary' },
      ],
    },
    {
      field: 'keywordField',
      draft: 'ab,c😀',
      live: null,
      characters: 5,
      limit: 100,
      diff: null,
    },
    {
      field: 'description',
      draft: null,
      live: 'Keep your habits.',
      characters: 0,
      limit: 4_000,
      diff: null,
    },
  ]);
  expect(fr!.live).toBeNull();
  expect((await read(me, id, { locale: 'fr-FR' })).texts.map(({ locale }) => locale)).toEqual([
    'fr-FR',
  ]);
});

test('texts, names and numbers of locales and drafts have limits', async () => {
  const me = await api.signUp();
  const app = await insertApp(api, me);
  const { id } = await create(me, app.id, { name: 'A' });
  const locale = 'en-US';
  for (const locales of [
    [],
    [{ locale, texts: { title: 'x'.repeat(1_001) } }],
    [{ locale, texts: { title: 'a\0b' } }],
    [{ locale, texts: { unknown: 'x' } }],
    [{ locale: '../en', texts: {} }],
    [
      { locale, texts: {} },
      { locale, texts: {} },
    ],
  ] as Locales[])
    expect((await save(me, id, locales)).status).toBe(400);
  expect((await versions(me, id)).total).toBe(0);
  for (let at = 0; at < 10; at += 1) {
    const ten = Array.from({ length: 10 }, (_, n) => ({
      locale: `x${String.fromCharCode(97 + at)}-${String.fromCharCode(97 + n)}`,
      texts: { title: 'x' },
    }));
    expect((await save(me, id, ten)).status).toBe(200);
  }
  expect((await save(me, id, [{ locale, texts: { title: 'x' } }])).status).toBe(400);
  const others = Array.from({ length: 21 }, (_, at) => ({ name: `draft ${at}` }));
  const statuses = await Promise.all(
    others.map(
      async (body) =>
        (await api.call('POST /apps/{id}/listing-drafts', { params: { id: app.id }, body }, me))
          .status,
    ),
  );
  expect(statuses.filter((status) => status === 201)).toHaveLength(19);
});

test('a save with the ETag of an earlier state changes nothing', async () => {
  const me = await api.signUp();
  const { id } = await create(me, (await insertApp(api, me)).id, { name: 'A' });
  const path = `/listing-drafts/${id}`;
  const saveIf = (ifMatch: string, locale: string) =>
    api.raw(
      `${path}/texts`,
      {
        method: 'PUT',
        body: JSON.stringify({ locales: [{ locale, texts: { title: 'x' } }] }),
        headers: { 'content-type': 'application/json', 'if-match': ifMatch },
      },
      me,
    );
  const etag = (await api.raw(path, {}, me)).headers.get('etag')!;
  const saved = await saveIf(etag, 'en-US');
  expect(saved.status).toBe(200);
  expect((await saveIf(etag, 'de-DE')).status).toBe(412);
  expect((await read(me, id)).locales).toEqual(['en-US']);
  expect((await saveIf(saved.headers.get('etag')!, 'de-DE')).status).toBe(200);
});

test('a save waits for the deletion of its draft, and is a 404 then', async () => {
  const me = await api.signUp();
  const { id } = await create(me, (await insertApp(api, me)).id, { name: 'A' });
  const countWaiting = async () =>
    (
      await api.db.pool.query(`select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`)
    ).rowCount;
  const other = await api.db.pool.connect();
  // The deletion waits before its commit.
  await other.query('begin; lock table audit in share row exclusive mode');
  const deletion = api.call('DELETE /listing-drafts/{id}', { params: { id } }, me);
  await until(async () => (await countWaiting()) === 1, 60_000, 'the deletion to wait');
  const saving = save(me, id, [{ locale: 'en-US', texts: { title: 'x' } }]);
  await until(async () => (await countWaiting()) === 2, 60_000, 'the save to wait');
  await other.query('commit');
  other.release();
  expect((await deletion).status).toBe(200);
  expect((await saving).status).toBe(404);
});

test('live listings are by locale, with the keyword field that was saved', async () => {
  const me = await api.signUp();
  const app = await insertApp(api, me);
  await insertSnapshot(app.listingId, { country: 'us', name: 'Habit Tracker', subtitle: null });
  await api.ok(
    'PUT /apps/{id}/keyword-field',
    { params: { id: app.id }, body: { text: 'Mood, diary', locale: 'en-US' } },
    me,
  );
  const live = await api.ok('GET /apps/{id}/live-listings', { params: { id: app.id } }, me);
  expect(live.items).toEqual([
    {
      locale: 'en-US',
      country: 'us',
      takenAt: clock.now().toISOString(),
      texts: { title: 'Habit Tracker', keywordField: 'mood,diary' },
    },
  ]);
});

test('changes of drafts are in the audit log', async () => {
  const me = await api.signUp();
  const app = await insertApp(api, me);
  const one = await create(me, app.id, { name: 'One' });
  const { id } = await create(me, app.id, { name: 'Two' });
  await save(me, id, [{ locale: 'en-US', texts: { title: 'x' } }]);
  // The same texts and the same name change nothing.
  await save(me, id, [{ locale: 'en-US', texts: { title: 'x' } }]);
  for (const body of [{ name: 'Two' }, { name: 'Three' }, { current: true as const }])
    await api.ok('PATCH /listing-drafts/{id}', { params: { id }, body }, me);
  await api.ok('DELETE /listing-drafts/{id}', { params: { id: one.id } }, me);
  const { items } = await api.ok('GET /workspace/audit', { query: {} }, me);
  const ofDrafts = items.filter(({ action }) => action.startsWith('listing_draft.'));
  expect(ofDrafts.map(({ action, subject }) => [action, subject]).toReversed()).toEqual(
    ['created', 'created', 'changed', 'renamed', 'made_current', 'deleted'].map((action) => [
      `listing_draft.${action}`,
      `app ${app.id}`,
    ]),
  );
  expect(ofDrafts.map(({ detail }) => detail)).toContainEqual({ draft: id, locales: 'en-US' });
});
