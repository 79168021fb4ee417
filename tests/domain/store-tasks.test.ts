import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listChartFacts } from '#db/queries/charts/charts.ts';
import { shedStoreTasks } from '#db/queries/store-tasks/store-task-days.ts';
import {
  completeStoreTask,
  completeStoreTaskWithGap,
  takeDueStoreTasks,
} from '#db/queries/store-tasks/store-tasks.ts';
import { refreshStoreTaskDemand, refreshListingDemand } from '#db/queries/rankings/markets.ts';
import { rankableChartsOn } from '#domain/tracking/charts/followed-charts.ts';
import { inSystem, inTenant } from '#domain/base/context.ts';
import { addKeywords } from '#domain/tracking/keywords/add-keywords.ts';
import { deleteKeyword } from '#domain/tracking/keywords/delete-keywords.ts';
import { storeTaskKinds } from '#domain/base/ports.ts';
import { dispatchStore } from '#domain/scheduling/runs/dispatch-store-work.ts';
import { openRun } from '#domain/scheduling/runs/open-run.ts';
import { addDays, daysBetween } from '#lib/dates.ts';
import { createDispatcher } from '#jobs/dispatcher.ts';
import { registry } from '#jobs/registry.ts';
import type { QueueJob, QueueStore } from '#queue/queue.ts';
import { schedule } from '../harness/background-work.ts';
import { insertListingSnapshot } from '../api/charts.fixtures.ts';
import { insertApp } from '../api/keywords.fixtures.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';

let api: TestApi;
let me: Account;
let neighbour: Account;

beforeAll(async () => {
  api = await startApi();
  [me, neighbour] = [await api.signUp(), await api.signUp()];
});
afterAll(() => api.close());

/** The demand of a listing, as `kind country [chart category]`. */
async function requestedTasksOf(listingId: number): Promise<string[]> {
  const { rows } = await api.db.pool.query(
    `select concat_ws(' ', c.kind, c.country, c.chart, c.category) as task
     from store_task_demand d join store_tasks c on c.id = d.store_task_id
       where d.listing_id = $1 and c.active order by 1`,
    [listingId],
  );
  return rows.map((row) => row.task as string);
}

const isActive = async (chart: string, country: string, category: string | null) =>
  (
    await api.db.pool.query(
      `select active from store_tasks where store = 'ios' and chart = $1 and country = $2 and ` +
        'category is not distinct from $3',
      [chart, country, category],
    )
  ).rows[0]?.active as boolean | undefined;

const follow = (account: Account, id: number, phrases: string[], countries: string[]) =>
  addKeywords(account.ctx, id, { phrases, countries });
const archive = (account: Account, id: number, archived: boolean) =>
  api.ok('PATCH /apps/{id}', { params: { id }, body: { archived } }, account);

