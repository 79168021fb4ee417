import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestClock } from '#lib/clock.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { keepOrder } from '../harness/keep-order.ts';
import {
  insertChartGap,
  insertListings,
  insertChart,
  insertListingSnapshot,
} from './charts.fixtures.ts';
import { insertCompetitor } from './competitors.fixtures.ts';
import { insertApp } from './keywords.fixtures.ts';

keepOrder('the last test of category ranks replaces a chart that the others read');

let api: TestApi;
let me: Account;
let neighbour: Account;
let mine: { id: number; listingId: number };
let listingIds: number[];
const health = { id: '6013', name: 'Health & Fitness' };

type Cells = Awaited<ReturnType<typeof ranks>>['items'];
const ranks = (query: object = {}, account = me, id = mine.id) =>
  api.ok('GET /apps/{id}/category-ranks', { params: { id }, query }, account);
const pivot = (query: object = {}, account = me, id = mine.id) =>
  api.ok('GET /apps/{id}/category-ranks/pivot', { params: { id }, query }, account);
const chartOf = (query: object, account = me) =>
  api.call('GET /charts', { query: { store: 'ios', country: 'us', ...query } }, account);
const brief = (cells: Cells) =>
  cells.map(({ date, country, category, chart, ...cell }) =>
    [
      date.slice(8),
      country,
      category?.id ?? 'all',
      chart,
      cell.state === 'not_checked' ? cell.reason : `${cell.position}/${cell.depth}`,
    ].join(' '),
  );

/**
 * The app is tracked since the 18th, with keywords in Germany since the 20th; others had the charts
 * fetched before.
 */
beforeAll(async () => {
  api = await startApi({ clock: new TestClock('2026-11-18T01:00:00Z') });
  [me, neighbour] = [await api.signUp(), await api.signUp()];
  mine = await insertApp(api, me);
  listingIds = await insertListings(api, 250);
  await insertListingSnapshot(api, mine.listingId, '2026-11-18T01:00:00Z', {});
  api.clock.set('2026-11-20T01:00:00Z');
  await api.ok(
    'POST /apps/{id}/keywords',
    { params: { id: mine.id }, body: { phrases: ['one', 'two'], countries: ['de'] } },
    me,
  );
  api.clock.set('2026-11-21T12:00:00Z');
  const at = (position: number) => [
    ...listingIds.slice(0, position - 1),
    mine.listingId,
    ...listingIds.slice(position - 1, 199),
  ];
  for (const [day, position] of [
    ['2026-11-17', 3],
    ['2026-11-18', 9],
    ['2026-11-20', 5],
    ['2026-11-21', 7],
  ] as const) {
    await insertChart(api, { country: 'us' }, day, at(position));
    await insertChart(api, { country: 'de', category: '6013' }, day, at(position * 10), 100);
  }
  await insertChart(
    api,
    { country: 'us', category: '6013' },
    '2026-11-21',
    listingIds.slice(0, 100),
    100,
  );
  await insertChartGap(api, { country: 'us' }, '2026-11-19', 'shed');
  await insertChartGap(api, { country: 'de' }, '2026-11-21', 'store_error');
});
afterAll(() => api.close());

