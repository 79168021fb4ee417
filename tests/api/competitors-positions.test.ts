import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { urgencyOf } from '#domain/insights/competitors/list-gaps.ts';
import { suggestCompetitors } from '#domain/insights/competitors/suggest-competitors.ts';
import { countVerdicts, verdictOf } from '#domain/insights/competitors/verdict.ts';
import { addDays, listDays } from '#lib/dates.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { seedHistory, type History, type HistoryKeyword } from '../harness/history.ts';
import {
  insertCompetitor,
  insertListings,
  insertDailyRank,
  insertSerp,
  moveToLastRanks,
  setLatestDailyRank,
} from './competitors.fixtures.ts';

const lastDay = '2026-11-21';
let api: TestApi;
let ann: Account;
let past: History;
let listingIds: number[];
let competitor: number;
let cid: number;

beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  await api.db.pool.query(
    'truncate workspaces, users, markets, listings, serps, rank_months, market_months, ' +
      'last_ranks cascade',
  );
  ann = await api.signUp();
  past = await seedHistory(api.db.pool, {
    workspaceId: ann.workspaceId,
    apps: 1,
    markets: 4,
    days: 20,
    lastDay,
    fill: 'none',
  });
  await api.db.pool.query(`update apps set created_at = '2026-10-01'`);
  listingIds = await insertListings(api, 60);
  competitor = listingIds[59]!;
  cid = await insertCompetitor(api, ann.workspaceId, {
    appId: past.appIds[0]!,
    listingId: competitor,
    since: '2026-11-18T12:00:00Z',
  });
});

/** Fifty stored results, the competitor at that position; null: not among them. */
const resultsWith = (position: number | null, count = 50) => {
  const ids = listingIds.slice(0, count);
  if (position !== null) ids[position - 1] = competitor;
  return ids;
};
/** A keyword's day as a check writes it: the app's daily rank and the stored positions. */
async function check(
  keyword: HistoryKeyword,
  day: string,
  own: number | null,
  kept: number[],
  given: { seconds?: number } = {},
): Promise<void> {
  await insertDailyRank(
    api,
    { listingId: keyword.listingId, marketId: keyword.marketId, day },
    { position: own, ...given },
  );
  await insertSerp(api, keyword.marketId, day, kept);
  await setLatestDailyRank(api, keyword.id, day, own);
}
/** The rows that a check writes for a tracked competitor. */
const lookFor = (keyword: HistoryKeyword, day: string, position: number | null, seconds?: number) =>
  insertDailyRank(
    api,
    { listingId: competitor, marketId: keyword.marketId, day },
    { position, ...(seconds !== undefined && { seconds }) },
  );
const rankings = (query: object = {}) =>
  api.ok(
    'GET /apps/{id}/competitors/{cid}/rankings',
    { params: { id: past.appIds[0]!, cid }, query },
    ann,
  );
const rowsOf = async (keyword: HistoryKeyword, query: object = {}) =>
  (await rankings({ keywordIds: keyword.id, ...query })).items.map(({ date, position, depth }) => [
    date,
    position,
    depth,
  ]);

