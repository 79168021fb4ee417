import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packIds } from '#domain/tracking/rankings/pack-serp.ts';
import { findEntrants, lookbackDays } from '#domain/tracking/serps/find-entrants.ts';
import { getLeaders } from '#domain/tracking/serps/get-leaders.ts';
import { StoredPositions } from '#domain/tracking/serps/stored-positions.ts';
import { addDays, daysBetween, listDays } from '#lib/dates.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { seedHistory, type History } from '../harness/history.ts';
import { keepOrder } from '../harness/keep-order.ts';
import {
  insertCompetitor,
  insertListings,
  insertDailyRank,
  insertSerp,
  setLatestDailyRank,
} from './competitors.fixtures.ts';

keepOrder('later tests add results to the days that earlier ones read');

const lastDay = '2026-11-21';
let api: TestApi;
let ann: Account;
let past: History;
let listings: number[];

beforeAll(async () => {
  api = await startApi();
  ann = await api.signUp();
  past = await seedHistory(api.db.pool, {
    workspaceId: ann.workspaceId,
    apps: 2,
    markets: 8,
    days: 15,
    lastDay,
    fill: 'none',
  });
  listings = await insertListings(api, 60);
});
afterAll(() => api.close());

/** Competitors by their numbers, from 1. */
const of = (...numbers: number[]) => numbers.map((number) => listings[number - 1]!);
const range = (from: number, to: number) =>
  of(...Array.from({ length: to - from + 1 }, (_, index) => from + index));