describe('category ranks', () => {
  test('are returned newest first, since the workspace tracks the app in the country', async () => {
    const { items, total, nextCursor } = await ranks();
    expect(brief(items)).toEqual([
      '21 de 6013 free 70/100',
      '21 us all free 7/200',
      '21 us 6013 free null/100',
      '20 de 6013 free 50/100',
      '20 us all free 5/200',
      '18 us all free 9/200',
    ]);
    expect({ total, nextCursor }).toEqual({ total: 6, nextCursor: null });
    expect(items[2]).toEqual({
      date: '2026-11-21',
      country: 'us',
      category: health,
      chart: 'free',
      state: 'not_found',
      position: null,
      depth: 100,
      checkedAt: '2026-11-21T03:00:00.000Z',
    });
  });

  test('give the reason for a missing day with fill=gaps', async () => {
    const { items } = await ranks({ fill: 'gaps', from: '2026-11-15', to: '2026-11-22' });
    expect(brief(items)).toEqual([
      '21 de all free store_error',
      '21 de 6013 free 70/100',
      '21 us all free 7/200',
      '21 us 6013 free null/100',
      '20 de all free not_yet_run',
      '20 de 6013 free 50/100',
      '20 us all free 5/200',
      '20 us 6013 free not_yet_run',
      '19 us all free shed',
      '19 us 6013 free not_yet_run',
      '18 us all free 9/200',
      '18 us 6013 free not_yet_run',
    ]);
  });

  test('are returned once each over all pages', async () => {
    const all = await ranks({ fill: 'gaps' });
    const pages: Cells = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await ranks({ fill: 'gaps', limit: '5', ...(cursor ? { cursor } : {}) });
      expect(page.total).toBe(12);
      pages.push(...page.items);
      cursor = page.nextCursor;
    }
    expect(pages).toEqual(all.items);
  });

  test('of a competitor are those of the app’s charts, on days when both were read', async () => {
    const cid = await insertCompetitor(api, me.workspaceId, {
      appId: mine.id,
      listingId: listingIds[3]!,
      since: '2026-11-21T12:00:00Z',
    });
    const theirs = (query: object = {}, id = cid, account = me) =>
      api.call(
        'GET /apps/{id}/competitors/{cid}/category-ranks',
        { params: { id: mine.id, cid: id }, query },
        account,
      );
    const items: Cells = (await theirs()).body.items;
    expect(brief(items)).toEqual([
      '21 de 6013 free 4/100',
      '21 us all free 4/200',
      '21 us 6013 free 4/100',
      '20 de 6013 free 4/100',
      '20 us all free 4/200',
      '18 us all free 4/200',
    ]);
    const spots = (cells: Cells) =>
      cells.map(({ date, country, category, chart }) => ({ date, country, category, chart }));
    expect(spots(items)).toEqual(spots((await ranks()).items));
    const us = await theirs({ country: 'us', chart: 'free', from: '2026-11-20', limit: '1' });
    expect([brief(us.body.items), us.body.total]).toEqual([['21 us all free 4/200'], 3]);
    const next = await theirs({ country: 'us', from: '2026-11-20', cursor: us.body.nextCursor! });
    expect(brief(next.body.items)).toEqual(['21 us 6013 free 4/100', '20 us all free 4/200']);
    expect((await theirs({ cursor: 'x' })).status).toBe(400);
    expect((await theirs({}, 2_000_000_000)).status).toBe(404);
    expect((await theirs({}, cid, neighbour)).status).toBe(404);
    await api.db.pool.query('delete from competitors where id = $1', [cid]);
  });

  test('filter by country and chart', async () => {
    expect(brief((await ranks({ country: 'de' })).items)).toEqual([
      '21 de 6013 free 70/100',
      '20 de 6013 free 50/100',
    ]);
    expect((await ranks({ chart: 'grossing' })).items).toEqual([]);
    expect((await ranks({ country: 'fr' })).items).toEqual([]);
  });

  test('follow the category and the price that the listing had on the day', async () => {
    const moved = await insertApp(api, me);
    await api.db.pool.query(`update apps set created_at = '2026-11-18' where id = $1`, [moved.id]);
    await insertListingSnapshot(api, moved.listingId, '2026-11-18T02:00:00Z', {});
    await insertListingSnapshot(api, moved.listingId, '2026-11-20T02:00:00Z', {
      categoryId: '6014',
      category: 'Games',
      priceMicros: 990_000,
    });
    const { items } = await ranks(
      { fill: 'gaps', from: '2026-11-19', to: '2026-11-20' },
      me,
      moved.id,
    );
    expect(brief(items)).toEqual([
      '20 us all paid not_yet_run',
      '20 us all grossing not_yet_run',
      '20 us 6014 paid not_yet_run',
      '20 us 6014 grossing not_yet_run',
      '19 us all free shed',
      '19 us 6013 free not_yet_run',
    ]);
    const kept = await ranks({ from: '2026-11-18', to: '2026-11-18' }, me, moved.id);
    expect(brief(kept.items)).toEqual(['18 us all free null/200']);
  });

  test('are hidden for archived apps, and for the days while an app was archived', async () => {
    const away = await insertApp(api, me);
    await api.db.pool.query(
      `update apps set created_at = '2026-11-18', archived_at = '2026-11-20T05:00:00Z' where ` +
        'id = $1',
      [away.id],
    );
    expect(brief((await ranks({}, me, away.id)).items)).toEqual([
      '20 us all free null/200',
      '18 us all free null/200',
    ]);
  });

  test('are hidden for the days while a restored app was archived', async () => {
    const owner = await api.signUp();
    const away = await insertApp(api, owner);
    const params = { id: away.id };
    const archive = () => api.ok('DELETE /apps/{id}', { params }, owner);
    const restore = () => api.ok('POST /apps/{id}/restore', { params }, owner);
    await api.db.pool.query(`update apps set created_at = '2026-11-17' where id = $1`, [away.id]);
    api.clock.set('2026-11-17T08:00:00Z');
    await archive();
    api.clock.set('2026-11-17T09:00:00Z');
    await restore();
    api.clock.set('2026-11-18T09:00:00Z');
    await archive();
    api.clock.set('2026-11-21T05:00:00Z');
    await restore();
    api.clock.set('2026-11-21T12:00:00Z');
    const { items } = await ranks({ from: '2026-11-16' }, owner, away.id);
    expect(brief(items)).toEqual([
      '21 us all free null/200',
      '18 us all free null/200',
      '17 us all free null/200',
    ]);
    // Others had it read at 03:00, before the restore.
    expect(items[0]).toMatchObject({ checkedAt: '2026-11-21T05:00:00.000Z' });
    const gaps = await ranks({ from: '2026-11-16', fill: 'gaps', chart: 'free' }, owner, away.id);
    expect([...new Set(gaps.items.map(({ date }) => date.slice(8)))]).toEqual(['21', '18', '17']);
    expect((await pivot({ date: '2026-11-20' }, owner, away.id)).rows).toEqual([]);
    await archive();
    expect(brief((await ranks({ from: '2026-11-16' }, owner, away.id)).items)).toHaveLength(3);
  });

  test('find a listing whose id looks like the bytes of two neighbours', async () => {
    const [first, second] = listingIds as [number, number];
    // The first two positions ..0002 0000.. contain the bytes of 0002_0000.
    const id = first << 16;
    await api.db.pool.query(
      'insert into listings (id, store, store_app_id) overriding system value values ($1, ' +
        `'ios', '77')`,
      [id],
    );
    const app = await insertApp(api, me, { storeAppId: '77' });
    expect(app.listingId).toBe(id);
    await insertChart(api, { country: 'us' }, '2026-11-21', [first, second, id]);
    await insertChart(api, { country: 'us', chart: 'grossing' }, '2026-11-21', [first, second]);
    const { items } = await ranks({ from: '2026-11-21', to: '2026-11-21' }, me, app.id);
    expect(brief(items)).toEqual(['21 us all free 3/200', '21 us all grossing null/200']);
  });
});