describe('the visibility of a competitor', () => {
  const visibility = (query: object = {}) =>
    api.ok(
      'GET /apps/{id}/competitors/{cid}/visibility',
      { params: { id: past.appIds[0]!, cid }, query },
      ann,
    );
  const dayOf = async (day: string, query: object = {}) =>
    (await visibility({ from: day, to: day, ...query })).items[0]!;

  test('counts the keywords of the app whose position is known, like for like', async () => {
    const [first, second, third] = past.keywords as [HistoryKeyword, ...HistoryKeyword[]];
    await check(first, '2026-11-10', 5, resultsWith(7));
    await check(second!, '2026-11-10', null, resultsWith(1));
    // The app was checked, but no results are stored; the fourth keyword was not checked.
    await insertDailyRank(
      api,
      { listingId: third!.listingId, marketId: third!.marketId, day: '2026-11-10' },
      { position: 1 },
    );
    const { items, inputs, formula, total } = await visibility({
      from: '2026-11-09',
      to: '2026-11-10',
    });
    expect(items).toEqual([
      {
        date: '2026-11-09',
        index: null,
        ownIndex: null,
        coverage: 0,
        followed: 4,
        checked: 0,
        ranked: 0,
      },
      {
        date: '2026-11-10',
        index: 57.14,
        ownIndex: 10,
        coverage: 0.5,
        followed: 4,
        checked: 2,
        ranked: 2,
      },
    ]);
    expect({ total, formula: formula.id, inputs }).toEqual({
      total: 2,
      formula: 'visibility@1',
      inputs: { weighting: 'equal', keywords: 4, tracked: 4, scored: 0 },
    });
    expect(
      (await dayOf('2026-11-10', { country: first.number % 6 === 0 ? 'us' : 'de' })).followed,
    ).toBe(1);
  });

  test('has positions below the stored ones on days when it was tracked', async () => {
    for (const keyword of past.keywords) {
      await check(keyword, '2026-11-20', 4, resultsWith(null));
      await lookFor(keyword, '2026-11-20', 100);
      await check(keyword, '2026-11-17', 4, resultsWith(null));
      await lookFor(keyword, '2026-11-17', 100);
    }
    expect(await dayOf('2026-11-20')).toMatchObject({ index: 1, ownIndex: 25, ranked: 4 });
    expect(await dayOf('2026-11-17')).toMatchObject({ index: 0, ownIndex: 25, ranked: 0 });
    const own = await api.ok(
      'GET /apps/{id}/visibility',
      { params: { id: past.appIds[0]! }, query: { from: '2026-11-20', to: '2026-11-20' } },
      ann,
    );
    expect(own.items[0]!.index).toBe((await dayOf('2026-11-20')).ownIndex);
  });

  test('leaves out keywords that were added later, on request', async () => {
    const [first, ...others] = past.keywords as [HistoryKeyword, ...HistoryKeyword[]];
    for (const [number, keyword] of past.keywords.entries())
      for (const day of ['2026-11-18', '2026-11-20', lastDay])
        await check(keyword, day, 1, resultsWith(number === 0 ? 2 : 10));
    await api.db.pool.query('update keywords set tracking_periods = $2 where id = any($1)', [
      others.map(({ id }) => id),
      JSON.stringify([['2026-11-20', 200]]),
    ]);
    const span = { from: '2026-11-18', to: lastDay };
    const [all, same] = [await visibility(span), await visibility({ ...span, keywords: 'same' })];
    expect([all.items.at(-1)!.index, same.items.at(-1)!.index]).toEqual([20, 50]);
    expect([all.items[0]!.index, same.items[0]!.index]).toEqual([50, 50]);
    expect(same.inputs).toMatchObject({ keywords: 1, tracked: 4 });
    expect(first.id).toBeGreaterThan(0);
  });

  test('equals what its positions give, on random histories', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            keyword: fc.nat(3),
            day: fc.constantFrom(...listDays('2026-11-15', lastDay)),
            own: fc.option(fc.integer({ min: 1, max: 200 }), { nil: null }),
            stored: fc.option(fc.integer({ min: 1, max: 50 }), { nil: null }),
            deep: fc.option(fc.integer({ min: 51, max: 200 }), { nil: null }),
            isLookedFor: fc.boolean(),
          }),
          { minLength: 4, maxLength: 12 },
        ),
        async (checks) => {
          await api.db.pool.query('truncate serps, rank_months, market_months');
          const written = new Map<string, number | null>();
          for (const { keyword: number, day, own, stored, deep, isLookedFor } of checks) {
            const keyword = past.keywords[number]!;
            if (written.has(`${number} ${day}`)) continue;
            written.set(`${number} ${day}`, own);
            await check(keyword, day, own, resultsWith(stored));
            if (isLookedFor) await lookFor(keyword, day, stored ?? deep);
          }
          const span = { from: '2026-11-15', to: lastDay };
          const { items: positions } = await rankings({ ...span, limit: 500 });
          const numberOf = new Map(past.keywords.map(({ id }, number) => [id, number]));
          const worth = (position: number | null) => (position === null ? 0 : 100 / position);
          const mean = (values: number[]) =>
            values.length === 0
              ? null
              : expect.closeTo(values.reduce((sum, value) => sum + value, 0) / values.length, 1);
          const expected = listDays(span.from, span.to).map((date) => {
            const ofDay = positions.filter((item) => item.date === date);
            return {
              date,
              index: mean(ofDay.map(({ position }) => worth(position))),
              ownIndex: mean(
                ofDay.map((item) =>
                  worth(written.get(`${numberOf.get(item.keywordId)} ${date}`) ?? null),
                ),
              ),
              checked: ofDay.length,
            };
          });
          const { items } = await visibility(span);
          expect(
            items.map(({ date, index, ownIndex, checked }) => ({ date, index, ownIndex, checked })),
          ).toEqual(expected);
        },
      ),
      { numRuns: 12 },
    );
  });
});

