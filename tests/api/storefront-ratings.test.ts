import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inTransaction } from '#db/database.ts';
import type { Fact } from '#contract/imported-facts.ts';
import type { AppCard, SearchResult, StoreName } from '#domain/base/ports.ts';
import { scoreDifficulty } from '#domain/insights/scores/difficulty.ts';
import type { MarketEvidence, Scored } from '#domain/insights/scores/evidence.ts';
import { readLiveEvidence } from '#domain/insights/scores/live-evidence.ts';
import { readEvidence } from '#domain/insights/scores/read-evidence.ts';
import { scoreTraffic } from '#domain/insights/scores/traffic.ts';
import { internCards, ListingCache } from '#domain/tracking/listings/intern-listings.ts';
import {
  loadRatingsInFirstOf,
  loadRatingsOn,
} from '#domain/tracking/listings/storefront-ratings.ts';
import { recordListing } from '#domain/tracking/listings/record-listing.ts';
import { keepRatings } from '#domain/tracking/rankings/keep-ratings.ts';
import {
  packIds,
  packStrengths,
  unpackStrengths,
  type Strength,
} from '#domain/tracking/rankings/pack-serp.ts';
import { packSerp } from '#domain/transfer/publication/imported-serps.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { listingOf } from './changes.fixtures.ts';
import { insertChart } from './charts.fixtures.ts';
import { importFile } from './exports.fixtures.ts';
import { makeFile, sampleRows, type TableRow } from './imports.fixtures.ts';
import { follow, setLatestPosition } from './scores.fixtures.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const day = '2026-11-21';
const phrase = 'habit tracker';
const none = { rating: null, ratingCount: null };

let marketNumber = 0;

/** A market in Germany with stored results. */
async function insertResults(
  store: StoreName,
  ids: number[],
  strengths: (Strength | null)[],
): Promise<number> {
  const { rows } = await api.db.pool.query(
    `with m as (insert into markets (store, country, device, phrase)
       values ($1, 'de', $2, $3) returning id)
     insert into serps (market_id, on_date, depth, result_count, ended, provider, ids, strengths)
     select id, $4, 200, 200, 'depth', 'test', $5, $6 from m returning market_id as id`,
    [
      store,
      store === 'ios' ? 'iphone' : 'phone',
      `${phrase} ${(marketNumber += 1)}`,
      day,
      packIds(ids),
      packStrengths(strengths),
    ],
  );
  return rows[0].id as number;
}

async function evidenceOf(marketId: number): Promise<MarketEvidence> {
  return (await readEvidence(api.db.systemDb, [marketId], day)).get(marketId)!;
}