describe('the pivot of category ranks', () => {
  test('lists countries by charts, with the change since the last day fetched', async () => {
    await insertChart(api, { country: 'us' }, '2026-11-21', [
      ...listingIds.slice(0, 6),
      mine.listingId,
      ...listingIds.slice(6, 199),
    ]);
    const day = await pivot();
    expect(day.date).toBe('2026-11-21');
    expect(day.columns).toEqual([
      { category: null, chart: 'free' },
      { category: health, chart: 'free' },
    ]);
    expect(day.rows).toEqual([
      {
        country: 'de',
        cells: [
          { state: 'not_checked', reason: 'store_error' },
          {
            state: 'ranked',
            position: 70,
            depth: 100,
            change: -20,
            before: { date: '2026-11-20', position: 50, depth: 100 },
          },
        ],
      },
      {
        country: 'us',
        cells: [
          {
            state: 'ranked',
            position: 7,
            depth: 200,
            change: -2,
            before: { date: '2026-11-20', position: 5, depth: 200 },
          },
          { state: 'not_found', position: null, depth: 100, change: null, before: null },
        ],
      },
    ]);
  });

  test('skips a day that was not fetched, within what the workspace may see', async () => {
    expect((await pivot({ date: '2026-11-20' })).rows[1]!.cells[0]).toEqual({
      state: 'ranked',
      position: 5,
      depth: 200,
      change: 4,
      before: { date: '2026-11-18', position: 9, depth: 200 },
    });
    const first = await pivot({ date: '2026-11-18' });
    expect(first.rows).toHaveLength(1);
    expect(first.rows[0]!.cells[0]).toMatchObject({ position: 9, change: null, before: null });
    expect((await pivot({ date: '2026-11-17' })).rows).toEqual([]);
  });
});

