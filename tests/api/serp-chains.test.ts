import { afterAll, beforeAll, expect, it } from 'vitest';
import { retractChecks } from '#db/queries/anomalies/implausible-checks.ts';
import { findMarketToCheck } from '#db/queries/rankings/checks.ts';
import { insertPastSerp } from '#db/queries/serp-chains/insert-past-serp.ts';
import { listKeptSerps, listSerpHistory } from '#db/queries/serp-chains/kept-serps.ts';
import { listStoredHistory, listStoredRows } from '#db/queries/serps/serp-history.ts';
import { inSystem } from '#domain/base/context.ts';
import { applyRetention } from '#domain/scheduling/retention/apply-retention.ts';
import { packIds, unpackIds } from '#domain/tracking/rankings/pack-serp.ts';
import { addDays, dayIndexInMonth, listDays, monthOf } from '#lib/dates.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { reportFigures, trackProgress } from '../harness/progress.ts';
import { recordMarketSearch } from './keywords.fixtures.ts';
import { follow } from './scores.fixtures.ts';

let api: TestApi;
let ann: Account;
let listingIds: number[];

beforeAll(async () => {
  api = await startApi();
  const account = await api.signUp();
  ann = { ...account, ...(await api.token(account)) };
  const { rows } = await api.db.pool.query<{ id: number }>(
    `insert into listings (store, store_app_id, name) select 'ios', 'chain' || n, 'App ' || n
     from generate_series(1, 150) n returning id`,
  );
  listingIds = rows.map(({ id }) => id);
});
afterAll(() => api.close());

const [firstDay, lastDay] = ['2026-11-21', '2027-01-05'];

/** Results that change a little from day to day, and once completely. */
function createResults(): (day: string) => number[] {
  const ids = listingIds.slice(0, 50);
  const random = createRandom(7);
  return (day) => {
    for (let moves = 0; moves < 3; moves += 1)
      ids.splice(random(50), 0, ...ids.splice(random(50), 1));
    const fresh = listingIds.find((id) => !ids.includes(id))!;
    ids[random(50)] = fresh;
    if (day === '2026-12-10') ids.splice(0, 50, ...listingIds.slice(100));
    return [...ids];
  };
}

/** 0 to below `below`, the same for the same seed. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => (state = (state * 48_271) % 2_147_483_647) % below;
}

/** A market with results of each day; gives what a reader should see. */
async function searchDaily(phrase: string, days = listDays(firstDay, lastDay)) {
  api.clock.set(`${days[0]}T02:00:00Z`);
  const { keywordId, marketId } = await follow(api, ann, phrase);
  const next = createResults();
  const searched = new Map<string, number[]>();
  for (const day of days) {
    const ids = next(day);
    searched.set(day, ids);
    await recordMarketSearch(api, { marketId, listingIds: ids, at: `${day}T03:00:00Z` });
  }
  return { keywordId, marketId, searched };
}

const readAll = async (marketId: number, days: readonly string[]) => {
  const rows = await listKeptSerps(
    api.db.systemDb,
    days.map((date) => ({ marketId, date })),
  );
  return new Map(rows.map(({ date, ids }) => [date, unpackIds(ids)]));
};
const chainsOf = async (marketId: number) =>
  (
    await api.db.pool.query<{ day: string; whole: string | null; bytes: number }>(
      `select on_date::text as day, whole_on::text as whole, length(ids) as bytes from serps
       where market_id = $1 order by on_date`,
      [marketId],
    )
  ).rows;

it('results are differences in chains of bounded length within their month', async () => {
  const { marketId, searched } = await searchDaily('chains');
  const chains = await chainsOf(marketId);
  expect(chains).toHaveLength(searched.size);
  const whole = chains.filter((row) => row.whole === null).map(({ day }) => day);
  expect(whole).toEqual([firstDay, '2026-12-01', '2026-12-10', '2026-12-26', '2027-01-01']);
  for (const { day, whole: wholeOn } of chains)
    if (wholeOn !== null) {
      expect(wholeOn >= addDays(day, -15) && monthOf(wholeOn) === monthOf(day)).toBe(true);
    }
  const bytes = chains.reduce((sum, row) => sum + row.bytes, 0);
  expect(bytes / chains.length).toBeLessThan(80);
});