describe('positions of a competitor', () => {
  test('are known before it was added, as deep as positions were stored', async () => {
    const [keyword] = past.keywords as [HistoryKeyword];
    await check(keyword, '2026-11-10', 5, resultsWith(7));
    await check(keyword, '2026-11-11', 5, resultsWith(null));
    await check(keyword, '2026-11-12', null, resultsWith(null, 12));
    await insertSerp(api, keyword.marketId, '2026-11-13', resultsWith(3));
    const { items, nextCursor, total } = await rankings();
    expect(items).toEqual([
      {
        date: '2026-11-12',
        keywordId: keyword.id,
        state: 'not_found',
        position: null,
        depth: 12,
        checkedAt: '2026-11-12T02:00:00.000Z',
        provider: 'itunes',
      },
      {
        date: '2026-11-11',
        keywordId: keyword.id,
        state: 'not_found',
        position: null,
        depth: 50,
        checkedAt: '2026-11-11T02:00:00.000Z',
        provider: 'itunes',
      },
      {
        date: '2026-11-10',
        keywordId: keyword.id,
        state: 'ranked',
        position: 7,
        depth: 50,
        checkedAt: '2026-11-10T02:00:00.000Z',
        provider: 'itunes',
      },
    ]);
    expect([nextCursor, total]).toEqual([null, null]);
  });

  test('are hidden if others searched deeper before it was added, and shown since', async () => {
    const [keyword] = past.keywords as [HistoryKeyword];
    for (const day of listDays('2026-11-16', lastDay)) {
      await check(keyword, day, 5, resultsWith(null));
      await lookFor(keyword, day, 120);
    }
    const expected = [
      ['2026-11-21', 120, 200],
      ['2026-11-20', 120, 200],
      ['2026-11-19', 120, 200],
    ];
    const before = [
      ['2026-11-17', null, 50],
      ['2026-11-16', null, 50],
    ];
    // On that day the search came at 02:00 and the competitor at 12:00.
    expect(await rowsOf(keyword)).toEqual([...expected, ['2026-11-18', null, 50], ...before]);
    await check(keyword, '2026-11-18', 5, resultsWith(null), { seconds: 45_000 });
    await lookFor(keyword, '2026-11-18', 120, 45_000);
    expect(await rowsOf(keyword)).toEqual([...expected, ['2026-11-18', 120, 200], ...before]);
  });

  test('are limited to stored positions for the time in which it was removed', async () => {
    const [keyword] = past.keywords as [HistoryKeyword];
    await api.db.pool.query(
      `update competitors set followed_at = '2026-11-15T12:00:00Z', tracking_periods = $1,
         archived_spans = $2`,
      [
        JSON.stringify([
          ['2026-11-16', 200],
          ['2026-11-18', 0],
          ['2026-11-21', 200],
        ]),
        JSON.stringify([['2026-11-18T12:00:00Z', '2026-11-20T12:00:00Z']]),
      ],
    );
    const checkOn = async (day: string, seconds?: number) => {
      await check(keyword, day, 5, resultsWith(null), { ...(seconds && { seconds }) });
      await lookFor(keyword, day, 120, seconds);
    };
    const positionsOf = async () => (await rowsOf(keyword)).map(([, position]) => position);
    // Each search was at 02:00: on the first day before it was added, on the 18th before it was
    // removed, on the 20th before it was added again.
    for (const day of listDays('2026-11-15', lastDay)) await checkOn(day);
    expect(await positionsOf()).toEqual([120, null, null, 120, 120, 120, null]);
    for (const day of ['2026-11-15', '2026-11-18', '2026-11-20']) await checkOn(day, 45_000);
    expect(await positionsOf()).toEqual([120, 120, null, null, 120, 120, 120]);
  });

  test('are hidden for days and depths that the keyword was not tracked to', async () => {
    const [keyword] = past.keywords as [HistoryKeyword];
    await api.db.pool.query(
      "update competitors set followed_at = '2026-11-02T12:00:00Z', tracking_periods = " +
        `'[["2026-11-03", 200]]'`,
    );
    const set = (createdAt: string, trackingPeriods: unknown) =>
      api.db.pool.query(
        'update keywords set created_at = $2, tracking_periods = $3 where id = $1',
        [keyword.id, createdAt, JSON.stringify(trackingPeriods)],
      );
    for (const day of listDays('2026-11-17', lastDay)) {
      await check(keyword, day, 5, resultsWith(null));
      await lookFor(keyword, day, day === '2026-11-20' ? 15 : 120);
    }
    await set('2026-11-18T12:00:00Z', [['2026-11-18', 200]]);
    expect((await rowsOf(keyword)).map((cell) => cell.slice(1))).toEqual([
      [120, 200],
      [15, 200],
      [120, 200],
      [null, 50],
    ]);
    await set('2026-11-18T01:00:00Z', [['2026-11-18', 200]]);
    expect((await rowsOf(keyword)).map((cell) => cell.slice(1))).toEqual([
      [120, 200],
      [15, 200],
      [120, 200],
      [120, 200],
    ]);
    await set('2026-11-01T00:00:00Z', [
      ['2026-11-01', 10],
      ['2026-11-20', 20],
      ['2026-11-21', 200],
    ]);
    expect((await rowsOf(keyword)).map((cell) => cell.slice(1))).toEqual([
      [null, 50],
      [null, 20],
      [null, 10],
      [null, 10],
      [null, 10],
    ]);
    await set('2026-11-01T00:00:00Z', [
      ['2026-11-01', 200],
      ['2026-11-18', 0],
      ['2026-11-20', 200],
    ]);
    expect(await rowsOf(keyword)).toEqual([
      ['2026-11-21', 120, 200],
      ['2026-11-20', null, 50],
      ['2026-11-17', 120, 200],
    ]);
  });

  test('are returned without gaps over all pages, by country, keyword and days', async () => {
    for (const keyword of past.keywords)
      for (const day of listDays('2026-11-18', lastDay))
        await check(keyword, day, 5, resultsWith(3));
    const all = (await rankings()).items;
    expect(all).toHaveLength(16);
    const pages: typeof all = [];
    for (
      let cursor: string | undefined, first = true;
      first || cursor !== undefined;
      first = false
    ) {
      const page = await rankings({ limit: 5, ...(cursor !== undefined && { cursor }) });
      pages.push(...page.items);
      cursor = page.nextCursor ?? undefined;
    }
    expect(pages).toEqual(all);
    expect((await rankings({ country: 'de' })).items).toHaveLength(4);
    expect((await rankings({ from: '2026-11-20', to: '2026-11-20' })).items).toHaveLength(4);
    for (const query of [
      '?cursor=eA',
      '?from=2026-11-20&to=2026-11-19',
      '?country=DE',
      '?keywordIds=x',
      '?limit=501',
    ]) {
      expect([
        query,
        (await api.raw(`/apps/${past.appIds[0]}/competitors/${cid}/rankings${query}`, {}, ann))
          .status,
      ]).toEqual([query, 400]);
    }
  });
});

