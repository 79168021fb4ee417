import { afterAll, beforeAll, expect, test } from 'vitest';
import { findRun } from '#db/queries/runs/runs.ts';
import { addDays } from '#lib/dates.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { keepOrder } from '../harness/keep-order.ts';
import { startPipeline, type Pipeline } from '../harness/pipeline.ts';

keepOrder('the tests are the days of one run after another');

const day = '2026-05-10';
let pipeline: Pipeline;
let api: TestApi;
let me: Account;

beforeAll(async () => {
  pipeline = await startPipeline({
    day,
    simulator: { world: { apps: 300, resultsPerSearch: 60, androidMode: 'web30' } },
  });
  api = await startApi({
    db: pipeline.db,
    clock: pipeline.clock,
    stores: pipeline.runtime.services.stores,
  });
  me = await api.signUp();
});
afterAll(async () => {
  await api.close();
  await pipeline.close();
});

async function addApp(
  store: 'ios' | 'android',
  storeAppId: string,
  countries: string[],
): Promise<number> {
  const { app } = await api.ok(
    'POST /apps',
    { body: { store, storeAppId, lookupCountry: countries[0]! } },
    me,
  );
  await api.ok(
    'POST /apps/{id}/keywords',
    { params: { id: app.id }, body: { phrases: [`habits of ${app.id}`], countries } },
    me,
  );
  return app.id;
}

/** The app's feeds, pages, charts and hints without a result of the day, by kind. */
async function unread(appId: number, on: string): Promise<string[]> {
  const { rows } = await pipeline.db.pool.query<{ kind: string }>(
    `select distinct c.kind from apps a join store_tasks c on c.active and c.read_on is distinct
       from $2::date
       and (exists (select from store_task_demand d
         where d.store_task_id = c.id and d.listing_id = a.listing_id)
         or c.market_id in (select market_id from keywords k where k.app_id = a.id))
     where a.id = $1 order by 1`,
    [appId, on],
  );
  return rows.map((row) => row.kind);
}

const charted = (store: 'ios' | 'android', position: number) =>
  pipeline.simulator.chart({ store, country: 'us', chart: 'free', category: null, day })[
    position - 1
  ]!;

const isOpen = async (date: string) =>
  (await findRun(pipeline.runtime.services.systemDb, date))?.finishedAt === null;

async function finish(date: string): Promise<void> {
  for (let ticks = 0; ticks < 200 && (await isOpen(date)); ticks += 1)
    await pipeline.runUntilIdle();
  expect(await isOpen(date)).toBe(false);
}

async function show(appId: number, on: string) {
  const range = { from: on, to: on };
  const reviews = await api.ok('GET /apps/{id}/reviews', { params: { id: appId }, query: {} }, me);
  const ranks = await api.ok(
    'GET /apps/{id}/category-ranks',
    { params: { id: appId }, query: { ...range, limit: 500 } },
    me,
  );
  return {
    reviews: reviews.items.length,
    charts: new Set(
      ranks.items.map(({ country, category }) => `${country} ${category?.id ?? 'all'}`),
    ).size,
  };
}

test('an app added in an open run joins it with feeds, pages, charts and hints', async () => {
  await addApp('ios', '1500000001', ['us']);
  pipeline.clock.set(`${day}T02:00:00Z`);
  await pipeline.tick();
  expect(await isOpen(day)).toBe(true);
  const [ios, android] = [
    await addApp('ios', charted('ios', 60), ['us', 'de']),
    await addApp('android', 'app.lumen.habits', ['fr']),
  ];
  expect(await unread(ios, day)).toEqual(['chart', 'hints', 'page', 'reviews']);
  await finish(day);
  for (const id of [ios, android]) expect(await unread(id, day)).toEqual([]);
  expect(await show(ios, day)).toEqual({ reviews: expect.any(Number), charts: 4 });
  expect((await show(android, day)).reviews).toBeGreaterThan(0);
});

test('an app added after the run waits for the next one, unless a check is requested', async () => {
  const [patient, urgent] = [
    await addApp('ios', charted('ios', 61), ['us', 'nl']),
    await addApp('android', charted('android', 60), ['us']),
  ];
  await pipeline.runUntilIdle();
  expect(await isOpen(day)).toBe(false);
  expect(await unread(patient, day)).toEqual(['chart', 'hints', 'page', 'reviews']);
  const { job } = await api.ok('POST /apps/{id}/run-daily', { params: { id: urgent } }, me);
  const state = async () =>
    (await api.ok('GET /jobs/{jobId}', { params: { jobId: job.id } }, me)).state;
  for (let ticks = 0; ticks < 200 && ['queued', 'running'].includes(await state()); ticks += 1)
    await pipeline.runUntilIdle();
  expect(await state()).toBe('succeeded');
  expect(await unread(urgent, day)).toEqual(['hints']);
  expect(await show(urgent, day)).toEqual({ reviews: expect.any(Number), charts: 2 });
  expect((await show(urgent, day)).reviews).toBeGreaterThan(0);
  // Nobody requested the other.
  expect(await unread(patient, day)).toEqual(['chart', 'hints', 'page', 'reviews']);
  await pipeline.runDay(addDays(day, 1));
  expect(await unread(patient, addDays(day, 1))).toEqual([]);
});

test('an app restored after the run is checked that day, even if nobody else was', async () => {
  const today = addDays(day, 2);
  const mine = await addApp('ios', charted('ios', 62), ['us', 'de']);
  await api.ok(
    'POST /apps/{id}/keywords',
    { params: { id: mine }, body: { phrases: ['brought back'], countries: ['us', 'de'] } },
    me,
  );
  const other = await api.signUp();
  const { app } = await api.ok(
    'POST /apps',
    { body: { store: 'ios', storeAppId: charted('ios', 63), lookupCountry: 'us' } },
    other,
  );
  await api.ok(
    'POST /apps/{id}/keywords',
    { params: { id: app.id }, body: { phrases: ['brought back'], countries: ['us'] } },
    other,
  );
  await pipeline.runUntilIdle();
  await api.ok('DELETE /apps/{id}', { params: { id: mine } }, me);
  await pipeline.runDay(today);
  expect(await isOpen(today)).toBe(false);
  await api.ok('POST /apps/{id}/restore', { params: { id: mine } }, me);
  const outcomes = async () => {
    const query = { from: today, to: today, fill: 'gaps' as const };
    return (await api.ok('GET /apps/{id}/rankings', { params: { id: mine }, query }, me)).items.map(
      (item) => item.state,
    );
  };
  // The one that somebody else had searched waits as well.
  expect(await outcomes()).toEqual(Array(4).fill('not_checked'));
  await pipeline.runUntilIdle();
  expect((await outcomes()).filter((state) => state === 'not_checked')).toEqual([]);
  expect((await api.ok('GET /runs/{date}', { params: { date: today } }, me)).gaps.not_yet_run).toBe(
    0,
  );
});
