import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listDays } from '#lib/dates.ts';
import { includesText } from '#lib/includes-text.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import {
  insertCoverage,
  insertTrackedApp,
  insertReviews,
  type ReviewedApp,
} from './reviews.fixtures.ts';

let api: TestApi;
let ann: Account;

beforeAll(async () => {
  api = await startApi();
  ann = await api.signUp();
});
afterAll(() => api.close());

describe('review counts', () => {
  let app: ReviewedApp;
  beforeAll(async () => {
    app = await insertTrackedApp(api, ann, { since: '2026-08-01', countries: ['de'] });
    await insertReviews(api, app, [
      { reviewedAt: '2026-11-19T00:00:00Z', rating: 1, version: '2.0' },
      { reviewedAt: '2026-11-19T23:59:59.999Z', rating: 4, version: '2.0' },
      { reviewedAt: '2026-11-20T00:00:00Z', rating: 5, version: '2.1', country: 'de' },
      { reviewedAt: '2026-11-20T00:00:00Z', rating: 5, version: null, country: 'de' },
      ...Array.from({ length: 10 }, (_, day) => ({
        reviewedAt: `2026-11-0${day % 9}T00:00:00Z`.replace('-00T', '-09T'),
        rating: 3,
      })),
    ]);
    await insertCoverage(api, app, { country: 'us', syncedAt: '2026-11-21T02:00:00Z' });
  });
  const read = (query: object) =>
    api.ok('GET /apps/{id}/reviews/stats', { params: { id: app.id }, query: query }, ann);

  test('are given by day, those read before their end as not known', async () => {
    await insertCoverage(api, app, {
      country: 'de',
      syncedAt: '2026-11-20T02:00:00Z',
      knownFrom: '2026-11-18T15:00:00Z',
    });
    const stats = await read({ from: '2026-11-18', to: '2026-11-21' });
    expect(stats.items).toEqual([
      { key: '2026-11-18', count: 0, stars: [0, 0, 0, 0, 0], average: null, known: false },
      { key: '2026-11-19', count: 2, stars: [1, 0, 0, 1, 0], average: 2.5, known: true },
      { key: '2026-11-20', count: 2, stars: [0, 0, 0, 0, 2], average: 5, known: false },
      { key: '2026-11-21', count: 0, stars: [0, 0, 0, 0, 0], average: null, known: false },
    ]);
    expect(stats.total).toEqual({ count: 4, stars: [1, 0, 0, 1, 2], average: 3.75 });
    expect(stats.volume).toEqual({ perDay: 2, baselinePerDay: null, baselineDays: 0, ratio: null });
    expect(stats.coverage).toEqual([
      {
        country: 'de',
        state: 'window',
        syncedAt: '2026-11-20T02:00:00.000Z',
        knownFrom: '2026-11-18T15:00:00.000Z',
        exceededAt: null,
      },
      {
        country: 'us',
        state: 'whole',
        syncedAt: '2026-11-21T02:00:00.000Z',
        knownFrom: null,
        exceededAt: null,
      },
    ]);
  });

  test('are given by version and country, countries without reviews included', async () => {
    expect(
      (await read({ by: 'version', from: '2026-11-18' })).items.map(({ key, count }) => [
        key,
        count,
      ]),
    ).toEqual([
      ['2.1', 1],
      [null, 1],
      ['2.0', 2],
    ]);
    const byCountry = await read({ by: 'country', from: '2026-11-21' });
    expect(byCountry.items).toEqual(
      ['de', 'us'].map((key) => ({
        key,
        count: 0,
        stars: [0, 0, 0, 0, 0],
        average: null,
        known: null,
      })),
    );
    expect((await read({ by: 'country', country: 'de', from: '2026-11-18' })).items).toMatchObject([
      { key: 'de', count: 2 },
    ]);
  });

  test('have every day of a long span', async () => {
    const old = await insertTrackedApp(api, ann, { since: '2024-01-01', storeAppId: '987654321' });
    const days = listDays('2024-11-21', '2026-11-20');
    await api.db.pool.query(
      `insert into reviews (listing_id, country, store_review_id, author, rating, body, language,
         reviewed_at, first_seen_at)
       select $1, 'us', 'daily-' || day, 'Ana', 4, 'words', 'en', day::timestamptz, day::timestamptz
       from unnest($2::text[]) as day`,
      [old.listingId, days.map((day) => `${day}T10:00:00Z`)],
    );
    await insertCoverage(api, old, { syncedAt: '2026-11-21T02:00:00Z' });
    const stats = await api.ok(
      'GET /apps/{id}/reviews/stats',
      { params: { id: old.id }, query: { from: days[0], to: days.at(-1) } },
      ann,
    );
    expect(stats.items.map(({ key, count }) => [key, count])).toEqual(days.map((day) => [day, 1]));
    expect(stats.total.count).toBe(days.length);
  });

  test('compare the volume with the 90 days before, as far as known', async () => {
    const stats = await read({ country: 'us', from: '2026-11-12', to: '2026-11-21' });
    expect(stats.volume).toEqual({
      perDay: 0.222,
      baselinePerDay: 0.111,
      baselineDays: 90,
      ratio: 2,
    });
    // The last reading was at 02:00, and so few hours say nothing about the day.
    const lastDay = await read({ country: 'us', from: '2026-11-21', to: '2026-11-21' });
    expect(lastDay.volume).toMatchObject({ perDay: null, baselineDays: 90, ratio: null });
    expect((await read({ country: 'fr' })).volume).toEqual({
      perDay: null,
      baselinePerDay: null,
      baselineDays: 0,
      ratio: null,
    });
  });

  test('are known without the countries whose keywords are paused', async () => {
    const paused = await insertTrackedApp(api, ann, {
      since: '2026-08-01',
      storeAppId: '987654322',
      countries: ['es', 'fr'],
    });
    await insertReviews(
      api,
      paused,
      listDays('2026-08-10', '2026-11-20').map((day) => ({ reviewedAt: `${day}T10:00:00Z` })),
    );
    await insertCoverage(api, paused, { syncedAt: '2026-11-21T02:00:00Z' });
    await insertCoverage(api, paused, { country: 'fr', syncedAt: '2026-11-09T02:00:00Z' });
    const pause = (country: string, periods: string) =>
      api.db.pool.query(
        'update keywords set tracking_periods = $3 where app_id = $1 and country = $2',
        [paused.id, country, periods],
      );
    await pause('fr', '[["2026-08-01", 200], ["2026-11-10", 0]]');
    // Its only keyword was paused at once.
    await pause('es', '[["2026-11-10", 200], ["2026-11-10", 0]]');
    const statsOf = (query: object) =>
      api.ok('GET /apps/{id}/reviews/stats', { params: { id: paused.id }, query }, ann);
    const stats = await statsOf({ from: '2026-11-08', to: '2026-11-12' });
    // Nobody read the last French day after its end.
    expect(stats.items.map(({ known }) => known)).toEqual([true, false, true, true, true]);
    expect(stats.volume).toEqual({ perDay: 1, baselinePerDay: 1, baselineDays: 90, ratio: 1 });
    const french = await statsOf({ from: '2026-11-08', to: '2026-11-12', country: 'fr' });
    expect(french.items.map(({ known }) => known)).toEqual([true, false, false, false, false]);
  });

  test('are unknown for a feed that was never fetched', async () => {
    const unread = await insertTrackedApp(api, ann);
    const stats = await api.ok('GET /apps/{id}/reviews/stats', { params: { id: unread.id } }, ann);
    expect(stats.items).toHaveLength(30);
    expect(stats.items.some((day) => day.known)).toBe(false);
    expect(stats.coverage).toEqual([
      { country: 'us', state: 'not_read', syncedAt: null, knownFrom: null, exceededAt: null },
    ]);
    expect(stats.volume.perDay).toBeNull();
  });

  test('refuse malformed requests', async () => {
    for (const query of [
      '?by=star',
      '?from=2026-11-31',
      '?from=2010-01-01',
      '?country=usa',
      '?limit=5',
    ]) {
      expect([
        query,
        (await api.raw(`/apps/${app.id}/reviews/stats${query}`, {}, ann)).status,
      ]).toEqual([query, 400]);
    }
  });
});