describe('keyword gaps', () => {
  const gaps = (query: object = {}) =>
    api.ok('GET /apps/{id}/gaps', { params: { id: past.appIds[0]! }, query }, ann);

  beforeEach(async () => {
    const [a, b, c, d] = past.keywords as [
      HistoryKeyword,
      HistoryKeyword,
      HistoryKeyword,
      HistoryKeyword,
    ];
    await check(a, lastDay, null, resultsWith(2));
    await check(b, lastDay, 12, resultsWith(10));
    await check(c, lastDay, 4, resultsWith(9));
    await check(d, addDays(lastDay, -4), null, resultsWith(1));
  });

  test('list keywords where a competitor is ahead, or present alone, with evidence', async () => {
    const { items, total } = await gaps();
    const [a, b] = past.keywords as [HistoryKeyword, HistoryKeyword];
    expect(total).toBe(2);
    expect(items).toMatchObject([
      {
        keywordId: a.id,
        competitorId: cid,
        competitorName: 'Competitor 60',
        kind: 'pure',
        urgency: 35,
        evidence: {
          date: lastDay,
          own: { position: null, depth: 200 },
          competitor: { position: 2, depth: 50 },
          positionsBehind: null,
          traffic: null,
        },
      },
      {
        keywordId: b.id,
        kind: 'behind',
        evidence: {
          own: { position: 12, depth: 200 },
          competitor: { position: 10 },
          positionsBehind: 2,
        },
      },
    ]);
    expect(items[0]!.explanation).toBe(
      `On ${lastDay}: Competitor 60 at position 2, your app checked, not found within 200.`,
    );
    expect((await gaps({ kind: 'pure' })).items).toEqual([items[0]]);
    expect((await gaps({ kind: 'behind' })).items).toEqual([items[1]]);
    expect((await gaps({ country: 'zz' })).total).toBe(0);
    const first = await gaps({ limit: 1 });
    expect((await gaps({ limit: 1, cursor: first.nextCursor! })).items).toEqual([items[1]]);
  });

  test('add up to the wins, losses and sole positions in the list of competitors', async () => {
    const { items } = await api.ok(
      'GET /apps/{id}/competitors',
      { params: { id: past.appIds[0]! } },
      ann,
    );
    expect(items).toMatchObject([
      {
        id: cid,
        overlap: { compared: 3, both: 2, wins: 1, losses: 1, onlyOwn: 0, onlyCompetitor: 1 },
      },
    ]);
  });

  test('are left out on request, also of an app of others', async () => {
    const query = { overlap: 'false' } as const;
    const path = { params: { id: past.appIds[0]! } };
    const compared = await api.ok('GET /apps/{id}/competitors', path, ann);
    const { items } = await api.ok('GET /apps/{id}/competitors', { ...path, query }, ann);
    expect(items).toEqual(compared.items.map((item) => ({ ...item, overlap: null })));
    const missing = `/apps/${past.appIds[0]! + 1_000}/competitors?overlap=false`;
    expect((await api.raw(missing, {}, ann)).status).toBe(404);
  });

  test('are counted for one country on request; an invalid country is refused', async () => {
    const path = `/apps/${past.appIds[0]}/competitors`;
    const overlapIn = async (country: string) => {
      const { items } = await api.ok(
        'GET /apps/{id}/competitors',
        { params: { id: past.appIds[0]! }, query: { country } },
        ann,
      );
      return items.map(({ id, overlap }) => ({ id, ...overlap }));
    };
    const none = {
      id: cid,
      compared: 0,
      both: 0,
      wins: 0,
      losses: 0,
      onlyOwn: 0,
      onlyCompetitor: 0,
    };
    expect(await overlapIn('us')).toEqual([{ ...none, compared: 1, onlyCompetitor: 1 }]);
    expect(await overlapIn('de')).toEqual([{ ...none, compared: 1, both: 1, losses: 1 }]);
    expect(await overlapIn('zz')).toEqual([none]);
    for (const query of [
      '?country=DE',
      '?country=USA',
      '?country=',
      '?country=us&country=de',
      "?country=u'",
      '?nonsense=1',
    ]) {
      expect([query, (await api.raw(path + query, {}, ann)).status]).toEqual([query, 400]);
    }
  });

  test('need a position within the depth that the app was searched to', async () => {
    await setLatestDailyRank(api, past.keywords[0]!.id, lastDay, null, 1);
    expect((await gaps({ kind: 'pure' })).items).toEqual([]);
  });

  test('are hidden from other workspaces, and unknown parameters are refused', async () => {
    const path = `/apps/${past.appIds[0]}/gaps`;
    const response = await api.raw(path, {}, await api.signUp());
    expect([response.status, response.body.code]).toEqual([404, 'not_found']);
    for (const query of ['?kind=all', '?cursor=x', '?country=USA', '?limit=0', '?nonsense=1']) {
      expect([query, (await api.raw(path + query, {}, ann)).status]).toEqual([query, 400]);
    }
  });
});

