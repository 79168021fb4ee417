import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { insertApp } from './keywords.fixtures.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const list = (me: Account, country?: string) =>
  api.ok('GET /storefront-locales', { query: country ? { country } : {} }, me);
const change = (me: Account, body: object) =>
  api.call(
    'PUT /storefront-locales',
    { body: body as { country: string; locale: string; enabled: boolean | null } },
    me,
  );
const coverage = (me: Account, id: number, query = {}) =>
  api.ok('GET /apps/{id}/locale-coverage', { params: { id }, query }, me);

test('documented display and claimed search are apart, and low confidence is off', async () => {
  const me = await api.signUp();
  const { items, total } = await list(me);
  expect([items.length, total]).toEqual([368, 368]);
  const displayed = items.filter(({ displays }) => displays !== null);
  expect(displayed).toHaveLength(311);
  // Each storefront shows one locale first.
  const primary = items.filter(({ displays }) => displays === 'primary');
  expect(primary).toHaveLength(175);
  expect(new Set(primary.map(({ country }) => country)).size).toBe(175);
  const off = items.filter(({ enabled }) => !enabled);
  expect(off).toHaveLength(57);
  expect(off.every(({ displays, confidence }) => displays === null && confidence === 'low')).toBe(
    true,
  );
  const gb = (await list(me, 'gb')).items;
  expect(gb.find(({ locale }) => locale === 'en-AU')).toMatchObject({
    displays: null,
    claimedBy: ['notes', 'outrank'],
    confidence: 'low',
    enabled: false,
  });
  const india = (await list(me, 'in')).items.filter(({ addedIn }) => addedIn === '2026-03');
  expect(india).toHaveLength(10);
});

test('a workspace switches rows, adds rows and restores the shipped ones', async () => {
  const me = await api.signUp();
  const other = await api.signUp();
  const at = { country: 'gb', locale: 'en-AU' };
  const [before] = (await list(me, 'gb')).items.filter(({ locale }) => locale === 'en-AU');
  const switched = await change(me, { ...at, enabled: true, note: 'Our test in May' });
  expect(switched.body).toEqual({
    ...before,
    enabled: true,
    note: 'Our test in May',
    savedAt: expect.any(String),
    etag: expect.any(String),
  });
  expect((await list(other, 'gb')).items).toContainEqual(before);
  const own = await change(me, { country: 'gb', locale: 'cy', enabled: true });
  expect(own.body).toMatchObject({ confidence: null, displays: null, enabled: true });
  expect((await change(me, { ...at, enabled: null })).body).toEqual(before);
  expect((await change(me, { country: 'gb', locale: 'cy', enabled: null })).body).toMatchObject({
    locale: 'cy',
    enabled: false,
    savedAt: null,
  });
  expect((await list(me, 'gb')).items.map(({ locale }) => locale)).not.toContain('cy');
  expect((await change(me, { ...at, enabled: true, note: 'a\0b' })).status).toBe(400);
  expect((await change(me, { country: 'GB', locale: 'en', enabled: true })).status).toBe(400);
});