describe('a stored chart', () => {
  test('is returned in order and marks the workspace’s apps', async () => {
    const { body } = await chartOf({ limit: '8' });
    expect(body).toMatchObject({
      store: 'ios',
      country: 'us',
      category: null,
      chart: 'free',
      date: '2026-11-21',
      state: 'read',
      depth: 200,
    });
    expect(body.items).toHaveLength(8);
    expect(body.items[6]).toMatchObject({ position: 7, appId: mine.id, isOwn: true });
    expect(body.items[0]).toMatchObject({
      position: 1,
      storeAppId: 'competitor1',
      name: 'Competitor 1',
      rating: 4.5,
      ratingCount: 1000,
      isOwn: false,
    });
    expect((await chartOf({ category: '6013' })).body).toMatchObject({
      category: health,
      depth: 100,
      items: { length: 100 },
    });
  });

  test('gives the reason why a day has none', async () => {
    expect((await chartOf({ date: '2026-11-19' })).body).toMatchObject({
      date: '2026-11-19',
      state: 'not_checked',
      reason: 'shed',
      items: [],
    });
    expect((await chartOf({ category: '6013', date: '2026-11-20' })).body).toMatchObject({
      state: 'not_checked',
      reason: 'not_yet_run',
    });
  });

  test('is hidden before tracking, for charts not tracked, and for tomorrow', async () => {
    for (const query of [
      { date: '2026-11-17' },
      { date: '2026-11-22' },
      { country: 'de', date: '2026-11-18' },
      { country: 'fr' },
      { category: '6020' },
      { chart: 'paid', category: '6013' },
    ])
      expect((await chartOf(query)).status, JSON.stringify(query)).toBe(404);
    expect((await chartOf({}, neighbour)).status).toBe(404);
  });
});

describe('refused requests for category ranks', () => {
  test('get 404 for another workspace’s app and for an unknown one', async () => {
    for (const id of [mine.id, 2_000_000_000]) {
      expect(
        (await api.call('GET /apps/{id}/category-ranks', { params: { id } }, neighbour)).status,
      ).toBe(404);
      expect(
        (await api.call('GET /apps/{id}/category-ranks/pivot', { params: { id } }, neighbour))
          .status,
      ).toBe(404);
    }
  });

  test('do not include those with a read-only token', async () => {
    const token = await api.token(me, { readOnly: true });
    for (const path of [
      `/apps/${mine.id}/category-ranks`,
      `/apps/${mine.id}/category-ranks/pivot`,
      '/charts?store=ios&country=us',
    ])
      expect((await api.raw(path, {}, token)).status).toBe(200);
  });

  test('get 400 for undocumented parameters', async () => {
    const of = (path: string) => api.raw(path, {}, me);
    for (const path of [
      `/apps/${mine.id}/category-ranks?chart=best`,
      `/apps/${mine.id}/category-ranks?country=USA`,
      `/apps/${mine.id}/category-ranks?from=2026-02-30`,
      `/apps/${mine.id}/category-ranks?from=2026-11-21&to=2026-11-20`,
      `/apps/${mine.id}/category-ranks?from=2010-01-01&to=2026-11-20`,
      `/apps/${mine.id}/category-ranks?cursor=abc`,
      `/apps/${mine.id}/category-ranks?fill=all`,
      `/apps/${mine.id}/category-ranks?limit=501`,
      `/apps/${mine.id}/category-ranks/pivot?date=yesterday`,
      '/charts',
      '/charts?store=ios',
      '/charts?store=windows&country=us',
      `/charts?store=ios&country=us&category=${encodeURIComponent("6013' or 1=1")}`,
      '/charts?store=ios&country=us&chart=new',
      '/charts?store=ios&country=us&limit=0',
    ])
      expect((await of(path)).status, path).toBe(400);
  });
});