describe('entrants', () => {
  const appId = () => past.appIds[0]!;
  const entrants = (query: object = {}, who = ann, id = appId()) =>
    api.ok(
      'GET /apps/{id}/serp/entrants',
      { params: { id }, query: { from: '2026-11-15', to: lastDay, ...query } },
      who,
    );

  beforeAll(async () => {
    const [first, second] = past.keywords as [
      History['keywords'][number],
      History['keywords'][number],
    ];
    const days = listDays('2026-11-08', lastDay);
    for (const day of days) await insertSerp(api, first.marketId, day, range(1, 50));
    // 55 enters on the 18th and stays; 40 climbs from below; 3 was away for only two days.
    for (const day of listDays('2026-11-18', lastDay))
      await insertSerp(api, first.marketId, day, [...of(55), ...range(1, 49)]);
    await insertSerp(api, first.marketId, '2026-11-16', [
      ...of(40),
      ...range(1, 39),
      ...range(41, 50),
    ]);
    for (const day of ['2026-11-13', '2026-11-14'])
      await insertSerp(api, first.marketId, day, [...of(1, 2), ...range(4, 51)]);
    // The very first result has none before it; a day with four known positions cannot say who was
    // missing.
    await insertSerp(api, second.marketId, '2026-11-17', range(1, 50));
    await insertSerp(api, second.marketId, '2026-11-18', of(1, 2, 3, 4));
    await insertSerp(api, second.marketId, '2026-11-19', [
      ...of(4, 3, 2, 1),
      past.keywords[4]!.listingId,
      ...range(10, 50),
    ]);
  });

  test('are new in the top results after seven checked days without them', async () => {
    const { items, total, nextCursor } = await entrants();
    expect(
      items.map(({ date, keywordId, position, storeAppId, comparedDays }) => ({
        date,
        keywordId,
        position,
        storeAppId,
        comparedDays,
      })),
    ).toEqual([
      {
        date: '2026-11-19',
        keywordId: past.keywords[1]!.id,
        position: 5,
        storeAppId: expect.any(String),
        comparedDays: 1,
      },
      {
        date: '2026-11-18',
        keywordId: past.keywords[0]!.id,
        position: 1,
        storeAppId: '2000000055',
        comparedDays: 7,
      },
    ]);
    expect(items[0]).toMatchObject({ appId: past.appIds[1], isOwn: false, isCompetitor: false });
    expect([total, nextCursor]).toEqual([2, null]);
    expect((await entrants({ top: 4 })).items.map((item) => item.storeAppId)).toEqual([
      '2000000055',
    ]);
    expect((await entrants({ to: '2026-11-17' })).items).toEqual([]);
  });

  test('are unknown before the keyword was tracked and while it was paused', async () => {
    const keyword = past.keywords[2]!;
    for (const day of listDays('2026-11-12', lastDay))
      await insertSerp(api, keyword.marketId, day, range(1, 50));
    await insertSerp(api, keyword.marketId, '2026-11-18', [...of(58), ...range(1, 49)]);
    await insertSerp(api, keyword.marketId, '2026-11-20', [...of(59), ...range(1, 49)]);
    const setTrackingPeriods = (trackingPeriods: unknown) =>
      api.db.pool.query('update keywords set tracking_periods = $2 where id = $1', [
        keyword.id,
        JSON.stringify(trackingPeriods),
      ]);
    const seen = async () =>
      (await entrants()).items
        .filter((item) => item.keywordId === keyword.id)
        .map((item) => item.storeAppId);
    expect(await seen()).toEqual(['2000000059', '2000000058']);
    await setTrackingPeriods([['2026-11-18', 200]]);
    expect(await seen()).toEqual(['2000000059']);
    await setTrackingPeriods([
      ['2026-11-08', 200],
      ['2026-11-20', 0],
    ]);
    expect(await seen()).toEqual(['2000000058']);
    await setTrackingPeriods([['2026-11-08', 5]]);
    expect(await seen()).toEqual([]);
  });

  test('are returned in pages; foreign apps and cursors are refused', async () => {
    const all = await entrants();
    const first = await entrants({ limit: 1 });
    expect(first).toMatchObject({ items: [all.items[0]], total: all.total });
    expect((await entrants({ limit: 500, cursor: first.nextCursor! })).items).toEqual(
      all.items.slice(1),
    );
    const status = async (path: string, who = ann as { headers: Record<string, string> }) =>
      (await api.raw(path, {}, who)).status;
    const other = await api.call(
      'GET /apps/{id}/serp/leaders',
      { params: { id: appId() } },
      await api.signUp(),
    );
    expect([other.status, other.body.code]).toEqual([404, 'not_found']);
    const foreign = Buffer.from('["gaps 1",1,2,3]').toString('base64url');
    expect(await status(`/apps/${appId()}/serp/entrants?cursor=${foreign}`)).toBe(400);
    expect(await status(`/apps/${appId()}/serp/entrants?from=2026-11-20&to=2026-11-19`)).toBe(400);
    expect(await status(`/apps/${appId()}/serp/entrants?top=0`)).toBe(400);
    expect(
      await status(`/apps/${appId()}/serp/entrants`, await api.token(ann, { readOnly: true })),
    ).toBe(200);
  });

  test('never include an app of the last seven checked days of two weeks, in any window', () => {
    const serp = fc.uniqueArray(fc.integer({ min: 1, max: 12 }), {
      minLength: 0,
      maxLength: 8,
    });
    const step = fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 16 }));
    fc.assert(
      fc.property(
        fc.array(fc.record({ serp, step }), { maxLength: 20 }),
        fc.integer({ min: 1, max: 6 }),
        fc.nat({ max: 60 }),
        (serps, top, later) => {
          let date = '2026-01-01';
          const days = serps.map(({ serp: listingIds, step: count }) => {
            date = addDays(date, count);
            const ids = packIds(listingIds);
            const knownPositions = listingIds.length;
            return new StoredPositions({ date, ids, provider: 'itunes', knownPositions });
          });
          const found = findEntrants(days, { from: '2026-01-01', top });
          for (const day of days) {
            const near = days.filter(
              (before) => before.date < day.date && daysBetween(before.date, day.date) <= 14,
            );
            const comparable = near.filter(({ knownPositions }) => knownPositions >= top).slice(-7);
            const since = comparable.length === 7 ? comparable[0]!.date : '2026-01-01';
            const before = new Set(
              near.filter((one) => one.date >= since).flatMap(({ listingIds }) => listingIds),
            );
            const isNew = (id: number) => comparable.length > 0 && !before.has(id);
            expect(
              found
                .filter((entrant) => entrant.date === day.date)
                .map(({ listingId, comparedDays }) => [listingId, comparedDays]),
            ).toEqual(
              day.listingIds
                .slice(0, top)
                .filter(isNew)
                .map((id) => [id, comparable.length]),
            );
          }
          const from = addDays('2026-01-01', later);
          const inReach = days.filter((day) => day.date >= addDays(from, -lookbackDays));
          expect(findEntrants(inReach, { from, top })).toEqual(
            found.filter((entrant) => entrant.date >= from),
          );
        },
      ),
    );
  });
});