test('the row of the newest check has the same ranks as the months', async () => {
  const others = listingIds.slice(50, 58);
  for (const listingId of others)
    await insertCompetitor(api, ann.workspaceId, {
      appId: past.appIds[0]!,
      listingId,
      since: listingId % 2 === 0 ? '2026-11-18T12:00:00Z' : `${lastDay}T12:00:00Z`,
    });
  const id = past.appIds[0]!;
  const read = async () => [
    (await api.ok('GET /apps/{id}/competitors', { params: { id } }, ann)).items,
    await api.ok('GET /apps/{id}/gaps', { params: { id } }, ann),
  ];
  const rank = fc.option(fc.integer({ min: 1, max: 200 }), { nil: null });
  const checked = fc.record({
    day: fc.constantFrom(lastDay, addDays(lastDay, -1), addDays(lastDay, -2)),
    own: rank,
    stored: fc.option(fc.integer({ min: 1, max: 50 }), { nil: null }),
    seconds: fc.constantFrom(7_200, 50_000),
    ranks: fc.array(fc.option(rank, { nil: undefined }), { minLength: 8, maxLength: 8 }),
    moved: fc.subarray(others),
    isOutdated: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(checked, { minLength: 4, maxLength: 4 }), async (checks) => {
      await api.db.pool.query('truncate serps, rank_months, market_months, last_ranks');
      for (const [number, { day, own, stored, seconds, ranks }] of checks.entries()) {
        const keyword = past.keywords[number]!;
        await check(keyword, day, own, resultsWith(stored), { seconds });
        for (const [index, position] of ranks.entries())
          if (position !== undefined)
            await insertDailyRank(
              api,
              { listingId: others[index]!, marketId: keyword.marketId, day },
              { position, seconds },
            );
      }
      const expected = await read();
      for (const [number, { day, moved, isOutdated }] of checks.entries()) {
        const { marketId } = past.keywords[number]!;
        await moveToLastRanks(api, { marketId, day, listingIds: moved });
        if (isOutdated && moved.length === 0)
          await api.db.pool.query(
            `insert into last_ranks values ($1, $2::date - 1, 200, int4send($3), '\\x01')`,
            [marketId, day, others[0]],
          );
      }
      expect(await read()).toEqual(expected);
    }),
    { numRuns: 15 },
  );
});