describe('review topics', () => {
  test('are phrases with stars and examples, filtered like the list', async () => {
    const app = await insertTrackedApp(api, ann, { countries: ['jp'] });
    const ids = await insertReviews(api, app, [
      { rating: 1, title: 'Dark mode please', body: 'It crashes on launch.' },
      { rating: 2, title: null, body: 'Where is dark mode? Crashes on launch!' },
      { rating: 5, title: 'Fine', body: 'I love the dark mode' },
      { rating: 1, country: 'jp', language: 'ja', body: 'ログインできない' },
      { rating: 1, country: 'jp', language: 'ja', body: 'ログインできないので困る' },
    ]);
    const read = (query: object = {}) =>
      api.ok('GET /apps/{id}/reviews/topics', { params: { id: app.id }, query: query }, ann);
    const { items, examined, total } = await read();
    expect([examined, total]).toEqual([5, 5]);
    expect(items.find((item) => item.phrase === 'dark mode')).toEqual({
      phrase: 'dark mode',
      count: 3,
      stars: [1, 1, 0, 0, 1],
      average: 2.67,
      exampleIds: [ids[2], ids[1], ids[0]],
    });
    expect(items.map((item) => item.phrase)).toContain('ログイン');
    expect(
      (await read({ rating: '1,2', country: 'us' })).items.map((item) => [item.phrase, item.count]),
    ).toEqual([
      ['crashes on launch', 2],
      ['dark mode', 2],
    ]);
    expect((await read({ language: 'ja' })).examined).toBe(2);
    expect((await read({ limit: 1 })).items).toHaveLength(1);
    expect((await read({ to: '2026-11-01', from: '2026-10-01' })).items).toEqual([]);
    expect((await api.raw(`/apps/${app.id}/reviews/topics?limit=201`, {}, ann)).status).toBe(400);
  });
});