describe('the scores of a country', () => {
  const countsOf = { us: 5_000_000, de: 1_200 };

  /** Ten apps, read in both countries on the day; on iOS nobody rated them in Germany. */
  async function readApps(store: StoreName, order: readonly ('us' | 'de')[]): Promise<number[]> {
    const ids: number[] = [];
    for (let n = 0; n < 10; n += 1) {
      for (const [hour, country] of order.entries()) {
        const isUnrated = store === 'ios' && country === 'de';
        const listing = listingOf(store === 'ios' ? String(5_000 + n) : `com.example.a${n}`, {
          name: `Habit Tracker by ${'abcdefghij'[n]}`,
          rating: isUnrated ? null : 4.5,
          ratingCount: isUnrated ? null : countsOf[country],
        });
        const now = new Date(`${day}T0${hour + 1}:00:00Z`);
        const { listingId } = await inTransaction(api.db.systemDb, (tx) =>
          recordListing(tx, { store, country, language: 'en', now, listing }),
        );
        if (hour === 0) ids.push(listingId);
      }
    }
    return ids;
  }

  test.each(['android', 'ios'] as const)(
    'on %s count its own ratings, whichever storefront is read last',
    async (store) => {
      const scores: unknown[] = [];
      const orders = [
        ['us', 'de'],
        ['de', 'us'],
      ] as const;
      for (const order of orders) {
        const ids = await readApps(store, order);
        const shown = store === 'ios' ? none : { rating: 4.5, ratingCount: null };
        const marketId = await insertResults(
          store,
          ids,
          ids.map(() => shown),
        );
        const evidence = await evidenceOf(marketId);
        const counts = new Set(evidence.serp!.top.map(({ ratingCount }) => ratingCount));
        expect([...counts]).toEqual([store === 'ios' ? null : countsOf.de]);
        scores.push([scoreDifficulty(evidence).score, scoreTraffic(evidence).score]);
        expect(scoreDifficulty(evidence).missing).not.toContain('strength');
      }
      expect(scores[1]).toEqual(scores[0]);
      expect((scores[0] as number[])[0]).toBeLessThan(50);
    },
  );

  test('count nothing of a country where the app was read alone', async () => {
    const now = new Date(`${day}T05:00:00Z`);
    const listing = listingOf('com.example.elsewhere', { name: 'Habit Tracker' });
    const { listingId } = await inTransaction(api.db.systemDb, (tx) =>
      recordListing(tx, { store: 'android', country: 'us', language: 'en', now, listing }),
    );
    const shown = { rating: 4.5, ratingCount: null };
    const evidence = await evidenceOf(await insertResults('android', [listingId], [shown]));
    expect(evidence.serp!.top[0]).toMatchObject({ rating: 4.5, ratingCount: null });
    expect(scoreDifficulty(evidence).missing).toContain('strength');
  });

  test('before tracking count its own ratings too', async () => {
    const storeAppId = '5900';
    await inTransaction(api.db.systemDb, (tx) =>
      recordListing(tx, {
        store: 'ios',
        country: 'us',
        language: 'en',
        now: new Date(`${day}T05:00:00Z`),
        listing: listingOf(storeAppId, { ratingCount: 5_000_000 }),
      }),
    );
    const card = { ...listingOf(storeAppId), rating: 4.1, ratingCount: 70 };
    const at = (item: AppCard | null): SearchResult => ({ storeAppId, card: item });
    const market = { store: 'ios', country: 'de', device: 'iphone', phrase } as const;
    const topOf = async (items: SearchResult[]) => {
      const response = { items, end: 'depth' } as never;
      const { evidence } = await inTransaction(api.db.systemDb, (tx) =>
        readLiveEvidence(tx, market, { response, offered: null }, day),
      );
      return evidence;
    };
    const [first] = (await topOf([at(card)])).serp!.top;
    expect(first).toMatchObject({ rating: 4.1, ratingCount: 70 });
    const deep = (await topOf(Array.from({ length: 12 }, () => at(card)))).serp!.top[11];
    expect(deep).toMatchObject({ ratingCount: 70 });
    const failed = await topOf([at(null)]);
    expect(failed.serp!.top[0]).toMatchObject({ ratingCount: null, isUnread: true });
    expect(scoreDifficulty(failed).missing).toContain('strength');
  });
});

describe('results without facts', () => {
  test('have the ratings of their own country, or unknown ones, and look no easier', async () => {
    const cache = new ListingCache();
    const card = (storeAppId: string, over: Partial<AppCard> = {}): AppCard => ({
      ...listingOf(storeAppId, { name: `Habit Tracker ${storeAppId}` }),
      ...over,
      unread: over.unread ?? [],
    });
    const read = (cards: AppCard[], country: string) =>
      internCards(api.db.systemDb, cache, 'ios', cards, { country, day });
    const numbers = ['6001', '6002', '6003'];
    const ids = await read([card('6001', { rating: 4.2, ratingCount: 900_000 })], 'de');
    ids.push(
      ...(await read(
        numbers.slice(1).map((id) => card(id)),
        'us',
      )),
    );
    const results = [
      { storeAppId: '6001', card: null },
      { storeAppId: '6002', card: null },
      { storeAppId: '6003', card: card('6003', { ...none, unread: ['rating', 'ratingCount'] }) },
    ];
    const at = { country: 'de', day };
    const kept = await keepRatings({ systemDb: api.db.systemDb }, at, { results, listingIds: ids });
    expect(kept).toEqual([{ rating: 4.2, ratingCount: 900_000 }, null, null]);
    const known = await evidenceOf(await insertResults('ios', ids, kept));
    const unrated = await evidenceOf(await insertResults('ios', ids, [kept[0]!, none, none]));
    expect(known.serp!.top.map(({ ratingCount }) => ratingCount)).toEqual([900_000, null, null]);
    expect(scoreDifficulty(known).score).toBeGreaterThan(scoreDifficulty(unrated).score!);
    const widthOf = ({ range }: Scored) => range!.high - range!.low;
    expect(widthOf(scoreDifficulty(known))).toBeGreaterThan(widthOf(scoreDifficulty(unrated)));
  });
});