it('every reader returns exactly what was found', async () => {
  const { keywordId, marketId, searched } = await searchDaily('exactly');
  const days = [...searched.keys()];
  expect(await readAll(marketId, days)).toEqual(searched);
  expect(await readAll(marketId, ['2026-12-07'])).toEqual(
    new Map([['2026-12-07', searched.get('2026-12-07')]]),
  );
  const range = { marketIds: [marketId], from: '2026-12-05', to: '2027-01-02' };
  const expected = days
    .filter((day) => day >= range.from && day <= range.to)
    .map((day) => [day, packIds(searched.get(day)!)]);
  const seen = (rows: { date: string; ids: Buffer }[]) => rows.map(({ date, ids }) => [date, ids]);
  expect(seen(await listSerpHistory(api.db.systemDb, range))).toEqual(expected);
  const [history, spots] = await inSystem(api.services, async (tx) => [
    (await listStoredHistory(tx, range)).get(marketId)!,
    await listStoredRows(tx, { marketIds: [marketId, marketId], dates: [lastDay, '2026-12-20'] }),
  ]);
  expect(seen(history)).toEqual(expected);
  expect(seen(spots)).toEqual(
    ['2026-12-20', lastDay].map((day) => [day, packIds(searched.get(day)!)]),
  );
  api.clock.set(`${lastDay}T12:00:00Z`);
  const nameOf = new Map(listingIds.map((id, index) => [id, `chain${index + 1}`]));
  const { items } = await api.ok(
    'GET /keywords/{keywordId}/serp',
    { params: { keywordId }, query: { date: '2026-12-25' } },
    ann,
  );
  expect(items.map(({ storeAppId }) => storeAppId)).toEqual(
    searched.get('2026-12-25')!.map((id) => nameOf.get(id)),
  );
});

it('a day that is retracted leaves the other days as they were', async () => {
  const { marketId, searched } = await searchDaily('retracted');
  for (const day of ['2026-12-04', '2026-12-10', lastDay]) {
    await inSystem(api.services, (tx) =>
      retractChecks(tx, {
        marketIds: [marketId],
        day,
        month: monthOf(day),
        dayIndex: dayIndexInMonth(day),
        marker: 'withheld',
        isDueAgain: day === lastDay,
      }),
    );
    searched.delete(day);
    expect(await readAll(marketId, listDays(firstDay, lastDay))).toEqual(searched);
  }
  const before = await findMarketToCheck(api.db.systemDb, marketId, lastDay);
  expect(unpackIds(before!.lastSerp!.ids)).toEqual(searched.get(addDays(lastDay, -1)));
  const again = listingIds.slice(3, 53);
  await recordMarketSearch(api, { marketId, listingIds: again, at: `${lastDay}T05:00:00Z` });
  expect(await readAll(marketId, [lastDay])).toEqual(new Map([[lastDay, again]]));
});

it('a day that is retracted leaves no ranks in the row of the newest check', async () => {
  const days = listDays('2026-12-01', '2026-12-03');
  const [one, another] = [
    await searchDaily('newest here', days),
    await searchDaily('newest there', days),
  ];
  for (const { marketId } of [one, another])
    await api.db.pool.query(
      `insert into last_ranks values ($1, '2026-12-03', 200, int4send(1), '\\x01')`,
      [marketId],
    );
  const retract = (day: string) =>
    inSystem(api.services, (tx) =>
      retractChecks(tx, {
        marketIds: [one.marketId],
        day,
        month: monthOf(day),
        dayIndex: dayIndexInMonth(day),
        marker: 'withheld',
        isDueAgain: false,
      }),
    );
  const listed = async () =>
    (
      await api.db.pool.query(
        'select market_id as id from last_ranks where market_id = any($1) order by 1',
        [[one.marketId, another.marketId]],
      )
    ).rows.map(({ id }) => id);
  await retract('2026-12-02');
  expect(await listed()).toEqual([one.marketId, another.marketId]);
  await retract('2026-12-03');
  expect(await listed()).toEqual([another.marketId]);
});