test('a search for a topic finds the reviews that it counts', async () => {
  const app = await insertTrackedApp(api, ann, { storeAppId: '987654323' });
  const said = [
    'It doesn’t work anymore',
    'it DOESN‘T WORK  anymore',
    'l’application plante',
    'L\u02BCapplication plante!',
    'ＤＡＲＫ mode missing',
    'dark mode missing',
    'التطبيق رائعٌ جدا',
    'التطبيق رائع جدا',
    'اعلانـات كثيرة',
    'اعلانات كثيرة',
    'ﾛｸﾞｲﾝできない',
    'ログインできない',
  ];
  await insertReviews(
    api,
    app,
    said.map((body) => ({ body })),
  );
  const params = { id: app.id };
  const { items } = await api.ok('GET /apps/{id}/reviews/topics', { params }, ann);
  expect(items.length).toBeGreaterThan(5);
  for (const { phrase, count } of items) {
    const found = await api.ok('GET /apps/{id}/reviews', { params, query: { q: phrase } }, ann);
    expect([phrase, found.total]).toEqual([phrase, count]);
    const imported = said.filter((text) => includesText(text, phrase));
    expect([phrase, imported.length]).toEqual([phrase, count]);
  }
});

describe('the rating day by day', () => {
  let app: ReviewedApp;
  beforeAll(async () => {
    app = await insertTrackedApp(api, ann, { since: '2026-11-18', countries: ['de'] });
    const listed = (country: string, day: string, rating: number | null, count: number | null) =>
      api.db.pool.query(
        'insert into listing_days (listing_id, country, on_date, rating, rating_count, ' +
          'read_at) values ($1, $2, $3, $4, $5, $3::date)',
        [app.listingId, country, day, rating, count],
      );
    await listed('us', '2026-11-17', 4.1, 90);
    await listed('us', '2026-11-18', 4.12345, 100);
    await listed('us', '2026-11-20', null, null);
    await listed('de', '2026-11-20', 3.3, 7);
    await listed('fr', '2026-11-20', 1, 1);
    await api.db.pool.query(
      `insert into rating_days (listing_id, country, on_date, rating, rating_count,
         histogram) values
       ($1, 'us', '2026-11-18', 4, 99, '{1,2,3,4,5}'),
         ($1, 'us', '2026-11-19', 4.2, 101, '{0,0,0,0,101}')`,
      [app.listingId],
    );
  });
  const read = (query: object = {}) =>
    api.ok('GET /apps/{id}/ratings', { params: { id: app.id }, query: query }, ann);

  const expected = [
    { date: '2026-11-20', country: 'de', rating: 3.3, ratingCount: 7, histogram: null },
    { date: '2026-11-20', country: 'us', rating: null, ratingCount: null, histogram: null },
    {
      date: '2026-11-19',
      country: 'us',
      rating: 4.2,
      ratingCount: 101,
      histogram: [0, 0, 0, 0, 101],
    },
    {
      date: '2026-11-18',
      country: 'us',
      rating: 4.12345,
      ratingCount: 100,
      histogram: [1, 2, 3, 4, 5],
    },
  ];

  test('begins when the country is tracked, with null for missing facts', async () => {
    expect(await read()).toEqual({ items: expected, nextCursor: null, total: 4 });
    expect((await read({ country: 'de' })).items).toEqual(expected.slice(0, 1));
    expect((await read({ country: 'fr' })).items).toEqual([]);
    expect((await read({ from: '2026-11-19', to: '2026-11-19' })).items).toEqual(
      expected.slice(2, 3),
    );
  });

  test('is returned once for each day over all pages', async () => {
    const seen: unknown[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await read({ limit: 1, ...(cursor ? { cursor } : {}) });
      seen.push(...page.items);
      expect(page.total).toBe(4);
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(expected);
    for (const parts of [
      ['2026-11-20', 1],
      ['2026-13-20', 'us'],
      ['2026-11-20', "u'"],
    ]) {
      const cursor = Buffer.from(JSON.stringify([`ratings ${app.id}`, ...parts])).toString(
        'base64url',
      );
      expect((await api.raw(`/apps/${app.id}/ratings?cursor=${cursor}`, {}, ann)).body.code).toBe(
        'invalid_cursor',
      );
    }
  });
});