describe('requested store tasks', () => {
  test('are feed, page and charts of an app in its countries, while it has them', async () => {
    const app = await insertApp(api, me);
    await insertListingSnapshot(api, app.listingId, '2026-11-20T01:00:00Z', {
      inAppPurchases: true,
    });
    const { added } = await follow(me, app.id, ['one', 'two'], ['fr']);
    const inCountry = (country: string) =>
      ['free 6013', 'free', 'grossing 6013', 'grossing']
        .map((chart) => `chart ${country} ${chart}`)
        .concat(`page ${country}`, `reviews ${country}`);
    expect(await requestedTasksOf(app.listingId)).toEqual(
      [...inCountry('fr'), ...inCountry('us')].sort(),
    );
    await deleteKeyword(me.ctx, added[0]!.id);
    expect(await requestedTasksOf(app.listingId)).toHaveLength(12);
    await deleteKeyword(me.ctx, added[1]!.id);
    expect(await requestedTasksOf(app.listingId)).toEqual(inCountry('us').sort());
    await archive(me, app.id, true);
    expect(await requestedTasksOf(app.listingId)).toEqual([]);
    await archive(me, app.id, false);
    expect(await requestedTasksOf(app.listingId)).toEqual(inCountry('us').sort());
  });

  test('share one chart among all apps, until the last one goes', async () => {
    const [first, second] = [await insertApp(api, me), await insertApp(api, neighbour)];
    await follow(me, first.id, ['x'], ['se']);
    await follow(neighbour, second.id, ['y'], ['se']);
    const { rows } = await api.db.pool.query(
      `select count(*)::int as n from store_tasks where kind = 'chart' and chart = 'free' and ` +
        `country = 'se'`,
    );
    expect(rows).toEqual([{ n: 1 }]);
    await archive(me, first.id, true);
    expect(await isActive('free', 'se', null)).toBe(true);
    await archive(neighbour, second.id, true);
    expect(await isActive('free', 'se', null)).toBe(false);
    await archive(neighbour, second.id, false);
    expect(await isActive('free', 'se', null)).toBe(true);
  });

  test('follow the category and the price', async () => {
    const app = await insertApp(api, me);
    await follow(me, app.id, ['x'], ['no']);
    const charts = async () =>
      (await requestedTasksOf(app.listingId)).filter((task) => task.startsWith('chart no'));
    expect(await charts()).toEqual(['chart no free', 'chart no grossing']);
    await insertListingSnapshot(api, app.listingId, '2026-11-20T01:00:00Z', {
      categoryId: '6014',
      priceMicros: 1_990_000,
    });
    await inSystem(api.services, (tx) => refreshStoreTaskDemand(tx, app.listingId));
    expect(await charts()).toEqual([
      'chart no grossing',
      'chart no grossing 6014',
      'chart no paid',
      'chart no paid 6014',
    ]);
    await insertListingSnapshot(api, app.listingId, '2026-11-21T01:00:00Z', {
      categoryId: '6015',
      inAppPurchases: false,
    });
    await inSystem(api.services, (tx) => refreshStoreTaskDemand(tx, app.listingId));
    expect(await charts()).toEqual(['chart no free', 'chart no free 6015']);
    expect(await isActive('paid', 'no', '6014')).toBe(false);
  });

  test('of a competitor are its page, in the countries of the app', async () => {
    const app = await insertApp(api, me);
    const competitor = await api.db.pool.query(
      `insert into listings (store, store_app_id) values ('ios', '990001') returning id`,
    );
    const competitorId = competitor.rows[0].id as number;
    await api.db.pool.query(
      'insert into competitors (workspace_id, app_id, listing_id, tracking_periods, followed_at, ' +
        `created_at) values ($1, $2, $3, '[["2026-11-21", 200]]', now(), now())`,
      [me.workspaceId, app.id, competitorId],
    );
    await follow(me, app.id, ['x'], ['dk']);
    expect(await requestedTasksOf(competitorId)).toEqual(['page dk', 'page us']);
    await api.db.pool.query('update competitors set archived_at = now() where listing_id = $1', [
      competitorId,
    ]);
    await inTenant(me.ctx, (tx) => refreshListingDemand(tx, [competitorId]));
    expect(await requestedTasksOf(competitorId)).toEqual([]);
  });

  test('include hints of every tracked market, and of no other', async () => {
    const app = await insertApp(api, me);
    const { added } = await follow(me, app.id, ['hinted'], ['fi']);
    const hints = async () =>
      (
        await api.db.pool.query(
          'select c.active, c.interval_days from store_tasks c join markets m on m.id = ' +
            `c.market_id where m.phrase = 'hinted'`,
        )
      ).rows;
    expect(await hints()).toEqual([{ active: true, interval_days: 7 }]);
    await deleteKeyword(me.ctx, added[0]!.id);
    expect(await hints()).toEqual([{ active: false, interval_days: 7 }]);
  });

  test('are correct after many were added and removed at once', async () => {
    const apps = await Promise.all(
      Array.from({ length: 6 }, async (_, index) => insertApp(api, index % 2 ? me : neighbour)),
    );
    for (let round = 0; round < 3; round += 1)
      await Promise.all(
        apps.map(async (app, index) => {
          const account = index % 2 ? me : neighbour;
          if (round === 0) await follow(account, app.id, [`busy ${index}`], ['at', 'ch']);
          else await archive(account, app.id, (index + round) % 3 !== 0);
        }),
      );
    const { rows } = await api.db.pool.query(`
      select c.id from store_tasks c
      where c.kind <> 'hints' and c.active <> exists (
        select from store_task_demand d join apps a on a.listing_id = d.listing_id
          and a.archived_at is null where d.store_task_id = c.id
        union all select from store_task_demand d
          join competitors k on k.listing_id = d.listing_id and k.archived_at is null
          where d.store_task_id = c.id)`);
    expect(rows).toEqual([]);
  });
});