test('suggests the apps in most markets with evidence, without known competitors', async () => {
  const [a, b, c, d] = past.keywords as [
    HistoryKeyword,
    HistoryKeyword,
    HistoryKeyword,
    HistoryKeyword,
  ];
  const [x, y, z] = [listingIds[0]!, listingIds[1]!, listingIds[2]!];
  const own = a.listingId;
  await check(a, lastDay, 2, [x, own, y, competitor]);
  await check(b, lastDay, 2, [x, own, y, competitor]);
  await check(c, lastDay, null, [y, competitor, z]);
  await check(d, addDays(lastDay, -4), null, [z]);
  const suggest = (query: object = {}) =>
    api.ok(
      'GET /apps/{id}/competitors/suggestions',
      { params: { id: past.appIds[0]! }, query },
      ann,
    );
  const { items, total } = await suggest();
  expect(
    items.map(({ storeAppId, keywords, share, ahead, averagePosition }) => [
      storeAppId,
      keywords,
      share,
      ahead,
      averagePosition,
    ]),
  ).toEqual([
    ['2000000001', 2, 0.6667, 2, 1],
    ['2000000002', 3, 1, 1, 2.33],
    ['2000000003', 1, 0.3333, 1, 3],
  ]);
  expect(total).toBe(3);
  const cut = await suggestCompetitors(ann.ctx, past.appIds[0]!, { limit: 2 });
  expect([cut.items.length, cut.total]).toEqual([2, 2]);
  expect(items[1]!.evidence).toEqual([
    {
      keywordId: c.id,
      phrase: expect.any(String),
      country: 'jp',
      device: 'iphone',
      date: lastDay,
      position: 1,
      own: { position: null, depth: 200 },
    },
    {
      keywordId: a.id,
      phrase: expect.any(String),
      country: 'us',
      device: 'iphone',
      date: lastDay,
      position: 3,
      own: { position: 2, depth: 200 },
    },
    {
      keywordId: b.id,
      phrase: expect.any(String),
      country: 'de',
      device: 'iphone',
      date: lastDay,
      position: 3,
      own: { position: 2, depth: 200 },
    },
  ]);
  expect((await suggest({ country: 'jp' })).items.map((item) => item.storeAppId)).toEqual([
    '2000000002',
    '2000000003',
  ]);
  expect((await suggest({ limit: 1 })).items).toHaveLength(1);
});

