import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays } from '#lib/dates.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { seedHistory, type History } from '../harness/history.ts';
import { keepOrder } from '../harness/keep-order.ts';

keepOrder('the last test begins a run, which the tests before it must not see');

const lastDay = '2026-11-21';

let api: TestApi;
let ann: Account;
let past: History;

beforeAll(async () => {
  api = await startApi();
  ann = await api.signUp();
  past = await seedHistory(api.db.pool, {
    workspaceId: ann.workspaceId,
    apps: 1,
    markets: 48,
    days: 40,
    lastDay,
  });
});
afterAll(() => api.close());

const overview = (query: object = {}) =>
  api.ok('GET /apps/{id}/overview', { params: { id: past.appIds[0]! }, query }, ann);

test('the overview counts the newest positions and changes of a day, week and month', async () => {
  const truths = past.keywords.map((keyword) => past.groundTruthOf(keyword, lastDay)!);
  const positions = truths.flatMap((truth) => truth.position ?? []);
  const seen = await overview();
  const within = (limit: number) => positions.filter((position) => position <= limit).length;
  expect(seen).toMatchObject({
    appId: past.appIds[0],
    country: null,
    date: lastDay,
    tracked: 48,
    ranked: positions.length,
    notFound: 48 - positions.length,
    notChecked: 0,
    top1: within(1),
    top3: within(3),
    top10: within(10),
    top50: within(50),
    openActions: 0,
    lastRun: null,
  });
  expect(seen.averagePosition).toBeCloseTo(
    positions.reduce((sum, position) => sum + position, 0) / positions.length,
    2,
  );
  expect(seen.lastCheckedAt).toBe(
    new Date(
      Date.parse(`${lastDay}T00:00:00Z`) +
        Math.max(...truths.map((truth) => truth.seconds)) * 1_000,
    ).toISOString(),
  );
  for (const [span, days] of [
    ['days1', 1],
    ['days7', 7],
    ['days30', 30],
  ] as const) {
    const pairs = past.keywords.map(
      (keyword) =>
        [
          past.groundTruthOf(keyword, addDays(lastDay, -days))!,
          past.groundTruthOf(keyword, lastDay)!,
        ] as const,
    );
    const both = pairs.flatMap(([from, to]) =>
      from.position === null || to.position === null ? [] : [from.position - to.position],
    );
    const move = seen.movers[span];
    expect(move).toMatchObject({
      gained: both.filter((change) => change > 0).length,
      lost: both.filter((change) => change < 0).length,
    });
    expect(move.gained + move.lost + move.unchanged + move.entered + move.left).toBe(
      move.comparable,
    );
  }
});

test('an average of nothing is null, and the run is given if there was one', async () => {
  await api.db.pool.query(
    `insert into runs (date, opened_at, state) values ($1, now(), 'running')`,
    [lastDay],
  );
  const seen = await overview({ country: 'zz' });
  expect(seen).toMatchObject({
    tracked: 0,
    ranked: 0,
    averagePosition: null,
    lastCheckedAt: null,
    lastRun: { date: lastDay, state: 'running' },
  });
  const all = await Promise.all(
    ['us', 'de', 'jp', 'gb', 'fr', 'br'].map((country) => overview({ country })),
  );
  expect(all.reduce((sum, one) => sum + one.tracked, 0)).toBe(48);
});

test('the overview ignores positions older than three days and paused keywords', async () => {
  const before = await overview();
  await api.db.pool.query('update keywords set latest_on = $2 where id = $1', [
    past.keywords[0]!.id,
    addDays(lastDay, -4),
  ]);
  await api.db.pool.query('update keywords set paused = true where id = $1', [
    past.keywords[1]!.id,
  ]);
  expect(await overview()).toMatchObject({ tracked: before.tracked - 1, notChecked: 1 });
});

test('the balance leaves out keywords whose latest check is older than three days', async () => {
  const { movers } = await overview({ country: 'de' });
  expect(movers.days1.comparable).toBeGreaterThan(0);
  const moveNewest = (days: number) =>
    api.db.pool.query(
      `update keywords set latest_on = latest_on + $2::int where app_id = $1 and country = 'de'`,
      [past.appIds[0], days],
    );
  await moveNewest(-4);
  const none = { gained: 0, lost: 0, unchanged: 0, entered: 0, left: 0, comparable: 0 };
  expect(await overview({ country: 'de' })).toMatchObject({
    ranked: 0,
    movers: { days1: none, days7: none, days30: none },
  });
  await moveNewest(4);
  expect((await overview({ country: 'de' })).movers).toEqual(movers);
});