describe('days of hints', () => {
  const firstDay = '2026-12-01';
  let storeTaskIds: Set<number>;

  /** The due markets of this part on a day. */
  async function due(day: string): Promise<number[]> {
    const now = new Date(`${day}T03:00:00Z`);
    const taken = await takeDueStoreTasks(api.services.systemDb, {
      store: 'ios',
      day,
      now,
      until: now,
      limit: 1_000,
      kinds: ['hints'],
    });
    return taken.map((row) => row.id).filter((id) => storeTaskIds.has(id));
  }
  const read = (storeTaskId: number, day: string) =>
    completeStoreTask(api.services.systemDb, { storeTaskId, day, requests: 3 });
  const daysFrom = (first: string, count: number) =>
    Array.from({ length: count }, (_, index) => addDays(first, index));

  async function trackNew(count: number, country: string): Promise<void> {
    const app = await insertApp(api, me);
    await follow(
      me,
      app.id,
      Array.from({ length: count }, (_, index) => `days of ${index}`),
      [country],
    );
    const { rows } = await api.db.pool.query(
      `select id from store_tasks where kind = 'hints' and country = $1 order by id`,
      [country],
    );
    storeTaskIds = new Set(rows.map((row) => row.id as number));
    expect(storeTaskIds.size).toBe(count);
  }

  test('are the next run for a new market, then weekly, spread over the week', async () => {
    await trackNew(70, 'is');
    const readOn = new Map([...storeTaskIds].map((id) => [id, [] as string[]]));
    for (const day of daysFrom(firstDay, 28)) {
      for (const id of await due(day)) {
        readOn.get(id)!.push(day);
        await read(id, day);
      }
      expect(await due(day)).toEqual([]);
    }
    for (const days of readOn.values()) {
      const pauses = days.slice(1).map((day, index) => daysBetween(days[index]!, day));
      expect(days[0]).toBe(firstDay);
      expect(pauses[0]).toBeGreaterThanOrEqual(4);
      expect(pauses[0]).toBeLessThanOrEqual(10);
      expect(pauses.slice(1).every((pause) => pause === 7)).toBe(true);
    }
    const inThirdWeek = daysFrom('2026-12-15', 7).map(
      (day) => [...readOn.values()].filter((days) => days.includes(day)).length,
    );
    expect(inThirdWeek).toEqual(Array.from({ length: 7 }, () => 10));
  });

  test('are the next day after a failure, and its own weekday after it was shed', async () => {
    await trackNew(14, 'lu');
    const [failing, ...rest] = [...storeTaskIds];
    await completeStoreTaskWithGap(api.services.systemDb, {
      storeTaskId: failing!,
      day: firstDay,
      marker: '503',
    });
    await inSystem(api.services, (tx) =>
      shedStoreTasks(tx, { store: 'ios', kinds: ['hints'], day: firstDay, limit: 1_000 }),
    );
    expect(await due(firstDay)).toEqual([]);
    const later = [];
    for (const day of daysFrom(addDays(firstDay, 1), 7)) {
      const ids = await due(day);
      expect(ids.length).toBeLessThanOrEqual(3);
      // Its own weekday may come from the fourth day after its fetch on.
      if (daysBetween(firstDay, day) <= 4)
        expect(ids.includes(failing!)).toBe(day === addDays(firstDay, 1));
      for (const id of ids) await read(id, day);
      later.push(...ids);
    }
    expect(later.filter((id) => id !== failing).toSorted((a, b) => a - b)).toEqual(rest);
  });
});