describe('a verdict', () => {
  const position = fc.record({
    position: fc.option(fc.integer({ min: 1, max: 200 }), { nil: null }),
    depth: fc.integer({ min: 1, max: 200 }),
  });

  test('is mirrored when both sides are swapped, and ignores positions not searched', () => {
    const turned = {
      ahead: 'behind',
      behind: 'ahead',
      pure: 'alone',
      alone: 'pure',
      neither: 'neither',
      unknown: 'unknown',
    } as const;
    fc.assert(
      fc.property(position, position, (own, other) => {
        fc.pre(own.position === null || own.position !== other.position);
        const verdict = verdictOf(own, other);
        expect(verdictOf(other, own)).toBe(turned[verdict]);
        const isBeyond = (a: typeof own, b: typeof own) =>
          a.position === null && b.position !== null && b.position > a.depth;
        expect(verdict === 'unknown').toBe(isBeyond(own, other) || isBeyond(other, own));
      }),
    );
  });

  test('is counted exactly once', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(position, position)), (pairs) => {
        const { compared, both, wins, losses, onlyOwn, onlyCompetitor } = countVerdicts(
          pairs.map(([own, other]) => verdictOf(own, other)),
        );
        expect([
          wins + losses,
          both + onlyOwn + onlyCompetitor <= compared,
          compared <= pairs.length,
        ]).toEqual([both, true, true]);
      }),
    );
  });

  test('is more urgent with a higher competitor, a lower app and more traffic', () => {
    const found = fc.integer({ min: 1, max: 200 });
    const at = (position: number | null) => ({ position, depth: 200 });
    fc.assert(
      fc.property(
        found,
        found,
        found,
        fc.integer({ min: 0, max: 100 }),
        fc.integer({ min: 0, max: 100 }),
        (a, b, c, t, u) => {
          const [best, middle, worst] = [a, b, c].toSorted((x, y) => x - y) as [
            number,
            number,
            number,
          ];
          const [few, many] = [Math.min(t, u), Math.max(t, u)];
          const urgency = urgencyOf(at(worst), at(middle), few);
          expect(urgency).toBeGreaterThanOrEqual(0);
          expect(urgencyOf(at(worst), at(best), few)).toBeGreaterThanOrEqual(urgency);
          expect(urgencyOf(at(null), at(middle), few)).toBeGreaterThanOrEqual(urgency);
          expect(urgencyOf(at(worst), at(middle), many)).toBeGreaterThanOrEqual(urgency);
          expect(urgencyOf(at(null), at(best), many)).toBeLessThanOrEqual(100);
        },
      ),
    );
  });
});