test('a phrase is covered when one locale has all of its words', async () => {
  const me = await api.signUp();
  const app = await insertApp(api, me);
  await api.ok(
    'POST /apps/{id}/keywords',
    {
      params: { id: app.id },
      body: { phrases: ['habit tracker', 'mood diary', 'sleep tracker'], countries: ['us'] },
    },
    me,
  );
  expect(await coverage(me, app.id)).toMatchObject({ draftId: null, covered: 0, total: 3 });
  const draft = await api.ok(
    'POST /apps/{id}/listing-drafts',
    { params: { id: app.id }, body: { name: 'A' } },
    me,
  );
  const locales = [
    { locale: 'en-US', texts: { title: 'Habit Tracker', keywordField: 'mood,steps' } },
    { locale: 'es-MX', texts: { title: 'Hábitos', keywordField: 'tracker,diary,sleep' } },
    // The United States do not show it.
    { locale: 'de-DE', texts: { title: 'mood diary' } },
  ];
  await api.ok(
    'PUT /listing-drafts/{id}/texts',
    { params: { id: draft.id }, body: { locales } },
    me,
  );
  const found = await coverage(me, app.id, { country: 'us' });
  expect(found).toMatchObject({ country: 'us', draftId: draft.id, covered: 2, total: 3 });
  const byPhrase = new Map(found.phrases.map((one) => [one.phrase, one]));
  expect(byPhrase.get('habit tracker')).toMatchObject({ coveredBy: ['en-US'], missing: [] });
  expect(byPhrase.get('sleep tracker')).toMatchObject({ coveredBy: ['es-MX'] });
  // Each word is in a locale, and no locale has both.
  expect(byPhrase.get('mood diary')).toMatchObject({ coveredBy: [], missing: ['diary'] });
  expect(found.repeatedWords).toEqual([{ word: 'tracker', locales: ['en-US', 'es-MX'] }]);
  expect(found.locales.find(({ locale }) => locale === 'en-US')).toEqual({
    locale: 'en-US',
    insteadOf: null,
    isDrafted: true,
    freeCharacters: 90,
  });
  expect(found.locales.find(({ locale }) => locale === 'ko')).toMatchObject({ isDrafted: false });
  await change(me, { country: 'us', locale: 'es-MX', enabled: false });
  expect(await coverage(me, app.id, { country: 'us' })).toMatchObject({ covered: 1 });
  const unknown = { params: { id: app.id }, query: { draftId: '999999' } };
  expect((await api.call('GET /apps/{id}/locale-coverage', unknown, me)).status).toBe(404);
});

test('a preview says what a change gains and loses against the live listing', async () => {
  const me = await api.signUp();
  const app = await insertApp(api, me);
  const phrases = ['habit tracker', 'mood diary', 'sleep tracker'];
  await api.ok(
    'POST /apps/{id}/keywords',
    { params: { id: app.id }, body: { phrases, countries: ['us'] } },
    me,
  );
  await api.db.pool.query(
    `insert into snapshots (listing_id, country, taken_at, content_hash, fields)
     values ($1, 'us', now(), $2, $3)`,
    [app.listingId, Buffer.alloc(32), JSON.stringify({ name: 'Habit Tracker', subtitle: 'Mood' })],
  );
  const preview = async (locales: unknown, query: object = { country: 'us' }) =>
    api.call(
      'POST /apps/{id}/locale-coverage/preview',
      { params: { id: app.id }, query, body: { locales } } as never,
      me,
    );
  const unchanged = (await preview([])).body as { covered: number; liveCovered: number };
  expect(unchanged).toMatchObject({ covered: 1, liveCovered: 1, total: 3 });
  // The subtitle is left out, so it stays as it is live.
  const changed = await preview([
    { locale: 'en-US', title: 'Sleep Tracker', keywordField: 'diary' },
  ]);
  expect(changed.body).toMatchObject({ covered: 2, liveCovered: 1 });
  const { phrases: found, locales } = changed.body as {
    phrases: { phrase: string; coveredBy: string[]; liveCoveredBy: string[]; words: string[] }[];
    locales: object[];
  };
  const byPhrase = new Map(found.map((one) => [one.phrase, one]));
  expect(byPhrase.get('habit tracker')).toMatchObject({ coveredBy: [], liveCoveredBy: ['en-US'] });
  expect(byPhrase.get('mood diary')).toMatchObject({
    coveredBy: ['en-US'],
    liveCoveredBy: [],
    words: ['mood', 'diary'],
  });
  expect(locales[0]).toEqual({
    locale: 'en-US',
    insteadOf: null,
    isLiveKnown: true,
    freeCharacters: 95,
  });
  // An empty text empties the live one, and a draft counts where the body lacks the locale.
  expect((await preview([{ locale: 'en-US', subtitle: '' }])).body).toMatchObject({
    phrases: [{}, { missing: ['mood', 'diary'] }, {}],
  });
  const draft = await api.ok(
    'POST /apps/{id}/listing-drafts',
    { params: { id: app.id }, body: { name: 'A' } },
    me,
  );
  const saved = { locale: 'en-US', texts: { title: 'Sleep Tracker', keywordField: 'diary' } };
  await api.ok(
    'PUT /listing-drafts/{id}/texts',
    { params: { id: draft.id }, body: { locales: [saved] } },
    me,
  );
  const ofDraft = { country: 'us', draftId: String(draft.id) };
  expect((await preview([], ofDraft)).body).toMatchObject({ covered: 2, liveCovered: 1 });
  expect((await preview([{ locale: 'en-US' }], ofDraft)).body).toMatchObject({ covered: 1 });
  const stranger = await api.signUp();
  const foreign = await api.ok(
    'POST /apps/{id}/listing-drafts',
    { params: { id: (await insertApp(api, stranger)).id }, body: { name: 'B' } },
    stranger,
  );
  const mine = await api.ok(
    'POST /apps/{id}/listing-drafts',
    { params: { id: (await insertApp(api, me)).id }, body: { name: 'C' } },
    me,
  );
  for (const { id } of [foreign, mine])
    expect((await preview([], { draftId: String(id) })).status).toBe(404);
  const locale = 'en-US';
  for (const bad of [
    null,
    'en-US',
    [null],
    [{ locale }, { locale }],
    [{ locale, title: 1 }],
    [{ locale, title: 'x'.repeat(10_000) }],
    [{ locale, title: 'a', whatsNew: 'b' }],
    [{ locale: '../x' }],
    Array.from({ length: 101 }, (_, at) => ({ locale: `x-${at}` })),
  ])
    expect((await preview(bad)).status).toBe(400);
  expect((await preview([], { country: 'usa' })).status).toBe(400);
  const reader = await api.token(me, { readOnly: true });
  const input = { params: { id: app.id }, query: {}, body: { locales: [] } };
  expect((await api.call('POST /apps/{id}/locale-coverage/preview', input, reader)).status).toBe(
    200,
  );
});