describe('the ratings in results, charts and lists', () => {
  const earlier = '2026-10-02';
  let ann: Account;
  let marketId: number;
  let ids: number[];
  let appId: number;
  let keywordId: number;

  /** Twelve apps in Iceland. Those at the end are shown in the United States last. */
  beforeAll(async () => {
    ann = await api.signUp();
    const tracked = await follow(api, ann, 'sundlaug', { country: 'is' });
    ({ appId, keywordId, marketId } = tracked);
    await api.db.pool.query(`update apps set created_at = '2026-09-01' where id = $1`, [appId]);
    await api.db.pool.query(
      `update keywords set tracking_periods = '[["2026-09-01", 200]]' where id = $1`,
      [keywordId],
    );
    await setLatestPosition(api, keywordId, null);
    const cards = Array.from({ length: 12 }, (_, n) => listingOf(String(7_001 + n)));
    const read = (country: string, on: string, ratingCount: number, some = cards) =>
      internCards(
        api.db.systemDb,
        new ListingCache(),
        'ios',
        some.map((one) => ({ ...one, rating: 4.8, ratingCount })),
        { country, day: on },
      );
    await read('is', '2026-09-20', 31, cards.slice(0, 11));
    await read('is', '2026-11-20', 40, cards.slice(0, 11));
    await read('is', '2026-11-22', 50);
    ids = await read('us', day, 1_300_000);
    await api.db.pool.query(
      `insert into listing_days (listing_id, country, on_date, rating, rating_count, read_at)
       values ($1, 'is', $2, 4.6, 33, $2::date), ($1, 'us', $2, 4.8, 1300000, $2::date)`,
      [ids[10], '2026-10-01'],
    );
    const top = ids.slice(0, 10).map((_, n) => ({ rating: 4, ratingCount: 20 + n }));
    for (const [on, order] of [
      [earlier, ids],
      [day, [...ids.slice(0, 10), ids[11]!, ids[10]!]],
    ] as const)
      await api.db.pool.query(
        `insert into serps (market_id, on_date, depth, result_count, ended, provider, ids,
           strengths) values ($1, $2, 200, 12, 'depth', 'test', $3, $4)`,
        [marketId, on, packIds([...order]), packStrengths(top)],
      );
    await insertChart(api, { country: 'is' }, day, ids);
  });

  const numbers = ({ rating, ratingCount }: Strength) => [rating, ratingCount];
  const serpOf = async (date: string) =>
    (
      await api.ok(
        'GET /keywords/{keywordId}/serp',
        { params: { keywordId }, query: { date, limit: 200 } },
        ann,
      )
    ).items.map(numbers);

  test('are those of the country until the day, and unknown before it showed some', async () => {
    const newest = await serpOf(day);
    expect(newest[9]).toEqual([4, 29]);
    expect(newest.slice(10)).toEqual([
      [null, null],
      [4.8, 40],
    ]);
    expect((await serpOf(earlier)).slice(10)).toEqual([
      [4.6, 33],
      [null, null],
    ]);
  });

  test('are the same in comparisons, exports and charts', async () => {
    const query = { a: earlier, b: day, top: 12 };
    const diff = await api.ok(
      'GET /keywords/{keywordId}/serp/diff',
      { params: { keywordId }, query },
      ann,
    );
    expect(diff.moved.map((item) => [item.storeAppId, ...numbers(item)])).toEqual([
      ['7012', null, null],
      ['7011', 4.8, 40],
    ]);
    const chart = await api.ok('GET /charts', { query: { store: 'ios', country: 'is' } }, ann);
    expect(chart.items.map(numbers).slice(9)).toEqual([
      [4.8, 40],
      [4.8, 40],
      [null, null],
    ]);
    const leaders = await api.ok(
      'GET /apps/{id}/serp/leaders',
      { params: { id: appId }, query: { top: 20, limit: 20 } },
      ann,
    );
    expect(leaders.items.slice(9).map((item) => [item.storeAppId, item.ratingCount])).toEqual([
      ['7010', 40],
      ['7012', null],
      ['7011', 40],
    ]);
  });

  test('are unknown or none after an export and an import, as before', async () => {
    const date = '2026-11-10';
    const strengths = [{ rating: 4, ratingCount: 20 }, none, null];
    await api.db.pool.query(
      `insert into serps (market_id, on_date, depth, result_count, ended, provider, ids,
         strengths) values ($1, $2, 200, 3, 'depth', 'test', $3, $4)`,
      [marketId, date, packIds([ids[0]!, ids[1]!, ids[11]!]), packStrengths(strengths)],
    );
    const shown = [
      [4, 20],
      [null, 0],
      [null, null],
    ];
    expect(await serpOf(date)).toEqual(shown);
    const path = `/apps/${appId}/exports/serp?from=${date}&to=${date}`;
    const { items } = (await api.raw(path, {}, ann)).body as { items: Fact<'serp'>[] };
    expect(items.map(numbers)).toEqual(shown);
    const idOf = new Map(items.map(({ storeAppId }, index) => [storeAppId, index]));
    expect(unpackStrengths(packSerp({ marketId, store: 'ios' }, items, idOf).strengths)).toEqual(
      strengths,
    );
  });
});

