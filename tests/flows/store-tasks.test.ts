import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listStoreTasksOfApp } from '#db/queries/store-tasks/store-tasks.ts';
import { getCategoryRanks } from '#domain/tracking/charts/get-category-ranks.ts';
import { readPage } from '#domain/scheduling/store-tasks/fetch-page.ts';
import { runStoreTask } from '#domain/scheduling/store-tasks/run-store-task.ts';
import { readHints } from '#domain/insights/scores/read-hints.ts';
import { readChart } from '#domain/tracking/charts/fetch-chart.ts';
import { acceptRunDaily } from '#domain/base/jobs/accept-job.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { storeTaskKinds } from '#domain/base/ports.ts';
import { getRun } from '#domain/scheduling/runs/list-runs.ts';
import { addDays } from '#lib/dates.ts';
import { readerOf } from '../harness/history.ts';
import { keepOrder } from '../harness/keep-order.ts';
import { startPipeline, type Pipeline } from '../harness/pipeline.ts';
import { makePhrases } from '../harness/ground-truth.ts';
import { storeOptions } from '../harness/background-work.ts';

keepOrder('the tests are the days of one pipeline');

const day = '2026-05-10';
const phrases = makePhrases(4);
const [ios, android] = [
  { store: 'ios', storeAppId: '1500000001' },
  { store: 'android', storeAppId: 'app.lumen.habits' },
] as const;
let pipeline: Pipeline;

const rows = async <T>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await pipeline.db.pool.query(text, values)).rows as T[];
const asked = (kind: string) => pipeline.simulator.log().filter((entry) => entry.kind === kind);
const setDay = (to: string) => {
  pipeline.clock.set(`${to}T02:00:00Z`);
  pipeline.simulator.setNow(pipeline.clock.now());
  pipeline.simulator.clearLog();
};
/** The workspace that was created first, as it reads. */
const reader = async (): Promise<Ctx> => {
  const [first] = await rows<{ id: number }>('select min(workspace_id) as id from apps');
  return readerOf(pipeline.db, first!.id, pipeline.clock.now().toISOString());
};

beforeAll(async () => {
  pipeline = await startPipeline({
    day,
    simulator: { world: { apps: 300, resultsPerSearch: 60, androidMode: 'web30' } },
  });
  await pipeline.db.pool.query(`alter table workspaces alter created_at set default '2026-05-01'`);
  // Two workspaces with the same apps in the same countries.
  for (let times = 0; times < 2; times += 1) {
    await pipeline.track(ios, phrases);
    await pipeline.track(android, phrases);
  }
});
afterAll(() => pipeline.close());

describe('a day of store tasks', () => {
  test('fetches each feed, page and chart once, however many workspaces track it', async () => {
    await pipeline.runDay(day);
    await pipeline.runDay(addDays(day, 1));
    setDay(addDays(day, 2));
    await pipeline.runDay(addDays(day, 2));
    expect(asked('app-page')).toHaveLength(4);
    expect(asked('reviews')).toHaveLength(8);
    const charts = asked('chart').filter((entry) => entry.store === 'ios');
    expect(new Set(charts.map((entry) => entry.path)).size).toBe(charts.length);
    // Free and grossing of all apps and of the category, in four countries.
    expect(charts).toHaveLength(16);
    expect(
      await rows(
        `select 1 from store_tasks where kind <> 'hints' and active and read_on is distinct
           from $1`,
        [addDays(day, 2)],
      ),
    ).toEqual([]);
  });

  test('stores the app’s true position in each chart', async () => {
    const { items } = await getCategoryRanks(
      await reader(),
      (await rows<{ id: number }>('select min(id) as id from apps'))[0]!.id,
      { limit: 500 },
    );
    const today = items.filter((item) => item.date === addDays(day, 2));
    expect(today).toHaveLength(16);
    for (const { country, category, chart, ...cell } of today) {
      const order = pipeline.simulator.chart({
        store: 'ios',
        country,
        chart,
        category: category?.id ?? null,
        day: addDays(day, 2),
      });
      const position = order.slice(0, 200).indexOf(ios.storeAppId) + 1;
      expect(cell).toMatchObject({
        position: position || null,
        depth: Math.min(200, order.length),
        state: position ? 'ranked' : 'not_found',
      });
    }
    expect(today.some((item) => item.category?.id === '6013')).toBe(true);
  });

  test('stores star counts and subtitle of the page; the first subtitle is no change', async () => {
    const stars = await rows<{ histogram: number[]; rating_count: number }>(
      'select histogram, rating_count from rating_days where on_date = $1',
      [day],
    );
    expect(stars).toHaveLength(4);
    for (const { histogram, rating_count } of stars)
      expect(histogram.reduce((sum, count) => sum + count, 0)).toBe(rating_count);
    // Texts may change from day to day; a subtitle that was unknown is no change.
    const texts = await rows<{ subtitle: string | null; same: number }>(
      `select s.fields->>'subtitle' as subtitle, count(*) over (partition by country,
         fields - 'subtitle')::int as same
       from snapshots s join listings l on l.id = s.listing_id
         where l.store = 'ios' and l.store_app_id = $1`,
      [ios.storeAppId],
    );
    expect(texts.length).toBeGreaterThanOrEqual(4);
    expect(texts.filter((row) => row.subtitle === null || row.same > 1)).toEqual([]);
  });
});