it('results that were compared with others than the last ones are stored whole', async () => {
  const { marketId, searched } = await searchDaily('raced', listDays('2026-12-01', '2026-12-03'));
  const ids = searched.get('2026-12-03')!.toReversed();
  await recordMarketSearch(api, {
    marketId,
    listingIds: ids,
    at: '2026-12-04T03:00:00Z',
    // Between the search and its record, as when a day is retracted meanwhile.
    beforeRecord: () =>
      api.db.pool.query('update last_serps set on_date = on_date where market_id = $1', [marketId]),
  });
  expect((await chainsOf(marketId)).at(-1)).toEqual({ day: '2026-12-04', whole: null, bytes: 200 });
  expect(await readAll(marketId, ['2026-12-04'])).toEqual(new Map([['2026-12-04', ids]]));
});

/** Searches whose results come at the same moment. */
async function recordTogether(
  searches: { marketId: number; listingIds: number[]; at: string }[],
): Promise<PromiseSettledResult<void>[]> {
  const all = Promise.withResolvers<void>();
  let arrived = 0;
  const beforeRecord = () => {
    arrived += 1;
    if (arrived === searches.length) all.resolve();
    return all.promise;
  };
  return Promise.allSettled(
    searches.map((search) => recordMarketSearch(api, { ...search, beforeRecord })),
  );
}

async function followMany(phrase: string, count: number): Promise<number[]> {
  const marketIds: number[] = [];
  for (let number = 0; number < count; number += 1)
    marketIds.push((await follow(api, ann, `${phrase} ${number}`)).marketId);
  return marketIds;
}

it('results of one moment are written together, those of each day and market once', async () => {
  api.clock.set('2026-12-01T02:00:00Z');
  const marketIds = await followMany('together', 6);
  const [first] = marketIds;
  const resultsOf = (index: number) => listingIds.slice(index, index + 50);
  const searches = marketIds.map((marketId, index) => ({
    marketId,
    listingIds: resultsOf(index),
    at: `2026-12-0${index === 5 ? 2 : 1}T03:00:00Z`,
  }));
  const twin = { marketId: first!, listingIds: resultsOf(90), at: '2026-12-01T03:00:01Z' };
  await recordTogether([...searches, twin]);
  for (const { marketId, listingIds: ids, at } of searches.slice(1))
    expect(await readAll(marketId, [at.slice(0, 10)])).toEqual(new Map([[at.slice(0, 10), ids]]));
  // Either may come first, and the other is known then.
  const ofFirst = (await readAll(first!, ['2026-12-01'])).get('2026-12-01');
  expect([resultsOf(0), resultsOf(90)]).toContainEqual(ofFirst);
  const { rows } = await api.db.pool.query<{ count: string }>(
    `select count(distinct xmin::text) from last_serps
     where market_id = any($1) and on_date = '2026-12-01'`,
    [marketIds],
  );
  expect(Number(rows[0]!.count)).toBeLessThanOrEqual(2);
});

it('a result that the database refuses stops none of the same moment', async () => {
  const marketIds = await followMany('refused', 4);
  const refused = marketIds[2]!;
  await api.db.pool.query(`create function refuse() returns trigger language plpgsql as
    'begin raise exception ''planned''; end'`);
  await api.db.pool.query(`create trigger refuse before insert on last_serps for each row
    when (new.market_id = ${refused}) execute function refuse()`);
  const at = '2026-12-01T03:00:00Z';
  const ids = listingIds.slice(0, 50);
  const outcomes = await recordTogether(
    marketIds.map((marketId) => ({ marketId, listingIds: ids, at })),
  );
  await api.db.pool.query('drop function refuse cascade');
  expect(outcomes.map(({ status }) => status)).toEqual(
    marketIds.map((marketId) => (marketId === refused ? 'rejected' : 'fulfilled')),
  );
  for (const marketId of marketIds)
    expect(await readAll(marketId, ['2026-12-01'])).toEqual(
      new Map(marketId === refused ? [] : [['2026-12-01', ids]]),
    );
});

it('a market that is locked holds up none of the same moment', async () => {
  const marketIds = await followMany('locked', 4);
  const [at, day, ids] = ['2026-12-01T03:00:00Z', '2026-12-01', listingIds.slice(0, 50)];
  const searches = marketIds.map((marketId) => ({ marketId, listingIds: ids, at }));
  const writer = await api.db.pool.connect();
  await writer.query('begin');
  await writer.query('update market_schedule set depth = depth where market_id = $1', [
    marketIds[2],
  ]);
  const recording = recordTogether(searches);
  const readDays = () => Promise.all(marketIds.map((marketId) => readAll(marketId, [day])));
  const found = new Map([[day, ids]]);
  await expect.poll(readDays, { timeout: 60_000 }).toEqual([found, found, new Map(), found]);
  await writer.query('commit');
  writer.release();
  expect((await recording).map(({ status }) => status)).toEqual(searches.map(() => 'fulfilled'));
  expect(await readDays()).toEqual(searches.map(() => found));
});

