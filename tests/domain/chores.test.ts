import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listChartFacts } from '../../src/db/queries/charts.ts';
import { shedChores } from '../../src/db/queries/chore-days.ts';
import { settleChore, settleChoreWithGap, takeDueChores } from '../../src/db/queries/chores.ts';
import { refreshChoreDemand, refreshListingDemand } from '../../src/db/queries/markets.ts';
import { wantedOn } from '../../src/domain/charts/followed-charts.ts';
import { turns } from '../../src/domain/chores/kinds.ts';
import { inSystem, inTenant } from '../../src/domain/context.ts';
import { addKeywords } from '../../src/domain/keywords/add-keywords.ts';
import { deleteKeyword } from '../../src/domain/keywords/delete-keywords.ts';
import { choreKinds } from '../../src/domain/ports.ts';
import { dispatchStore, type StoreWork } from '../../src/domain/runs/dispatch.ts';
import { openRun } from '../../src/domain/runs/open-run.ts';
import { addDays, daysBetween } from '../../src/lib/dates.ts';
import { chore as choreJob } from '../../src/jobs/chore.ts';
import { findJob } from '../../src/jobs/index.ts';
import { showListing } from '../api/charts-arrange.ts';
import { insertApp } from '../api/keywords-arrange.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';

let api: TestApi;
let me: Account;
let neighbour: Account;

beforeAll(async () => {
  api = await startApi();
  [me, neighbour] = [await api.signUp(), await api.signUp()];
});
afterAll(() => api.close());

/** What is wanted for a listing, as `kind country [chart category]`. */
async function wantedFor(listingId: number): Promise<string[]> {
  const { rows } = await api.db.pool.query(
    `select concat_ws(' ', c.kind, c.country, c.chart, c.category) as chore
     from chore_demand d join chores c on c.id = d.chore_id where d.listing_id = $1 and c.active order by 1`,
    [listingId],
  );
  return rows.map((row) => row.chore as string);
}

const isActive = async (chart: string, country: string, category: string | null) =>
  (
    await api.db.pool.query(
      `select active from chores where store = 'ios' and chart = $1 and country = $2 and category is not distinct from $3`,
      [chart, country, category],
    )
  ).rows[0]?.active as boolean | undefined;

const follow = (account: Account, id: number, phrases: string[], countries: string[]) =>
  addKeywords(account.ctx, id, { phrases, countries });
const archive = (account: Account, id: number, archived: boolean) =>
  api.ok('PATCH /apps/{id}', { params: { id }, body: { archived } }, account);