test('leaves a gap with its reason for a failing chart, and the run can end', async () => {
  const failing = addDays(day, 3);
  setDay(failing);
  pipeline.simulator.setFaults([
    {
      fault: '503',
      probability: 1,
      kind: 'chart',
      store: 'ios',
      path: '/us/rss/topfreeapplications/limit',
    },
  ]);
  await pipeline.runDay(failing);
  pipeline.simulator.setFaults([]);
  const broken = await rows<{ reason: string; marker: string; country: string }>(
    'select g.reason, g.marker, c.country from store_task_gaps g join store_tasks c on c.id = ' +
      'g.store_task_id where g.on_date = $1',
    [failing],
  );
  expect(broken.length).toBeGreaterThan(0);
  expect(
    broken.every(
      (gap) => gap.reason === 'store_error' && gap.marker === '503' && gap.country === 'us',
    ),
  ).toBe(true);
  expect(
    await rows('select 1 from charts t join store_task_gaps g using (store_task_id, on_date)'),
  ).toEqual([]);
  expect(
    await rows(`select 1 from runs where date = $1 and state = 'finished'`, [failing]),
  ).toHaveLength(1);
});

test('that is too short sheds hints, feeds, pages and charts, and still checks', async () => {
  const short = addDays(day, 4);
  await pipeline.db.pool.query(
    `update store_tasks set usual_requests = 1e9 where store = 'ios' and kind = 'chart'`,
  );
  setDay(short);
  const errors: object[] = [];
  const { log } = pipeline.runtime.services;
  pipeline.runtime.services.log = {
    ...log,
    error: (details: object) => errors.push(details),
  } as typeof log;
  await pipeline.runDay(short);
  pipeline.runtime.services.log = log;
  await pipeline.db.pool.query(
    `update store_tasks set usual_requests = 1 where store = 'ios' and kind = 'chart'`,
  );
  const ofIos = pipeline.simulator.log().filter((entry) => entry.store === 'ios');
  expect([...new Set(ofIos.map((entry) => entry.kind))].sort()).toEqual(['lookup', 'search']);
  expect(ofIos.filter((entry) => entry.kind === 'search').length).toBeGreaterThanOrEqual(5);
  // The other store's day is long enough.
  expect(asked('reviews').map((entry) => entry.store)).toEqual([
    'android',
    'android',
    'android',
    'android',
  ]);
  expect(errors).toContainEqual({
    date: short,
    pressure: {
      ios: expect.closeTo(16e9 / (1_000_000 * 22 * 60), 1),
      android: expect.any(Number),
    },
    shed: { ios: expect.arrayContaining(['reviews', 'page', 'chart']) },
  });
  const run = await getRun(await reader(), short);
  expect(run).toMatchObject({
    state: 'finished',
    gaps: { shed: 0 },
    shed: { appRefreshes: 0, reviews: 4, pages: 4, charts: 16 },
  });
  expect(run.pressure.ios).toBeGreaterThan(1);
  expect(
    await rows(`select 1 from store_task_gaps where on_date = $1 and reason <> 'shed'`, [short]),
  ).toEqual([]);
  const { items } = await getCategoryRanks(
    await reader(),
    (await rows<{ id: number }>('select min(id) as id from apps'))[0]!.id,
    {
      limit: 500,
      from: short,
      to: short,
      fill: 'gaps',
    },
  );
  expect(items.map((item) => item.state === 'not_checked' && item.reason)).toEqual(
    Array.from({ length: 16 }, () => 'shed'),
  );
});