it('the last results are read after their month is dropped, and other months stay', async () => {
  const { keywordId, marketId, searched } = await searchDaily('dropped');
  api.clock.set(`${addDays('2026-12-31', 401)}T12:00:00Z`);
  await applyRetention(api.services, AbortSignal.timeout(60_000));
  const kept = new Map([...searched].filter(([day]) => day >= '2027-01-01'));
  expect(await readAll(marketId, [...searched.keys()])).toEqual(kept);
  api.clock.advance(40 * 86_400_000);
  await applyRetention(api.services, AbortSignal.timeout(60_000));
  expect(await chainsOf(marketId)).toEqual([]);
  expect(await readAll(marketId, [...searched.keys()])).toEqual(
    new Map([[lastDay, searched.get(lastDay)!]]),
  );
  const serp = await api.ok(
    'GET /keywords/{keywordId}/serp',
    { params: { keywordId }, query: {} },
    ann,
  );
  expect([serp.date, serp.items.length]).toEqual([lastDay, 50]);
});

/** On the first day on which all months before 2027 are packed. */
async function packAll(): Promise<void> {
  api.clock.set('2027-01-22T12:00:00Z');
  while ((await applyRetention(api.services, AbortSignal.timeout(60_000))) > 0);
}

it('closed months are packed, and every reader returns exactly what was found', async () => {
  const { keywordId, marketId, searched } = await searchDaily('packed');
  const before = await listSerpHistory(api.db.systemDb, {
    marketIds: [marketId],
    from: firstDay,
    to: lastDay,
  });
  const daysOf = async () =>
    (
      await api.ok(
        'GET /keywords/{keywordId}/serp/dates',
        { params: { keywordId }, query: { from: firstDay, to: lastDay } },
        ann,
      )
    ).items;
  api.clock.set(`${lastDay}T12:00:00Z`);
  const listed = await daysOf();
  api.clock.set('2027-01-21T12:00:00Z');
  while ((await applyRetention(api.services, AbortSignal.timeout(60_000))) > 0);
  expect(await chainsOf(marketId)).toHaveLength(
    [...searched.keys()].filter((day) => day >= '2026-12-01').length,
  );
  await packAll();
  expect((await chainsOf(marketId)).map(({ day }) => day)).toEqual(listDays('2027-01-01', lastDay));
  expect(await readAll(marketId, [...searched.keys()])).toEqual(searched);
  expect(await readAll(marketId, ['2026-12-07'])).toEqual(
    new Map([['2026-12-07', searched.get('2026-12-07')]]),
  );
  const range = { marketIds: [marketId], from: firstDay, to: lastDay };
  expect(await listSerpHistory(api.db.systemDb, range)).toEqual(before);
  const [history, spots] = await inSystem(api.services, async (tx) => [
    (await listStoredHistory(tx, range)).get(marketId)!,
    await listStoredRows(tx, { marketIds: [marketId, marketId], dates: [lastDay, '2026-12-20'] }),
  ]);
  expect(history.map(({ date, ids }) => [date, unpackIds(ids)])).toEqual([...searched]);
  expect(spots.map(({ date }) => date)).toEqual(['2026-12-20', lastDay]);
  expect(await daysOf()).toEqual(listed);
});

it('a month that a clock which is ahead packs early loses none of its days', async () => {
  const days = listDays('2044-12-01', '2044-12-12');
  const { marketId, searched } = await searchDaily('packed early', days.slice(0, 5));
  const next = createResults();
  const search = async (day: string) => {
    const ids = next(day);
    searched.set(day, ids);
    await recordMarketSearch(api, { marketId, listingIds: ids, at: `${day}T03:00:00Z` });
  };
  const pack = async () => {
    api.clock.set('2045-01-25T03:00:00Z');
    while ((await applyRetention(api.services, AbortSignal.timeout(60_000))) > 0);
    expect(await chainsOf(marketId)).toEqual([]);
  };
  await pack();
  for (const day of days.slice(5, 8)) await search(day);
  expect(await readAll(marketId, days)).toEqual(searched);
  // The newest results that are left are packed.
  await pack();
  await search(days[8]!);
  await inSystem(api.services, (tx) =>
    retractChecks(tx, {
      marketIds: [marketId],
      day: days[8]!,
      month: monthOf(days[8]!),
      dayIndex: dayIndexInMonth(days[8]!),
      marker: 'withheld',
      isDueAgain: false,
    }),
  );
  searched.delete(days[8]!);
  for (const day of days.slice(9)) await search(day);
  expect(await readAll(marketId, days)).toEqual(searched);
});

