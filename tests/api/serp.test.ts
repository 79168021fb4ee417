import { afterAll, beforeAll, expect, test } from 'vitest';
import { packIds, packStrengths } from '#domain/tracking/rankings/pack-serp.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { seedHistory, type History } from '../harness/history.ts';

const lastDay = '2026-11-21';
const [dayA, dayB] = ['2026-11-18', '2026-11-20'];

let api: TestApi;
let ann: Account;
let past: History;
let listingIds: number[];

beforeAll(async () => {
  api = await startApi();
  ann = await api.signUp();
  past = await seedHistory(api.db.pool, {
    workspaceId: ann.workspaceId,
    apps: 1,
    markets: 4,
    days: 6,
    lastDay,
    fill: 'none',
  });
  const { rows } = await api.db.pool.query(
    `with l as (insert into listings (store, store_app_id, name)
       select 'ios', 'competitor' || n, 'Competitor ' || n from generate_series(1, 60) n
       returning id), r as (
       insert into listing_ratings select id, 'us', 4.7, 1000, '2026-01-01' from l)
     select id from l order by id`,
  );
  listingIds = rows.map((row) => row.id);
});
afterAll(() => api.close());

async function keep(
  number: number,
  day: string,
  ids: number[],
  given: { depth?: number; resultCount?: number; ended?: string; provider?: string } = {},
): Promise<void> {
  const strengths = packStrengths(
    ids.map((_, position) => ({
      rating: position === 1 ? null : 3.5,
      ratingCount: position === 1 ? null : 10 + position,
    })),
  );
  await api.db.pool.query(
    'insert into serps (market_id, on_date, depth, result_count, ended, provider, ids, ' +
      'strengths) values ($1, $2, $3, $4, $5, $6, $7, $8)',
    [
      past.keywords[number]!.marketId,
      day,
      given.depth ?? 200,
      given.resultCount ?? ids.length,
      given.ended ?? 'depth',
      given.provider ?? 'test',
      packIds(ids),
      strengths,
    ],
  );
}

const get = (number: number, query: object = {}) =>
  api.call(
    'GET /keywords/{keywordId}/serp',
    { params: { keywordId: past.keywords[number]!.id }, query },
    ann,
  );

test('the newest stored results are in store order, with ratings and owners', async () => {
  const own = past.keywords[0]!.listingId;
  await keep(0, dayA, [listingIds[5]!]);
  await keep(0, dayB, [listingIds[0]!, listingIds[1]!, own, ...listingIds.slice(3, 50)], {
    resultCount: 180,
  });
  const { body, text } = await get(0);
  expect(body).toMatchObject({ date: dayB, depth: 200, resultCount: 180, kept: 50 });
  expect(body.items).toHaveLength(50);
  expect(body.items.map((item: { position: number }) => item.position)).toEqual(
    Array.from({ length: 50 }, (_, index) => index + 1),
  );
  expect(body.items[0]).toMatchObject({
    storeAppId: 'competitor1',
    rating: 3.5,
    ratingCount: 10,
    appId: null,
    isOwn: false,
    isCompetitor: false,
  });
  expect(body.items[1]).toMatchObject({ rating: null, ratingCount: 0 });
  expect(body.items[2]).toMatchObject({ appId: past.appIds[0], isOwn: true });
  expect(body.items[20]).toMatchObject({ rating: 4.7, ratingCount: 1000 });
  expect(text).not.toContain('"position":0');
  expect((await get(0, { date: dayA })).body.items).toHaveLength(1);
  expect((await get(0, { limit: 3 })).body).toMatchObject({ kept: 50, items: { length: 3 } });
  expect((await get(0, { date: '2026-11-19' })).status).toBe(404);
  expect((await get(1)).status).toBe(404);
});

