import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays } from '#lib/dates.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { keepOrder } from '../harness/keep-order.ts';
import { startPipeline, type Pipeline, type TrackedMarket } from '../harness/pipeline.ts';

keepOrder('the tests read one day after another of the same app');

const first = '2026-05-10';
const second = addDays(first, 1);
const phrases = [
  'habit tracker',
  'mood journal',
  'daily planner',
  'habit',
  'journal',
  'focus timer',
];
let pipeline: Pipeline;
let api: TestApi;
let ann: Account;
let tracked: TrackedMarket[];
let appId: number;
let competitor: string;

const truth = (market: TrackedMarket, storeAppId: string, day: string) =>
  pipeline.simulator.groundTruth({
    store: 'ios',
    phrase: market.phrase,
    country: market.country,
    storeAppId,
    day,
  }).position;

beforeAll(async () => {
  pipeline = await startPipeline({ day: first, simulator: { world: { apps: 1_500 } } });
  tracked = await pipeline.track(
    { store: 'ios', storeAppId: '1500000001' },
    phrases.map((phrase, index) => ({ phrase, country: index % 2 ? 'de' : 'us' })),
  );
  const { rows } = await pipeline.db.pool.query('select id, workspace_id from apps');
  appId = rows[0].id;
  const { stores } = pipeline.runtime.services;
  api = await startApi({ db: pipeline.db, clock: pipeline.clock, stores });
  ann = await api.signUp({ workspaceId: rows[0].workspace_id });
  // A person who tracks too deep for the stored results, in a market of the app's primary country.
  const response = await stores.ios.search(
    { provider: 'web', phrase: phrases[0]!, country: 'us', device: 'iphone', depth: 200 },
    { signal: AbortSignal.timeout(10_000), lane: 'run' },
  );
  competitor = response.items[90]!.storeAppId;
});
afterAll(async () => {
  await api.close();
  await pipeline.close();
});

const cells = async (id: number) =>
  (
    await api.ok(
      'GET /apps/{id}/competitors/{cid}/rankings',
      { params: { id: appId, cid: id }, query: { from: first, to: second } },
      ann,
    )
  ).items;

test('a competitor has stored positions at once and later full depth, for no search', async () => {
  await pipeline.runDay(first);
  const added = await api.ok(
    'POST /apps/{id}/competitors',
    { params: { id: appId }, body: { storeAppId: competitor } },
    ann,
  );
  const { id } = added.competitor;
  const past = await cells(id);
  expect(past).toHaveLength(phrases.length);
  for (const market of tracked) {
    const cell = past.find((one) => 'keywordId' in one && one.keywordId === market.keywordId)!;
    const position = truth(market, competitor, first);
    expect(cell).toMatchObject({
      date: first,
      position: position !== null && position <= 50 ? position : null,
    });
    expect(cell.depth).toBeLessThanOrEqual(200);
    if (position !== null && position > 50) expect(cell.depth).toBe(50);
  }

  pipeline.simulator.clearLog();
  await pipeline.runDay(second);
  const present = (await cells(id)).filter((cell) => cell.date === second);
  expect(present.map((cell) => cell.position)).toEqual(
    present.map((cell) => {
      const position = truth(
        tracked.find((market) => market.keywordId === cell.keywordId)!,
        competitor,
        second,
      );
      return position !== null && position <= cell.depth ? position : null;
    }),
  );
  expect(present.map((cell) => cell.depth)).toEqual(phrases.map(() => 200));
  expect(present.some((cell) => cell.position !== null && cell.position > 50)).toBe(true);
  const searches = pipeline.simulator.log().filter((entry) => entry.kind === 'search');
  // Both providers are probed.
  expect(new Set(searches.map((entry) => entry.path)).size).toBe(phrases.length + 2);
});

test('the app’s own newest positions are unchanged', async () => {
  const { items } = await api.ok('GET /rankings/latest', { query: {} }, ann);
  for (const market of tracked) {
    const position = truth(market, '1500000001', second);
    expect(items.find((item) => item.keywordId === market.keywordId)!.latest).toMatchObject({
      date: second,
      depth: 200,
      position: position !== null && position <= 200 ? position : null,
    });
  }
});

test('the competitor’s listing was fetched in every country of the app', async () => {
  const { rows } = await pipeline.db.pool.query(
    'select d.country, d.on_date::text as day from listing_days d join listings l on l.id = ' +
      'd.listing_id where l.store_app_id = $1 order by 2, 1',
    [competitor],
  );
  expect(rows.filter((row) => row.day === second)).toEqual([
    { country: 'de', day: second },
    { country: 'us', day: second },
  ]);
  const { items } = await api.ok(
    'GET /apps/{id}/compare',
    { params: { id: appId }, query: { country: 'de' } },
    ann,
  );
  expect(items.map((item) => item.snapshot?.country)).toEqual(['de', 'de']);
});