it('equal lists of several markets and providers are those of their own days', async () => {
  const [one, other] = [await follow(api, ann, 'equal one'), await follow(api, ann, 'equal two')];
  const [same, changed] = [packIds(listingIds.slice(0, 30)), packIds(listingIds.slice(1, 31))];
  // A copy of the whole base: thirty ids, from its first position on.
  const copy = Buffer.of(30, 0, 30);
  const rows = [
    [other.marketId, '2027-02-03', 200, 'depth', 'second', changed, null],
    [one.marketId, '2027-02-04', 30, 'exhausted', 'first', same, null],
    [one.marketId, '2027-02-03', 200, 'depth', 'second', copy, '2027-02-02'],
    [one.marketId, '2027-02-02', 200, 'depth', 'first', same, null],
    [other.marketId, '2027-02-02', 200, 'depth', 'first', same, null],
    [other.marketId, '2027-02-04', 200, 'depth', 'second', copy, '2027-02-03'],
  ];
  for (const row of rows)
    await api.db.pool.query(
      `insert into serps (market_id, on_date, depth, result_count, ended, provider, ids, whole_on,
         strengths) values ($1, $2, $3, 180, $4, $5, $6, $7, $8)`,
      // Of no result; a difference begins with their number.
      [...row, row.at(-1) === null ? '' : Buffer.of(0)],
    );
  const marketIds = [one.marketId, other.marketId];
  const range = { marketIds, from: '2027-02-02', to: '2027-02-04' };
  const history = await inSystem(api.services, (tx) => listStoredHistory(tx, range));
  const seen = ({ marketId }: { marketId: number }) =>
    history
      .get(marketId)!
      .map((row) => [row.date, row.depth, row.isExhausted, row.provider, row.ids]);
  expect(history.size).toBe(2);
  expect(seen(one)).toEqual([
    ['2027-02-02', 200, false, 'first', same],
    ['2027-02-03', 200, false, 'second', same],
    ['2027-02-04', 30, true, 'first', same],
  ]);
  expect(seen(other)).toEqual([
    ['2027-02-02', 200, false, 'first', same],
    ['2027-02-03', 200, false, 'second', changed],
    ['2027-02-04', 200, false, 'second', changed],
  ]);
  expect(history.get(one.marketId)!.every((row) => row.resultCount === 180)).toBe(true);
  const later = await inSystem(api.services, (tx) =>
    listStoredHistory(tx, { ...range, from: '2027-02-03' }),
  );
  expect(later.get(other.marketId)).toEqual(history.get(other.marketId)!.slice(1));
});

it('a short result of a packed day keeps its number, and a later day joins the month', async () => {
  api.clock.set('2026-10-01T02:00:00Z');
  const { keywordId, marketId } = await follow(api, ann, 'packed short');
  const found = new Map<string, number[]>();
  for (const [at, day] of ['2026-10-01', '2026-10-30', '2026-10-31'].entries()) {
    found.set(day, listingIds.slice(at, at + 12));
    await recordMarketSearch(api, {
      marketId,
      listingIds: found.get(day)!,
      at: `${day}T03:00:00Z`,
    });
  }
  await packAll();
  expect(await chainsOf(marketId)).toEqual([]);
  const countsOf = async () =>
    (
      await api.ok(
        'GET /keywords/{keywordId}/rankings',
        { params: { keywordId }, query: { from: '2026-10-01', to: '2026-10-31' } },
        ann,
      )
    ).items.map((item) => [item.date, 'resultCount' in item ? item.resultCount : undefined]);
  const counts = [...found.keys()].map((day) => [day, 12]);
  expect(await countsOf()).toEqual(counts.toReversed());
  const late = '2026-10-15';
  found.set(late, listingIds.slice(70, 120));
  await inSystem(api.services, (tx) =>
    insertPastSerp(tx, {
      marketId,
      date: late,
      depth: 200,
      resultCount: 50,
      ended: 'exhausted',
      provider: 'web',
      language: null,
      ids: packIds(found.get(late)!),
      strengths: Buffer.alloc(0),
      ads: null,
    }),
  );
  const sorted = new Map([...found].toSorted());
  expect(await readAll(marketId, [...found.keys()])).toEqual(sorted);
  await packAll();
  expect(await chainsOf(marketId)).toEqual([]);
  expect(await readAll(marketId, [...found.keys()])).toEqual(sorted);
});