test('on Android the listing that a country sees counts, with its description', async () => {
  const me = await api.signUp();
  const app = await insertApp(api, me, { store: 'android' });
  const phrases = ['habit tracker', 'tagebuch', 'mood diary'];
  await api.ok(
    'POST /apps/{id}/keywords',
    { params: { id: app.id }, body: { phrases, countries: ['us', 'de', 'fr', 'jp'] } },
    me,
  );
  const english = { name: 'Habit Tracker', summary: 'Steps', description: 'Your mood diary.' };
  const shown = [
    ['us', 'en', english],
    ['de', 'de', { name: 'Gewohnheiten', summary: 'Schritte', description: 'Ein Tagebuch.' }],
    // The app has no French listing, so the store shows its default language.
    ['fr', 'fr', english],
  ] as const;
  for (const [country, language, fields] of shown)
    await api.db.pool.query(
      `insert into snapshots (listing_id, country, language, taken_at, content_hash, fields)
       values ($1, $2, $3, now(), $4, $5)`,
      [app.listingId, country, language, Buffer.alloc(32), JSON.stringify(fields)],
    );
  const preview = (country: string, locales: { locale: string; [field: string]: string }[]) =>
    api.ok(
      'POST /apps/{id}/locale-coverage/preview',
      { params: { id: app.id }, query: { country }, body: { locales } },
      me,
    );
  const covered = ({ phrases: found }: Awaited<ReturnType<typeof preview>>) =>
    found.filter(({ coveredBy }) => coveredBy.length > 0).map(({ phrase }) => phrase);
  const live = await preview('us', []);
  expect(live).toMatchObject({ covered: 2, liveCovered: 2, repeatedWords: [] });
  expect(live.locales).toEqual([
    { locale: 'en', insteadOf: null, isLiveKnown: true, freeCharacters: null },
  ]);
  const changes = [
    { locale: 'en-US', description: '' },
    { locale: 'de-DE', title: 'Habit Tracker' },
    { locale: 'de-AT', description: 'mood diary' },
  ];
  const inUs = await preview('us', changes);
  expect([covered(inUs), inUs.liveCovered, inUs.locales[0]!.locale]).toEqual([
    ['habit tracker'],
    2,
    'en-US',
  ]);
  // Each country sees one listing, so words of the other locales do not count.
  const inDe = await preview('de', changes);
  expect([covered(inDe).toSorted(), inDe.locales[0]!.locale]).toEqual([
    ['habit tracker', 'tagebuch'],
    'de-DE',
  ]);
  const inFr = await preview('fr', changes);
  expect([covered(inFr), inFr.locales]).toEqual([
    ['habit tracker'],
    [{ locale: 'en-US', insteadOf: 'fr', isLiveKnown: true, freeCharacters: null }],
  ]);
  const french = await preview('fr', [...changes, { locale: 'fr-FR', title: 'Tagebuch' }]);
  expect([covered(french).toSorted(), french.locales[0]!.insteadOf]).toEqual([
    ['mood diary', 'tagebuch'],
    null,
  ]);
  // Nobody read the listing there.
  expect(await preview('jp', changes)).toMatchObject({ locales: [], covered: 0, total: 3 });
});