test('that is too short still does requested work, and the job says when', async () => {
  const short = addDays(day, 4);
  const ctx = { ...(await reader()), wake: () => {} };
  const [app] = await rows<{ id: number; listing_id: number }>(
    'select id, listing_id from apps order by id limit 1',
  );
  const job = await inTenant(ctx, async (tx) => {
    const storeTaskIds = await listStoreTasksOfApp(tx, ctx.workspaceId, app!.id, storeTaskKinds);
    expect(storeTaskIds).toHaveLength(24);
    return acceptRunDaily(tx, ctx, {
      appId: app!.id,
      listingId: app!.listing_id,
      marketIds: [],
      storeTaskIds,
    });
  });
  pipeline.simulator.clearLog();
  const state = async () =>
    (
      await rows<{ state: string; total: number; done: number }>(
        'select state, total, done from jobs where id = $1',
        [job.id],
      )
    )[0]!;
  // The listing was read in its four countries.
  expect(await state()).toEqual({ state: 'queued', total: 28, done: 4 });
  for (let ticks = 0; ticks < 200 && (await state()).state !== 'succeeded'; ticks += 1) {
    await pipeline.tick();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await state()).toEqual({ state: 'succeeded', total: 28, done: 28 });
  expect(asked('chart')).toHaveLength(16);
  expect(
    await rows(
      'select 1 from store_task_gaps g join store_tasks c on c.id = g.store_task_id where ' +
        "c.store = 'ios' and g.on_date = $1",
      [short],
    ),
  ).toEqual([]);
  expect(await rows('select 1 from store_tasks where urgent_at is not null')).toEqual([]);
});

test('sends none to a store that fails its probe', async () => {
  const degraded = addDays(day, 5);
  setDay(degraded);
  pipeline.simulator.setFaults([{ fault: 'no-results', probability: 1, store: 'ios' }]);
  for (let ticks = 0; ticks < 2_000; ticks += 1) {
    await pipeline.tick();
    const android_ = await rows(
      `select 1 from store_tasks where store = 'android' and kind <> 'hints' and active and ` +
        'read_on is distinct from $1',
      [degraded],
    );
    if (android_.length === 0) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect([
    ...new Set(
      pipeline.simulator
        .log()
        .filter((entry) => entry.store === 'ios')
        .map((entry) => entry.kind),
    ),
  ]).toEqual(['search']);
  expect(
    await rows(
      `select 1 from store_probes where store = 'ios' and date = $1 and state = 'degraded'`,
      [degraded],
    ),
  ).toHaveLength(2);
  pipeline.simulator.setFaults([]);
  await pipeline.runDay(degraded);
  expect(
    await rows(
      `select 1 from store_tasks where kind <> 'hints' and active and read_on is distinct from $1`,
      [degraded],
    ),
  ).toEqual([]);
});

test('runs a task that is enqueued twice once', async () => {
  const [done] = await rows<{ id: number }>(
    `select id from store_tasks where kind = 'chart' and active limit 1`,
  );
  pipeline.simulator.clearLog();
  const options = storeOptions();
  expect(
    await runStoreTask(
      pipeline.runtime.services,
      readChart,
      { storeTaskId: done!.id, day: addDays(day, 5) },
      options,
    ),
  ).toBe('skipped');
  expect(asked('chart')).toEqual([]);
});

test.each([
  ['a chart', 'chart', readChart, 'charts'],
  ['a page', 'page', readPage, 'rating_days'],
  ['hints', 'hints', readHints, 'hint_evidence'],
] as const)(
  'drops %s read hours after midnight, as after a sleep',
  async (_, kind, fetchTask, table) => {
    const late = addDays(day, 6);
    pipeline.clock.set(`${late}T23:59:59Z`);
    pipeline.simulator.setNow(pipeline.clock.now());
    const { clock, runtime } = pipeline;
    const { ios: store } = runtime.services.stores;
    const sleepAfter =
      <Asked extends unknown[], Response>(read: (...asked: Asked) => Promise<Response>) =>
      async (...asked: Asked): Promise<Response> => {
        const response = await read(...asked);
        clock.advance(8 * 3_600_000);
        return response;
      };
    const asleep = {
      ...store,
      chart: sleepAfter(store.chart),
      page: sleepAfter(store.page),
      hints: sleepAfter(store.hints),
    };
    const services = {
      ...runtime.services,
      stores: { ...runtime.services.stores, ios: asleep },
    };
    const [task] = await rows<{ id: number }>(
      "select id from store_tasks where store = 'ios' and kind = $1 and active limit 1",
      [kind],
    );
    const input = { storeTaskId: task!.id, day: late };
    expect(await runStoreTask(services, fetchTask, input, storeOptions())).toBe('rescheduled');
    expect(await rows(`select 1 from ${table} where on_date >= $1`, [late])).toEqual([]);
    expect(
      await rows('select attempts, last_marker as marker from store_tasks where id = $1', [
        task!.id,
      ]),
    ).toEqual([{ attempts: 0, marker: 'late' }]);
  },
);