it('a retracted day brings back the packed results before it', async () => {
  const { marketId, searched } = await searchDaily(
    'packed before',
    listDays(firstDay, '2026-12-31'),
  );
  await packAll();
  const day = '2027-01-22';
  await recordMarketSearch(api, { marketId, listingIds, at: `${day}T03:00:00Z` });
  await inSystem(api.services, (tx) =>
    retractChecks(tx, {
      marketIds: [marketId],
      day,
      month: monthOf(day),
      dayIndex: dayIndexInMonth(day),
      marker: 'withheld',
      isDueAgain: true,
    }),
  );
  const before = await findMarketToCheck(api.db.systemDb, marketId, day);
  expect(unpackIds(before!.lastSerp!.ids)).toEqual(searched.get('2026-12-31'));
  const { rows } = await api.db.pool.query<{ day: string; results: number }>(
    `select checked_on::text as day, usual_results as results from market_schedule
     where market_id = $1`,
    [marketId],
  );
  expect(rows).toEqual([{ day: '2026-12-31', results: 50 }]);
  expect(await readAll(marketId, [...searched.keys(), day])).toEqual(searched);
});

it('results of days without any are inserted into chains, and the chains go on', async () => {
  const missing = ['2026-12-04', '2026-12-20', '2027-01-04'];
  const days = listDays('2026-12-01', lastDay).filter((day) => !missing.includes(day));
  const { marketId, searched } = await searchDaily('inserted', days);
  const insert = async (date: string, ids: number[]) => {
    await inSystem(api.services, (tx) =>
      insertPastSerp(tx, {
        marketId,
        date,
        depth: 200,
        resultCount: ids.length,
        ended: 'exhausted',
        provider: 'web',
        language: null,
        ids: packIds(ids),
        strengths: Buffer.alloc(0),
        ads: null,
      }),
    );
    searched.set(date, ids);
  };
  for (const [at, day] of missing.entries())
    await insert(day, listingIds.slice(at * 20, at * 20 + 50));
  const readDays = async () => readAll(marketId, [...searched.keys()]);
  expect(await readDays()).toEqual(searched);
  const later = [1, 2].map((count) => addDays(lastDay, count));
  for (const [at, day] of later.entries()) {
    const ids = listingIds.slice(at, at + 50);
    await recordMarketSearch(api, { marketId, listingIds: ids, at: `${day}T03:00:00Z` });
    searched.set(day, ids);
  }
  expect(await readDays()).toEqual(searched);
  await insert(addDays(lastDay, 5), listingIds.slice(60, 110));
  const next = addDays(lastDay, 6);
  const ids = listingIds.slice(61, 111);
  await recordMarketSearch(api, { marketId, listingIds: ids, at: `${next}T03:00:00Z` });
  searched.set(next, ids);
  expect(await readDays()).toEqual(searched);
});

const scale = process.env.TORTURE
  ? { markets: 6, days: 900, keepDays: 400 }
  : { markets: 2, days: 75, keepDays: 31 };
const seed = Number(process.env.TORTURE_SEED ?? (process.env.TORTURE ? Date.now() % 1e9 : 41)) + 1;

/** What should be stored of a market. */
interface ExpectedMarket {
  marketId: number;
  listingId: number;
  results: Map<string, number[]>;
  positions: Map<string, number | null>;
}

async function followExpected(phrase: string): Promise<ExpectedMarket> {
  const { marketId } = await follow(api, ann, phrase);
  const { rows } = await api.db.pool.query<{ id: number }>(
    `select a.listing_id as id from keywords k join apps a on a.id = k.app_id
     where k.market_id = $1`,
    [marketId],
  );
  return { marketId, listingId: rows[0]!.id, results: new Map(), positions: new Map() };
}