describe('what is wanted', () => {
  test('is a feed, a page and the charts of an app in its own country and every one with keywords, and no more when they go', async () => {
    const app = await insertApp(api, me);
    await showListing(api, app.listingId, '2026-11-20T01:00:00Z', { inAppPurchases: true });
    const { added } = await follow(me, app.id, ['one', 'two'], ['fr']);
    const inCountry = (country: string) =>
      ['free 6013', 'free', 'grossing 6013', 'grossing']
        .map((chart) => `chart ${country} ${chart}`)
        .concat(`page ${country}`, `reviews ${country}`);
    expect(await wantedFor(app.listingId)).toEqual([...inCountry('fr'), ...inCountry('us')].sort());
    await deleteKeyword(me.ctx, added[0]!.id);
    expect(await wantedFor(app.listingId)).toHaveLength(12);
    await deleteKeyword(me.ctx, added[1]!.id);
    expect(await wantedFor(app.listingId)).toEqual(inCountry('us').sort());
    await archive(me, app.id, true);
    expect(await wantedFor(app.listingId)).toEqual([]);
    await archive(me, app.id, false);
    expect(await wantedFor(app.listingId)).toEqual(inCountry('us').sort());
  });

  test('is one chart for everyone, until the last who asks for it goes', async () => {
    const [first, second] = [await insertApp(api, me), await insertApp(api, neighbour)];
    await follow(me, first.id, ['x'], ['se']);
    await follow(neighbour, second.id, ['y'], ['se']);
    const { rows } = await api.db.pool.query(
      `select count(*)::int as n from chores where kind = 'chart' and chart = 'free' and country = 'se'`,
    );
    expect(rows).toEqual([{ n: 1 }]);
    await archive(me, first.id, true);
    expect(await isActive('free', 'se', null)).toBe(true);
    await archive(neighbour, second.id, true);
    expect(await isActive('free', 'se', null)).toBe(false);
    await archive(neighbour, second.id, false);
    expect(await isActive('free', 'se', null)).toBe(true);
  });

  test('follows the category and the price', async () => {
    const app = await insertApp(api, me);
    await follow(me, app.id, ['x'], ['no']);
    const charts = async () =>
      (await wantedFor(app.listingId)).filter((chore) => chore.startsWith('chart no'));
    expect(await charts()).toEqual(['chart no free', 'chart no grossing']);
    await showListing(api, app.listingId, '2026-11-20T01:00:00Z', {
      categoryId: '6014',
      priceMicros: 1_990_000,
    });
    await inSystem(api.services, (tx) => refreshChoreDemand(tx, app.listingId));
    expect(await charts()).toEqual([
      'chart no grossing',
      'chart no grossing 6014',
      'chart no paid',
      'chart no paid 6014',
    ]);
    await showListing(api, app.listingId, '2026-11-21T01:00:00Z', {
      categoryId: '6015',
      inAppPurchases: false,
    });
    await inSystem(api.services, (tx) => refreshChoreDemand(tx, app.listingId));
    expect(await charts()).toEqual(['chart no free', 'chart no free 6015']);
    expect(await isActive('paid', 'no', '6014')).toBe(false);
  });

  test('is of a competitor the page alone, where the app is that it is compared with', async () => {
    const app = await insertApp(api, me);
    const rival = await api.db.pool.query(
      `insert into listings (store, store_app_id) values ('ios', '990001') returning id`,
    );
    const rivalId = rival.rows[0].id as number;
    await api.db.pool.query(
      `insert into competitors (workspace_id, app_id, listing_id, terms, followed_at, created_at) values ($1, $2, $3, '[["2026-11-21", 200]]', now(), now())`,
      [me.workspaceId, app.id, rivalId],
    );
    await follow(me, app.id, ['x'], ['dk']);
    expect(await wantedFor(rivalId)).toEqual(['page dk', 'page us']);
    await api.db.pool.query('update competitors set archived_at = now() where listing_id = $1', [
      rivalId,
    ]);
    await inTenant(me.ctx, (tx) => refreshListingDemand(tx, [rivalId]));
    expect(await wantedFor(rivalId)).toEqual([]);
  });

  test('of hints is every followed market, and none that nobody follows', async () => {
    const app = await insertApp(api, me);
    const { added } = await follow(me, app.id, ['hinted'], ['fi']);
    const hints = async () =>
      (
        await api.db.pool.query(
          `select c.active, c.every_days from chores c join markets m on m.id = c.market_id where m.phrase = 'hinted'`,
        )
      ).rows;
    expect(await hints()).toEqual([{ active: true, every_days: 7 }]);
    await deleteKeyword(me.ctx, added[0]!.id);
    expect(await hints()).toEqual([{ active: false, every_days: 7 }]);
  });

  test('is right after many came and went at once', async () => {
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
      select c.id from chores c
      where c.kind <> 'hints' and c.active <> exists (
        select from chore_demand d join apps a on a.listing_id = d.listing_id and a.archived_at is null where d.chore_id = c.id
        union all select from chore_demand d join competitors k on k.listing_id = d.listing_id and k.archived_at is null where d.chore_id = c.id)`);
    expect(rows).toEqual([]);
  });
});

describe('the days of hints', () => {
  const firstDay = '2026-12-01';
  let choreIds: Set<number>;

  /** Of the markets of this part, what is due on a day. */
  async function due(day: string): Promise<number[]> {
    const now = new Date(`${day}T03:00:00Z`);
    const taken = await takeDueChores(api.services.systemDb, {
      store: 'ios',
      day,
      now,
      until: now,
      limit: 1_000,
      kinds: ['hints'],
    });
    return taken.map((row) => row.id).filter((id) => choreIds.has(id));
  }
  const read = (choreId: number, day: string) =>
    settleChore(api.services.systemDb, { choreId, day, requests: 3 });
  const daysFrom = (first: string, count: number) =>
    Array.from({ length: count }, (_, index) => addDays(first, index));

  async function followNew(count: number, country: string): Promise<void> {
    const app = await insertApp(api, me);
    await follow(
      me,
      app.id,
      Array.from({ length: count }, (_, index) => `days of ${index}`),
      [country],
    );
    const { rows } = await api.db.pool.query(
      `select id from chores where kind = 'hints' and country = $1 order by id`,
      [country],
    );
    choreIds = new Set(rows.map((row) => row.id as number));
    expect(choreIds.size).toBe(count);
  }

  test('are the next run for a market never read, then one a week, spread over its days', async () => {
    await followNew(70, 'is');
    const readOn = new Map([...choreIds].map((id) => [id, [] as string[]]));
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

  test('come again on the next day for one that failed, and on its own day of the week for what a day was too short for', async () => {
    await followNew(14, 'lu');
    const [failing, ...rest] = [...choreIds];
    await settleChoreWithGap(api.services.systemDb, {
      choreId: failing!,
      day: firstDay,
      marker: '503',
    });
    await inSystem(api.services, (tx) => shedChores(tx, 'ios', ['hints'], firstDay));
    expect(await due(firstDay)).toEqual([]);
    const later = [];
    for (const day of daysFrom(addDays(firstDay, 1), 7)) {
      const ids = await due(day);
      expect(ids.length).toBeLessThanOrEqual(3);
      // From the fourth day after its reading on, a day of its own may come.
      if (daysBetween(firstDay, day) <= 4)
        expect(ids.includes(failing!)).toBe(day === addDays(firstDay, 1));
      for (const id of ids) await read(id, day);
      later.push(...ids);
    }
    expect(later.filter((id) => id !== failing).toSorted((a, b) => a - b)).toEqual(rest);
  });
});

test('which charts an app may stand in is told alike by the plan and by what is shown of it', async () => {
  const app = await insertApp(api, me);
  const facts = fc.record({
    categoryId: fc.constantFrom(null, '6013', 'GAME_WORD', "6013' or 1=1", ''),
    priceMicros: fc.constantFrom(null, 0, 990_000),
    inAppPurchases: fc.constantFrom(null, true, false),
  });
  await fc.assert(
    fc.asyncProperty(facts, async (shown) => {
      await showListing(api, app.listingId, '2026-11-21T01:00:00Z', shown);
      const { rows } = await api.db.pool.query(
        `select category, chart from charts_of_app($1, 'us')`,
        [app.listingId],
      );
      const known = await inSystem(api.services, (tx) =>
        listChartFacts(tx, [{ listingId: app.listingId, country: 'us' }]),
      );
      const wanted = wantedOn({ facts: known.slice(-1) }, '2026-11-21').map(
        ({ category, chart }) => ({ category: category?.id ?? null, chart }),
      );
      const sorted = (list: { category: string | null; chart: string }[]) =>
        list.map((row) => `${row.category} ${row.chart}`).toSorted();
      expect(sorted(wanted)).toEqual(sorted(rows));
    }),
    { numRuns: 30 },
  );
});

test('a day goes from rank checks over refreshes, feeds and pages to charts, with hints last, and so does its queue', async () => {
  const app = await insertApp(api, me);
  await follow(me, app.id, ['in order'], ['us']);
  await api.db.pool.query(`update market_schedule set urgent_at = null`);
  await api.db.pool.query(`update listing_schedule set urgent_at = null`);
  await api.db.pool.query(`update chores set every_days = 1 where kind = 'hints'`);
  await api.db.pool.query(
    `insert into canaries (store, date, state, tried_at) values ('ios', '2026-11-21', 'ok', now())`,
  );
  const sent: StoreWork[] = [];
  const run = await openRun(api.services);
  await dispatchStore(
    api.services,
    { send: async (_store, work) => void sent.push(...work), sendHouse: async () => undefined },
    'ios',
    run,
  );
  const turnOf = (work: StoreWork) =>
    work.kind === 'rank-check'
      ? -2
      : work.kind === 'app-refresh'
        ? -1
        : turns.findIndex((turn) => work.kind === 'chore' && turn.includes(work.chore));
  const order = sent.map(turnOf);
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  expect([...new Set(order)]).toEqual([-2, -1, 0, 1, 2]);
  const priorities = sent.map((work) => findJob(work.kind).priorityOf(work));
  expect(new Set(priorities).size).toBeGreaterThan(4);
  expect(
    priorities.every(
      (priority, index) =>
        index === 0 || order[index] === order[index - 1] || priority > priorities[index - 1]!,
    ),
  ).toBe(true);
  expect(new Set(sent.map((work) => findJob(work.kind).idOf(work))).size).toBe(sent.length);
  for (const chore of choreKinds)
    expect(
      choreJob.priorityOf({
        kind: 'chore',
        store: 'ios',
        day: '2026-11-21',
        choreId: 1,
        chore,
        attempt: 0,
        urgent: true,
      }),
    ).toBe(3);
});