test('the charts of an app are the same in the plan and in what is shown', async () => {
  const app = await insertApp(api, me);
  const facts = fc.record({
    categoryId: fc.constantFrom(null, '6013', 'GAME_WORD', "6013' or 1=1", ''),
    priceMicros: fc.constantFrom(null, 0, 990_000),
    inAppPurchases: fc.constantFrom(null, true, false),
  });
  await fc.assert(
    fc.asyncProperty(facts, async (shown) => {
      await insertListingSnapshot(api, app.listingId, '2026-11-21T01:00:00Z', shown);
      const { rows } = await api.db.pool.query(
        `select category, chart from charts_for_app($1, 'us')`,
        [app.listingId],
      );
      const known = await inSystem(api.services, (tx) =>
        listChartFacts(tx, [{ listingId: app.listingId, country: 'us' }]),
      );
      const expected = rankableChartsOn({ facts: known.slice(-1) }, '2026-11-21').map(
        ({ category, chart }) => ({ category: category?.id ?? null, chart }),
      );
      const sorted = (list: { category: string | null; chart: string }[]) =>
        list.map((row) => `${row.category} ${row.chart}`).toSorted();
      expect(sorted(expected)).toEqual(sorted(rows));
    }),
    { numRuns: 30 },
  );
});

test('a day and its queue go from checks to refreshes, feeds, pages, charts, hints', async () => {
  const app = await insertApp(api, me);
  await follow(me, app.id, ['in order'], ['us']);
  await api.db.pool.query(`update market_schedule set urgent_at = null`);
  await api.db.pool.query(`update listing_schedule set urgent_at = null`);
  await api.db.pool.query(`update store_tasks set interval_days = 1 where kind = 'hints'`);
  await api.db.pool.query(
    `insert into store_probes (store, provider, date, state, probed_at) values ` +
      `('ios', 'itunes', '2026-11-21', 'ok', now())`,
  );
  const sent: QueueJob[] = [];
  const queue = { addAll: async (jobs: QueueJob[]) => void sent.push(...jobs) };
  const dispatcher = createDispatcher({ queue: () => queue } as unknown as QueueStore, registry);
  const run = await openRun(api.services);
  await dispatchStore(api.services, dispatcher, 'ios', run, schedule.store);
  const phases = [['rank-check'], ['app-refresh'], ['reviews', 'page'], ['chart'], ['hints']];
  const order = sent.map(({ name }) => phases.findIndex((names) => names.includes(name)));
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  expect([...new Set(order)]).toEqual([0, 1, 2, 3, 4]);
  const priorities = sent.map(({ priority }) => priority);
  expect(new Set(priorities).size).toBeGreaterThan(4);
  expect(
    priorities.every(
      (priority, index) =>
        index === 0 || order[index] === order[index - 1] || priority > priorities[index - 1]!,
    ),
  ).toBe(true);
  expect(new Set(sent.map(({ id }) => id)).size).toBe(sent.length);
  sent.length = 0;
  const task = { store: 'ios', day: '2026-11-21', storeTaskId: 1, attempt: 0 } as const;
  await dispatcher.send(
    'ios',
    storeTaskKinds.map((kind) => ({ ...task, kind: 'store-task', task: kind, urgent: true })),
  );
  expect(sent.map(({ priority }) => priority)).toEqual(storeTaskKinds.map(() => 3));
});