async function searchExpected(market: ExpectedMarket, at: string, found: number[]): Promise<void> {
  const day = at.slice(0, 10);
  await recordMarketSearch(api, { marketId: market.marketId, listingIds: found, at });
  market.results.set(day, found.slice(0, 50));
  const index = found.indexOf(market.listingId);
  market.positions.set(day, index === -1 ? null : index + 1);
}

async function retractExpected(market: ExpectedMarket, day: string, today: string) {
  if (!market.positions.has(day)) return;
  await inSystem(api.services, (tx) =>
    retractChecks(tx, {
      marketIds: [market.marketId],
      day,
      month: monthOf(day),
      dayIndex: dayIndexInMonth(day),
      marker: 'withheld',
      isDueAgain: day === today,
    }),
  );
  market.results.delete(day);
  market.positions.delete(day);
}

/** Deletes all whose period is over; the last results stay. */
async function applyExpected(markets: readonly ExpectedMarket[], today: string): Promise<void> {
  while ((await applyRetention(api.services, AbortSignal.timeout(60_000))) > 0);
  const firstMonth = monthOf(addDays(today, -scale.keepDays));
  for (const { results } of markets)
    for (const day of [...results.keys()].toSorted().slice(0, -1))
      if (monthOf(day) < firstMonth) results.delete(day);
}

/** The differences between what is stored of a market and what should be. */
async function compareExpected({ marketId, listingId, results, positions }: ExpectedMarket) {
  const { rows } = await api.db.pool.query<{ day: string; position: number | null }>(
    `select date::text as day, position from rankings
     where market_id = $1 and listing_id = $2 order by date`,
    [marketId, listingId],
  );
  expect(new Map(rows.map(({ day, position }) => [day, position]))).toEqual(positions);
  const read = await readAll(marketId, [...positions.keys()]);
  expect(read).toEqual(new Map([...results].toSorted()));
  return read.size + rows.length;
}

it(`${scale.days} days of retention and retractions leave exactly what is kept`, async () => {
  const random = createRandom(seed);
  const { settings } = api.services;
  const before = settings.keepDays;
  settings.keepDays = { ...before, serps: scale.keepDays };
  const cleanUp = async () => (settings.keepDays = before);
  const begin = '2052-02-01';
  api.clock.set(`${begin}T00:30:00Z`);
  const markets: ExpectedMarket[] = [];
  for (let number = 0; number < scale.markets; number += 1)
    markets.push(await followExpected(`kept for ever ${number}`));
  const nextOf = new Map(markets.map((market) => [market, createResults()]));
  let [compared, retracted, dropped] = [0, 0, 0];
  const days = listDays(begin, addDays(begin, scale.days - 1));
  const part = { name: 'days of retention', total: days.length, limitMs: 480_000, cleanUp };
  await trackProgress(part, async ({ add }) => {
    for (const [index, day] of days.entries()) {
      api.clock.set(`${day}T20:00:00Z`);
      for (const market of markets) {
        const found = nextOf.get(market)!(day);
        if (random(3) > 0) found.splice(random(50), 0, market.listingId);
        if (random(10) > 0) await searchExpected(market, `${day}T03:00:00Z`, found);
        if (random(8) > 0) continue;
        const past = addDays(day, -random(20));
        retracted += Number(market.positions.has(past) && market.results.has(past));
        if (market.results.has(past)) await retractExpected(market, past, day);
      }
      // At first and for half a year nobody creates partitions, and rows of months without one
      // are written.
      const isStopped = index < 20 || index % 300 > 120;
      if (!isStopped && random(4) === 0) {
        const stored = markets.reduce((sum, { results }) => sum + results.size, 0);
        await applyExpected(markets, day);
        dropped += stored - markets.reduce((sum, { results }) => sum + results.size, 0);
      }
      if (index % 25 === 24)
        for (const market of markets) compared += await compareExpected(market);
      add();
    }
    api.clock.set(`${days.at(-1)!}T21:00:00Z`);
    await applyExpected(markets, days.at(-1)!);
    for (const market of markets) compared += await compareExpected(market);
  });
  reportFigures(26, {
    days: days.length,
    markets: markets.length,
    'retracted days': retracted,
    'results deleted by retention': dropped,
    'rows compared': compared,
    seed: seed - 1,
  });
  expect([retracted > 0, dropped > 0]).toEqual([true, true]);
}, 540_000);