/** What is known of a listing on a day. */
const ratingsOn = async (id: number, country: string, on: string) =>
  (await loadRatingsOn(api.db.systemDb, [id], { country, day: on }))(id);

test('a storefront’s ratings are written when they differ, once a day', async () => {
  const cache = new ListingCache();
  let id = 0;
  const read = async (on: string, ratingCount: number | null, rating: number | null = 4.5) => {
    const cards = [{ ...listingOf('8001'), rating, ratingCount }];
    const reading = { country: 'fr', day: on };
    [id = 0] = await internCards(api.db.systemDb, cache, 'ios', cards, reading);
    return ratingsOn(id, 'fr', '2026-12-31');
  };
  expect(await read('2026-12-01', null, null)).toBeNull();
  expect(await read('2026-12-01', 1_000)).toEqual({ rating: 4.5, ratingCount: 1_000 });
  expect(await read('2026-12-01', 2_000)).toEqual({ rating: 4.5, ratingCount: 1_000 });
  expect(await read('2026-12-02', 1_010)).toEqual({ rating: 4.5, ratingCount: 1_000 });
  expect(await read('2026-12-02', 1_100)).toEqual({ rating: 4.5, ratingCount: 1_100 });
  expect(await read('2026-12-03', null, 4.7)).toEqual({ rating: 4.7, ratingCount: 1_100 });
  expect(await read('2026-11-30', 5)).toEqual({ rating: 4.7, ratingCount: 1_100 });
  // As after a reset by the developer.
  expect(await read('2026-12-04', 0, null)).toEqual({ rating: null, ratingCount: 0 });
  const shown = ['2026-11-29', '2026-11-30', '2026-12-01', '2026-12-02', '2026-12-04'];
  const counts = shown.map(async (on) => (await ratingsOn(id, 'fr', on))?.ratingCount);
  expect(await Promise.all(counts)).toEqual([undefined, 5, 1_000, 1_100, 0]);
});

test('what another process has written is known after a week', async () => {
  const read = async (cache: ListingCache, on: string, ratingCount: number) => {
    const cards = [{ ...listingOf('8051'), rating: 4.5, ratingCount }];
    const reading = { country: 'fr', day: on };
    const [id] = await internCards(api.db.systemDb, cache, 'ios', cards, reading);
    return (await ratingsOn(id!, 'fr', on))?.ratingCount;
  };
  const cache = new ListingCache();
  expect(await read(cache, '2026-12-01', 1_000)).toBe(1_000);
  expect(await read(new ListingCache(), '2026-12-02', 2_000)).toBe(2_000);
  expect(await read(cache, '2026-12-08', 1_000)).toBe(1_000);
});

test('a reading of a clock that was ahead hides none of today', async () => {
  const read = async (cache: ListingCache, on: string, ratingCount: number) => {
    const cards = [{ ...listingOf('8101'), rating: 4.5, ratingCount }];
    const reading = { country: 'fr', day: on };
    return (await internCards(api.db.systemDb, cache, 'ios', cards, reading))[0]!;
  };
  const cache = new ListingCache();
  await read(cache, '2026-11-20', 1_000);
  const id = await read(cache, '2027-03-01', 2_000);
  await read(cache, '2026-11-21', 2_000);
  expect(await ratingsOn(id, 'fr', '2026-11-21')).toEqual({ rating: 4.5, ratingCount: 2_000 });
  await read(new ListingCache(), '2026-11-22', 3_000);
  expect(await ratingsOn(id, 'fr', '2026-11-22')).toEqual({ rating: 4.5, ratingCount: 3_000 });
});