test('the overview says how many of its positions are not of the newest day', async () => {
  expect((await overview()).newestCheck).toEqual({ date: lastDay, older: 0 });
  await api.db.pool.query('update keywords set latest_on = $2 where id = any($1)', [
    past.keywords.slice(2, 7).map(({ id }) => id),
    addDays(lastDay, -2),
  ]);
  expect((await overview()).newestCheck).toEqual({ date: lastDay, older: 5 });
  expect((await overview({ country: 'zz' })).newestCheck).toBeNull();
});

test('the markets count ranked keywords as the overview does, without paused ones', async () => {
  const read = async () => {
    const params = { id: past.appIds[0]! };
    const { items } = await api.ok('GET /apps/{id}/markets', { params }, ann);
    const ranked = items.reduce((sum, row) => sum + row.ranked, 0);
    expect(ranked).toBe((await overview()).ranked);
    expect(ranked).toBe(
      (await api.ok('GET /apps', { query: { include: 'summary' } }, ann)).items[0]!.counts!.ranked,
    );
    return { ranked, best: items.find(({ country }) => country === 'us')!.best! };
  };
  const before = await read();
  const { rowCount } = await api.db.pool.query(
    `update keywords set paused = true where app_id = $1 and country = 'us' and not paused
       and latest_position = $2`,
    [past.appIds[0], before.best],
  );
  const after = await read();
  expect(after.ranked).toBe(before.ranked - rowCount!);
  expect(after.best).toBeGreaterThan(before.best);
  await api.db.pool.query(
    `update keywords set paused = false where app_id = $1 and country = 'us'
       and latest_position = $2`,
    [past.appIds[0], before.best],
  );
});

test('the markets have their cost, no more than the keyword’s own depth', async () => {
  const { items } = await api.ok(
    'GET /apps/{id}/markets',
    { params: { id: past.appIds[0]! } },
    ann,
  );
  expect(items.map((row) => row.country)).toEqual(['br', 'de', 'fr', 'gb', 'jp', 'us']);
  expect(items.reduce((sum, row) => sum + row.keywords, 0)).toBe(48);
  expect(items.reduce((sum, row) => sum + row.searchesPerDay, 0)).toBe(47);
  expect(items.every((row) => row.requestsPerDay === row.searchesPerDay)).toBe(true);
  const android = await seedHistory(api.db.pool, {
    workspaceId: ann.workspaceId,
    apps: 1,
    markets: 6,
    days: 2,
    lastDay,
  });
  await api.db.pool.query(`update markets set store = 'android' where id = any($1)`, [
    android.keywords.map((keyword) => keyword.marketId),
  ]);
  await api.db.pool.query('update keywords set depth = 60 where app_id = $1', [android.appIds[0]]);
  const cost = async () =>
    (await api.ok('GET /apps/{id}/markets', { params: { id: android.appIds[0]! } }, ann)).items.map(
      (row) => row.requestsPerDay,
    );
  await api.db.pool.query(
    'update market_schedule set usual_requests = 8 where market_id = any($1)',
    [android.keywords.map((keyword) => keyword.marketId)],
  );
  expect(await cost()).toEqual(Array.from({ length: 6 }, () => 3));
  await api.db.pool.query(
    'update market_schedule set usual_requests = 2.5 where market_id = any($1)',
    [android.keywords.map((keyword) => keyword.marketId)],
  );
  expect(await cost()).toEqual(Array.from({ length: 6 }, () => 2.5));
  await api.db.pool.query(
    'update keywords set latest_on = null, latest_position = null, latest_depth = null, ' +
      'latest_at = null where app_id = $1',
    [android.appIds[0]],
  );
  expect(await cost()).toEqual(Array.from({ length: 6 }, () => 3));
});

test('the markets of an archived app cost nothing', async () => {
  const params = { id: past.appIds[0]! };
  const read = async () => (await api.ok('GET /apps/{id}/markets', { params }, ann)).items;
  const archive = (archived: boolean) =>
    api.ok('PATCH /apps/{id}', { params, body: { archived } }, ann);
  const before = await read();
  expect(before.some((row) => row.requestsPerDay > 0)).toBe(true);
  await archive(true);
  expect(await read()).toEqual(
    before.map((row) => ({ ...row, searchesPerDay: 0, requestsPerDay: 0 })),
  );
  await archive(false);
  expect(await read()).toEqual(before);
});