test('the coverage of an Android draft is that of the locale that a country shows', async () => {
  const me = await api.signUp();
  const app = await insertApp(api, me, { store: 'android' });
  const phrases = ['habit tracker', 'tagebuch', 'mood diary'];
  await api.ok(
    'POST /apps/{id}/keywords',
    { params: { id: app.id }, body: { phrases, countries: ['us', 'de', 'fr', 'jp'] } },
    me,
  );
  const english = { name: 'Old', summary: 'Old', description: 'Old.' };
  for (const [country, language, fields] of [
    ['us', 'en', english],
    ['de', 'de', { name: 'Alt', summary: 'Alt', description: 'Alt.' }],
    // The app has no French listing, so the store shows its default language.
    ['fr', 'fr', english],
  ] as const)
    await api.db.pool.query(
      `insert into snapshots (listing_id, country, language, taken_at, content_hash, fields)
       values ($1, $2, $3, now(), $4, $5)`,
      [app.listingId, country, language, Buffer.alloc(32), JSON.stringify(fields)],
    );
  const before = await coverage(me, app.id, { country: 'de' });
  expect(before).toMatchObject({
    draftId: null,
    locales: [{ locale: 'de', insteadOf: null, isDrafted: false, freeCharacters: null }],
    covered: 0,
    total: 3,
  });
  const { id } = await api.ok(
    'POST /apps/{id}/listing-drafts',
    { params: { id: app.id }, body: { name: 'Play' } },
    me,
  );
  const save = (locales: { locale: string; texts: object }[]) =>
    api.ok('PUT /listing-drafts/{id}/texts', { params: { id }, body: { locales } }, me);
  await save([
    { locale: 'en-US', texts: { title: 'Habit Tracker', description: 'Your mood diary.' } },
    { locale: 'de-DE', texts: { title: 'Habit Tracker', summary: 'Ein Tagebuch' } },
    { locale: 'fr-FR', texts: { title: 'Tagebuch' } },
  ]);
  const coveredIn = async (country: string) => {
    const found = await coverage(me, app.id, { country });
    expect(found.repeatedWords).toEqual([]);
    return [
      found.locales.map(({ locale, insteadOf }) => [locale, insteadOf]),
      found.phrases.filter(({ coveredBy }) => coveredBy.length > 0).map(({ phrase }) => phrase),
    ];
  };
  expect(await coveredIn('us')).toEqual([[['en-US', null]], ['habit tracker', 'mood diary']]);
  expect(await coveredIn('de')).toEqual([[['de-DE', null]], ['habit tracker', 'tagebuch']]);
  expect(await coveredIn('fr')).toEqual([[['fr-FR', null]], ['tagebuch']]);
  // Without French texts the draft has the default language there, in the preview too.
  await save([{ locale: 'fr-FR', texts: {} }]);
  expect(await coveredIn('fr')).toEqual([[['en-US', 'fr']], ['habit tracker', 'mood diary']]);
  const previewed = await api.ok(
    'POST /apps/{id}/locale-coverage/preview',
    {
      params: { id: app.id },
      query: { country: 'fr', draftId: String(id) },
      body: { locales: [] },
    },
    me,
  );
  expect(previewed.locales).toMatchObject([{ locale: 'en-US', insteadOf: 'fr' }]);
  // Nobody read the listing there.
  expect(await coveredIn('jp')).toEqual([[], []]);
  const stranger = await api.signUp();
  const foreign = { params: { id: app.id }, query: {} };
  expect((await api.call('GET /apps/{id}/locale-coverage', foreign, stranger)).status).toBe(404);
});