test('of a page and a card of one day, the page counts', async () => {
  const cards = [{ ...listingOf('8201'), rating: 4.5, ratingCount: 1_200 }];
  const reading = { country: 'fr', day };
  const [id] = await internCards(api.db.systemDb, new ListingCache(), 'ios', cards, reading);
  await api.db.pool.query(
    `insert into listing_days (listing_id, country, on_date, rating, rating_count, read_at)
     values ($1, 'fr', $2, 4.6, 1234, now())`,
    [id, day],
  );
  expect(await ratingsOn(id!, 'fr', day)).toEqual({ rating: 4.6, ratingCount: 1_234 });
});

test('a card without a number of ratings leaves the newest one of a page or card', async () => {
  const read = async (on: string, rating: number, ratingCount: number | null) => {
    const cards = [{ ...listingOf('com.example.uncounted'), rating, ratingCount }];
    const reading = { country: 'fr', day: on };
    const cache = new ListingCache();
    return (await internCards(api.db.systemDb, cache, 'android', cards, reading))[0]!;
  };
  await read('2026-11-01', 4.5, 1_000);
  const id = await read('2026-11-10', 4.2, null);
  expect(await ratingsOn(id, 'fr', '2026-11-10')).toEqual({ rating: 4.2, ratingCount: 1_000 });
  await api.db.pool.query(
    `insert into listing_days (listing_id, country, on_date, rating, rating_count, read_at)
     values ($1, 'fr', '2026-11-12', 4.3, 5000, now())`,
    [id],
  );
  await read('2026-11-14', 4.7, null);
  expect(await ratingsOn(id, 'fr', '2026-11-14')).toEqual({ rating: 4.7, ratingCount: 5_000 });
  await read('2026-11-15', 4.7, 6_000);
  expect(await ratingsOn(id, 'fr', '2026-11-15')).toEqual({ rating: 4.7, ratingCount: 6_000 });
});

test('an operator’s import keeps the ratings of each of its days', async () => {
  const began = '2026-08-01';
  const counts = {
    '2026-08-10': 1_000,
    '2026-09-10': 2_000,
    '2026-09-20': 1_000,
    '2026-09-25': 1_010,
    '2026-10-05': 3_000,
  };
  const tracking = { tracking_periods: [[began, 200]], created_at: `${began}T08:00:00+00:00` };
  const rows = sampleRows().map(([table, row]): TableRow => [table, { ...row, ...tracking }]);
  const [, result] = rows.find(([table]) => table === 'serp')!;
  const results = Object.entries(counts).flatMap(([date, ratingCount]) =>
    Array.from({ length: 11 }, (_, n): TableRow => [
      'serp',
      {
        ...result,
        date,
        resultCount: 11,
        position: n + 1,
        storeAppId: String(8301 + n),
        ratingCount,
      },
    ]),
  );
  const operator = await api.signUp();
  await api.db.pool.query('update users set operator = true where id = $1', [operator.userId]);
  const text = makeFile([...rows.filter(([table]) => table !== 'serp'), ...results]);
  expect(await importFile(api, operator, text, { asPublicFacts: true })).toMatchObject({
    state: 'succeeded',
  });
  const { rows: found } = await api.db.pool.query(
    `select id from listings where store_app_id = '8311'`,
  );
  const shown = [began, '2026-08-31', '2026-09-15', '2026-09-30', '2026-11-21'].map(
    async (on) => (await ratingsOn(found[0].id, 'us', on))?.ratingCount,
  );
  expect(await Promise.all(shown)).toEqual([undefined, 1_000, 2_000, 1_000, 3_000]);
});

test('of several countries, the first one that has shown ratings counts', async () => {
  const card = (ratingCount: number) => ({ ...listingOf('7601'), rating: 4.5, ratingCount });
  let id = 0;
  for (const [country, count] of [
    ['us', 900],
    ['de', 20],
  ] as const)
    [id = 0] = await internCards(api.db.systemDb, new ListingCache(), 'ios', [card(count)], {
      country,
      day,
    });
  const countIn = async (...countries: string[]) =>
    (await loadRatingsInFirstOf(api.db.systemDb, [id], { countries, day }))(id)?.ratingCount;
  expect(await countIn('us', 'de')).toBe(900);
  expect(await countIn('de', 'us')).toBe(20);
  expect(await countIn('is', 'de', 'us')).toBe(20);
  expect(await countIn('is')).toBeUndefined();
});