test('only tracked days and positions are shown', async () => {
  await api.db.pool.query('update keywords set tracking_periods = $2 where id = $1', [
    past.keywords[2]!.id,
    JSON.stringify([
      ['2026-11-17', 10],
      ['2026-11-19', 0],
      ['2026-11-21', 20],
    ]),
  ]);
  for (const day of ['2026-11-16', '2026-11-18', '2026-11-20'])
    await keep(2, day, listingIds.slice(0, 50), { resultCount: 200 });
  expect((await get(2)).body).toMatchObject({
    date: '2026-11-18',
    depth: 10,
    resultCount: 10,
    kept: 10,
    items: { length: 10 },
  });
  expect((await get(2, { date: '2026-11-16' })).status).toBe(404);
  expect((await get(2, { date: '2026-11-20' })).status).toBe(404);
  const dates = await api.ok(
    'GET /keywords/{keywordId}/serp/dates',
    { params: { keywordId: past.keywords[2]!.id } },
    ann,
  );
  expect(dates).toEqual({
    items: [{ date: '2026-11-18', depth: 10, resultCount: 10, kept: 10, provider: 'test' }],
    nextCursor: null,
    total: 1,
  });
});

test('two days compare entries, exits and moves, as deep as both are known', async () => {
  const keywordId = past.keywords[3]!.id;
  const [a, b, c, d, e] = listingIds as [number, number, number, number, number];
  await keep(3, dayA, [a, b, c, d], { ended: 'depth' });
  await keep(3, dayB, [b, a, e, c, d, ...listingIds.slice(10, 40)]);
  const diff = (query: { top?: number } = {}) =>
    api.ok(
      'GET /keywords/{keywordId}/serp/diff',
      { params: { keywordId }, query: { a: dayA, b: dayB, ...query } },
      ann,
    );
  const three = await diff({ top: 3 });
  expect(three).toMatchObject({ a: dayA, b: dayB, isComparable: true, top: 3, unchanged: 0 });
  expect(three.moved.map(({ storeAppId, from, to }) => ({ storeAppId, from, to }))).toEqual([
    { storeAppId: 'competitor2', from: 2, to: 1 },
    { storeAppId: 'competitor1', from: 1, to: 2 },
  ]);
  expect(three.entered).toMatchObject([
    { storeAppId: 'competitor5', from: null, to: 3, position: 3 },
  ]);
  expect(three.left).toMatchObject([{ storeAppId: 'competitor3', from: 3, to: 4 }]);
  expect((await diff()).top).toBe(4);
  await api.db.pool.query(
    `update serps set ended = 'exhausted' where market_id = $1 and on_date = $2`,
    [past.keywords[3]!.marketId, dayA],
  );
  expect(await diff()).toMatchObject({ top: 10, unchanged: 0, left: [] });
  expect((await diff()).entered).toHaveLength(6);
  expect(
    (
      await api.call(
        'GET /keywords/{keywordId}/serp/diff',
        { params: { keywordId }, query: { a: dayA, b: lastDay } },
        ann,
      )
    ).status,
  ).toBe(404);
});

test('results of two providers are not compared', async () => {
  const keywordId = past.keywords[3]!.id;
  const [a, b, c] = listingIds as [number, number, number];
  await keep(3, '2026-11-17', [a, b, c], { provider: 'other' });
  await keep(3, '2026-11-19', [b, c, a]);
  const at = { params: { keywordId } };
  const { items } = await api.ok('GET /keywords/{keywordId}/serp/dates', at, ann);
  expect(items.map(({ date, provider }) => [date, provider])).toContainEqual([
    '2026-11-17',
    'other',
  ]);
  const query = { a: '2026-11-17', b: '2026-11-19' };
  expect(await api.ok('GET /keywords/{keywordId}/serp/diff', { ...at, query }, ann)).toEqual({
    ...query,
    isComparable: false,
    top: 0,
    entered: [],
    left: [],
    moved: [],
    unchanged: 0,
  });
});

test('another workspace’s keyword is not found', async () => {
  const ben = await api.signUp();
  for (const key of [
    'GET /keywords/{keywordId}/serp',
    'GET /keywords/{keywordId}/serp/dates',
  ] as const) {
    expect((await api.call(key, { params: { keywordId: past.keywords[0]!.id } }, ben)).status).toBe(
      404,
    );
  }
  expect(
    (
      await api.call(
        'GET /keywords/{keywordId}/serp/diff',
        { params: { keywordId: past.keywords[0]!.id }, query: { a: dayA, b: dayB } },
        ben,
      )
    ).status,
  ).toBe(404);
});