describe('leaders', () => {
  const appId = () => past.appIds[1]!;
  const leaders = (query: object = {}) =>
    api.ok('GET /apps/{id}/serp/leaders', { params: { id: appId() }, query }, ann);
  const keywords = () => past.keywords.filter((keyword) => keyword.appId === appId());

  beforeAll(async () => {
    const [a, b, c, d] = keywords() as [
      History['keywords'][number],
      History['keywords'][number],
      History['keywords'][number],
      History['keywords'][number],
    ];
    for (const keyword of [a, b]) await setLatestDailyRank(api, keyword.id, lastDay, 3);
    await setLatestDailyRank(api, c.id, addDays(lastDay, -3), 1);
    await setLatestDailyRank(api, d.id, addDays(lastDay, -4), 1);
    await insertSerp(api, a.marketId, lastDay, [...of(1, 2), a.listingId, ...range(4, 50)]);
    await insertSerp(api, b.marketId, lastDay, [...of(2, 1), b.listingId]);
    await insertSerp(api, c.marketId, addDays(lastDay, -3), [c.listingId, ...of(2)], {
      ended: 'exhausted',
      resultCount: 2,
    });
    await insertSerp(api, d.marketId, addDays(lastDay, -4), range(1, 50));
    await insertCompetitor(api, ann.workspaceId, {
      appId: appId(),
      listingId: of(2)[0]!,
      since: '2026-11-20T00:00:00Z',
    });
    await insertCompetitor(api, ann.workspaceId, {
      appId: past.appIds[0]!,
      listingId: of(1)[0]!,
      since: '2026-11-20T00:00:00Z',
    });
  });

  test('are the apps with most top positions in results of the last three days', async () => {
    const response = await leaders({ top: 5 });
    expect(response).toMatchObject({ country: null, top: 5, serps: 3, shallow: 1 });
    expect(response.items.slice(0, 3)).toMatchObject(
      [
        {
          appId: appId(),
          isOwn: true,
          keywords: 3,
          share: 1,
          averagePosition: 2.33,
          best: 1,
          competitorId: null,
        },
        {
          storeAppId: '2000000002',
          isCompetitor: true,
          competitorId: expect.any(Number),
          keywords: 3,
          share: 1,
          averagePosition: 1.67,
          best: 1,
        },
        {
          storeAppId: '2000000001',
          isCompetitor: false,
          competitorId: null,
          keywords: 2,
          share: 0.6667,
          averagePosition: 1.5,
        },
      ].toSorted((x, y) => y.keywords - x.keywords || x.averagePosition - y.averagePosition),
    );
    expect((await leaders({ limit: 1 })).items).toHaveLength(1);
    const cut = await getLeaders(ann.ctx, appId(), { top: 5, limit: 2 });
    expect([cut.items.length, cut.total]).toEqual([2, 2]);
    const { country } = await api.ok(
      'GET /keywords/{keywordId}',
      { params: { keywordId: keywords()[0]!.id } },
      ann,
    );
    expect((await leaders({ country })).serps).toBeLessThan(3);
    expect(await leaders({ country: 'zz' })).toMatchObject({ serps: 0, items: [], total: 0 });
  });

  test('results mark the app itself, its competitors and the workspace’s other apps', async () => {
    const [a] = keywords();
    await insertSerp(api, a!.marketId, lastDay, [
      ...of(1, 2),
      a!.listingId,
      past.keywords[0]!.listingId,
    ]);
    await insertDailyRank(
      api,
      { listingId: a!.listingId, marketId: a!.marketId, day: lastDay },
      { position: 3 },
    );
    const { items } = await api.ok(
      'GET /keywords/{keywordId}/serp',
      { params: { keywordId: a!.id } },
      ann,
    );
    expect(items.map(({ appId: id, isOwn, isCompetitor }) => [id, isOwn, isCompetitor])).toEqual([
      [null, false, false],
      [null, false, true],
      [appId(), true, false],
      [past.appIds[0], false, false],
    ]);
    await api.db.pool.query('update competitors set archived_at = now()');
    const later = await api.ok(
      'GET /keywords/{keywordId}/serp',
      { params: { keywordId: a!.id } },
      ann,
    );
    expect(later.items.some((item) => item.isCompetitor)).toBe(false);
  });
});
