import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  listDemand,
  markBudgetRefreshed,
  type BudgetRow,
  type DemandRow,
} from '#db/queries/budget/budgets.ts';
import { listKnownDemand } from '#db/queries/budget/known-demand.ts';
import { insertRun } from '#db/queries/runs/runs.ts';
import { budgetDelta, roundShare, utilizationOf } from '#domain/base/budget/cost.ts';
import { describeBudget, getBudget } from '#domain/base/budget/get-budget.ts';
import { listUnseen } from '#domain/base/budget/price-addition.ts';
import { refreshBudget, refreshStaleBudgets } from '#domain/base/budget/refresh-budget.ts';
import { simulateBudget } from '#domain/base/budget/simulate-budget.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { addKeywords } from '#domain/tracking/keywords/add-keywords.ts';
import { deleteKeyword } from '#domain/tracking/keywords/delete-keywords.ts';
import { parseKeywords, type AddKeywordsBody } from '#domain/tracking/keywords/parse-keywords.ts';
import {
  isNew,
  planAddition,
  readKeywordDefaults,
  toHypothetical,
} from '#domain/tracking/keywords/plan-addition.ts';
import { previewKeywords } from '#domain/tracking/keywords/preview-keywords.ts';
import { addDays, utcDayOf } from '#lib/dates.ts';
import { updateKeyword } from '#domain/tracking/keywords/update-keywords.ts';
import {
  listDeviceIds,
  mapStores,
  searchRequests,
  storeNames,
  storeTaskKinds,
  usualTaskRequests,
  type StoreName,
  type StoreTaskKind,
  defaultProvidersOf,
} from '#stores/profiles.ts';
import { recordMarketSearch, insertApp } from '../api/keywords.fixtures.ts';
import { startApi, type TestApi } from '../harness/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const today = () => utcDayOf(api.clock.now());

const phrases = ['one', 'two', 'three', 'four', 'five'];
const countries = ['us', 'de', 'fr'];
const appNumber = fc.nat({ max: 3 });
const operation = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('add' as const),
      app: appNumber,
      phrases: fc.subarray(phrases, { minLength: 1 }),
      countries: fc.subarray(countries, { minLength: 1 }),
      devices: fc.subarray(listDeviceIds('ios'), { minLength: 1 }),
      depth: fc.constantFrom(10, 30, 31, 100, 200),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('patch' as const),
      pick: fc.nat(),
      paused: fc.option(fc.boolean(), { nil: undefined }),
      depth: fc.option(fc.constantFrom(20, 60, 200), { nil: undefined }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), pick: fc.nat() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('check' as const),
      pick: fc.nat(),
      requests: fc.integer({ min: 1, max: 9 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('archive' as const), app: appNumber }) },
);

// oxlint-disable-next-line no-explicit-any -- the members that its kind has.
type Operation = any;

/** The budget by its definition, slowly, from all rows of all tables. */
async function naiveBudget(workspaceId: number) {
  const { rows } = await api.db.pool.query(
    `select k.*, m.store, m.country, a.listing_id, s.usual_requests, s.depth as shared_depth
       from keywords k join apps a on a.id = k.app_id
     join markets m on m.id = k.market_id join market_schedule s on s.market_id = m.id
     where k.workspace_id = $1 and k.archived_at is null and not k.paused
       and a.archived_at is null`,
    [workspaceId],
  );
  const apps = await api.db.pool.query(
    'select a.*, l.store from apps a join listings l on l.id = a.listing_id where ' +
      'a.workspace_id = $1 and a.archived_at is null',
    [workspaceId],
  );
  return (['ios', 'android'] as const).map((store) => {
    const markets = Map.groupBy(
      rows.filter((row) => row.store === store),
      (row) => row.market_id as number,
    );
    const known = new Map<number, { learned: number | null; planned: number }>();
    for (const [id, followers] of markets) {
      const depth = Math.max(...followers.map((row) => row.depth as number));
      const planned = searchRequests(store, depth);
      const isSeen = followers.some(
        (row) => row.latest_at !== null && row.latest_at >= row.created_at,
      );
      const usual = followers[0]!.usual_requests as number;
      known.set(id, {
        planned,
        learned: !isSeen
          ? null
          : followers[0]!.shared_depth > depth
            ? Math.min(usual, planned)
            : usual,
      });
    }
    const learned = [...known.values()].flatMap((market) => market.learned ?? []);
    const average = learned.reduce((sum, value) => sum + value, 0) / learned.length;
    const costs = [...known.values()].map((market) =>
      store === 'ios'
        ? 1
        : (market.learned ??
          (learned.length > 0 ? Math.min(average, market.planned) : market.planned)),
    );
    const pairs = new Set([
      ...apps.rows
        .filter((app) => app.store === store)
        .map((app) => `${app.primary_country} ${app.listing_id}`),
      ...rows.filter((row) => row.store === store).map((row) => `${row.country} ${row.listing_id}`),
    ]);
    const countries = new Set([...pairs].map((pair) => pair.slice(0, 2)));
    const load = (kind: string, jobs: number, requests = jobs) =>
      jobs > 0 ? [[kind, [expect.closeTo(jobs, 6), expect.closeTo(requests, 6)]]] : [];
    const storeTasks = [
      ...load('reviews', pairs.size),
      ...load('page', store === 'ios' ? pairs.size : 0),
      // Nothing is known of the apps: the free and the grossing chart of all apps, each once.
      ...load('chart', countries.size * 2),
      ...load('hints', markets.size / 7, (markets.size / 7) * usualTaskRequests(store, 'hints')),
      // There has been no run: the next one fetches all of them.
      ...load(
        'firstHints',
        (markets.size * 6) / 7,
        ((markets.size * 6) / 7) * usualTaskRequests(store, 'hints'),
      ),
    ];
    const byCountry = [...Map.groupBy(pairs, (pair) => pair.slice(0, 2)).values()].map(
      (list) => list.length,
    );
    return {
      store,
      markets: markets.size,
      requests: costs.reduce((sum, cost) => sum + cost, 0),
      learned: learned.length > 0,
      listings: pairs.size,
      listingRequests:
        store === 'ios'
          ? byCountry.reduce((sum, count) => sum + Math.ceil(count / 200), 0)
          : pairs.size,
      storeTasks: Object.fromEntries(storeTasks),
    };
  });
}

const bodyOf = (op: Operation, hasDevices: boolean): AddKeywordsBody => ({
  phrases: op.phrases,
  countries: op.countries,
  ...(hasDevices && { devices: op.devices }),
  depth: op.depth,
});

const insertCompetitor = (workspaceId: number, appId: number, ofAppId: number) =>
  api.db.pool.query(
    `insert into competitors (workspace_id, app_id, listing_id, tracking_periods, followed_at,
       created_at)
     select $1, $2, listing_id, '[]', $4, $4 from apps where id = $3`,
    [workspaceId, appId, ofAppId, api.clock.now()],
  );

async function perform(ctx: Ctx, apps: number[], op: Operation): Promise<void> {
  const { rows } = await api.db.pool.query(
    `select k.id, k.market_id, k.paused, k.depth, a.archived_at is not null as "appArchived"
       from keywords k join apps a on a.id = k.app_id
     where k.workspace_id = $1 and k.archived_at is null order by k.id`,
    [ctx.workspaceId],
  );
  const keyword = rows.length > 0 ? rows[op.pick % rows.length] : null;
  api.clock.advance(60_000);
  if (op.do === 'add') {
    const { rows: open } = await api.db.pool.query(
      'select a.archived_at, l.store from apps a join listings l on l.id = a.listing_id ' +
        'where a.id = $1',
      [apps[op.app]],
    );
    if (open[0].archived_at !== null) return;
    const body = bodyOf(op, open[0].store === 'ios');
    const preview = await previewKeywords(ctx, apps[op.app]!, body);
    expect((await addKeywords(ctx, apps[op.app]!, body)).budgetDelta).toEqual(preview.budgetDelta);
  } else if (op.do === 'archive') {
    await api.db.pool.query(
      'update apps set archived_at = case when archived_at is null then $2::timestamptz end ' +
        'where id = $1',
      [apps[op.app], api.clock.now()],
    );
    await inTenant(ctx, (tx) => refreshBudget(tx, ctx));
  } else if (keyword && op.do === 'patch') {
    const isChange =
      (op.paused ?? keyword.paused) !== keyword.paused ||
      (op.depth ?? keyword.depth) !== keyword.depth;
    const update = updateKeyword(ctx, keyword.id, {
      ...(op.paused === undefined ? {} : { paused: op.paused }),
      ...(op.depth ? { depth: op.depth } : {}),
    });
    if (isChange && keyword.appArchived)
      await expect(update).rejects.toMatchObject({ code: 'invalid_request' });
    else await update;
  } else if (keyword && op.do === 'delete') await deleteKeyword(ctx, keyword.id);
  else if (keyword) {
    await recordMarketSearch(api, {
      marketId: keyword.market_id,
      listingIds: [],
      requests: op.requests,
    });
    await inTenant(ctx, (tx) => refreshBudget(tx, ctx));
  }
}

it('the budget matches a naive model after any changes, and previews the result', async () => {
  const neighbour = await api.signUp();
  const theirs = [
    await insertApp(api, neighbour),
    await insertApp(api, neighbour, { store: 'android', storeAppId: 'com.neighbour' }),
  ];
  for (const app of theirs)
    await addKeywords({ ...neighbour.ctx }, app.id, {
      phrases: ['one', 'two'],
      countries: ['us', 'de'],
    });
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 3, maxLength: 12 }), async (operations) => {
      run += 1;
      const me = await api.signUp();
      const apps = [
        await insertApp(api, me),
        await insertApp(api, me),
        await insertApp(api, me, { store: 'android', storeAppId: `com.a${run}` }),
        await insertApp(api, me, { store: 'android', storeAppId: `com.b${run}` }),
      ];
      await inTenant(me.ctx, (tx) => refreshBudget(tx, me.ctx));
      for (const op of operations)
        await perform(
          me.ctx,
          apps.map((app) => app.id),
          op,
        );
      const naive = await naiveBudget(me.workspaceId);
      const kept = async () =>
        (
          await api.db.pool.query(
            'select store, markets, requests, learned, listings, listing_requests as ' +
              '"listingRequests", store_tasks as "storeTasks" from budgets where workspace_id = ' +
              '$1 order by store desc',
            [me.workspaceId],
          )
        ).rows;
      for (const [index, row] of (await kept()).entries())
        expect(row).toEqual({
          ...naive[index],
          requests: expect.closeTo(naive[index]!.requests, 3),
        });
      await api.db.pool.query(
        `insert into runs (date, opened_at, finished_at, state) values ('2026-11-20', $1, $1,
           'finished') on conflict (date) do update set finished_at = excluded.finished_at`,
        [api.clock.now()],
      );
      expect(await refreshStaleBudgets(api.services)).toBeGreaterThan(0);
      for (const [index, row] of (await kept()).entries())
        expect(row).toEqual({
          ...naive[index],
          requests: expect.closeTo(naive[index]!.requests, 3),
        });
    }),
    { numRuns: process.env.TORTURE ? 200 : 10, endOnFailure: true },
  );
}, 300_000);

/** Hints that were read, empty or not, or shed: on the day of tracking or later. */
const readHints = (ctx: Ctx, { days, requests }: { days: number; requests: number }) =>
  api.db.pool.query(
    `update store_tasks c set read_on = case when $4 then null else $2::date end,
       completed_on = $2, usual_requests = $3, last_marker = case when $4 then 'shed' end
     from keywords k where k.workspace_id = $1 and c.market_id = k.market_id and c.kind = 'hints'
       and (k.market_id + $5::int) % 3 > 0`,
    [ctx.workspaceId, addDays(utcDayOf(api.clock.now()), days), requests, requests === 4, days],
  );

/** The cost after an addition by the kept sums; undefined when these do not suffice. */
const priceByKeptSums = (ctx: Ctx, appId: number, body: AddKeywordsBody) =>
  inTenant(ctx, async (tx) => {
    const defaults = await readKeywordDefaults(ctx, appId);
    const { app, items } = await planAddition(tx, ctx, appId, parseKeywords(body, defaults));
    const added = toHypothetical(app, items.filter(isNew));
    const unseen = await listUnseen(tx, ctx, added, 0);
    return unseen && listKnownDemand(tx, ctx.workspaceId, unseen);
  });

/** Sums of other orders differ in the last digits. */
const withRoundedNumbers = (rows: DemandRow[]) =>
  rows.map((row) => ({
    ...JSON.parse(JSON.stringify(row), (_, value) =>
      typeof value === 'number' ? Number(value.toPrecision(12)) : value,
    ),
    marketSums: (row.marketSums as object[])
      .map((sum) =>
        JSON.stringify(sum, (_, value) =>
          typeof value === 'number' ? Number(value.toPrecision(12)) : value,
        ),
      )
      .toSorted(),
  }));

it('an addition priced by kept sums costs exactly what the whole computation says', async () => {
  let [run, priced] = [0, 0];
  const hints = fc.record({
    do: fc.constant('hints' as const),
    days: fc.integer({ min: -1, max: 8 }),
    requests: fc.constantFrom(1, 2, 3.5, 4),
  });
  const steps = fc.array(
    fc.oneof({ weight: 10, arbitrary: operation }, { weight: 4, arbitrary: hints }),
    {
      minLength: 6,
      maxLength: 16,
    },
  );
  await fc.assert(
    fc.asyncProperty(steps, async (operations) => {
      run += 1;
      const me = await api.signUp();
      const refresh = () =>
        inTenant(me.ctx, async (tx) => {
          await markBudgetRefreshed(tx, me.workspaceId, today());
          return refreshBudget(tx, me.ctx);
        });
      const apps = [
        await insertApp(api, me),
        await insertApp(api, me),
        await insertApp(api, me, { store: 'android', storeAppId: `com.c${run}` }),
        await insertApp(api, me, { store: 'android', storeAppId: `com.d${run}` }),
      ].map((app) => app.id);
      await insertCompetitor(me.workspaceId, apps[run % 4]!, apps[(run + 1) % 4]!);
      for (const op of operations) {
        await refresh();
        if (op.do === 'hints') await readHints(me.ctx, op);
        else if (op.do !== 'add') await perform(me.ctx, apps, op);
        else {
          const body = bodyOf(op, apps[op.app]! < apps[2]!);
          const known = await priceByKeptSums(me.ctx, apps[op.app]!, body).catch(() => undefined);
          await perform(me.ctx, apps, op);
          if (known) priced += 1;
          if (known)
            expect(withRoundedNumbers(known)).toEqual(
              withRoundedNumbers(
                await inTenant(me.ctx, (tx) => listDemand(tx, me.workspaceId, { today: today() })),
              ),
            );
        }
      }
    }),
    { numRuns: process.env.TORTURE ? 200 : 12, endOnFailure: true },
  );
  // The markets are shared with the other tests.
  await api.db.pool.query(
    `update store_tasks set read_on = null, completed_on = null, usual_requests = default,
       last_marker = null where kind = 'hints'`,
  );
  expect(priced).toBeGreaterThan(run);
}, 300_000);

it('the budget has the cost of one more search by depth', () => {
  expect([1, 30, 31, 55, 56, 100, 200].map((depth) => searchRequests('android', depth))).toEqual([
    1, 1, 2, 2, 3, 4, 8,
  ]);
  expect([1, 200].map((depth) => searchRequests('ios', depth))).toEqual([1, 1]);
});

it('shares are rounded without hiding small ones or showing rounding errors', () => {
  expect([71 / 1e9, 1 / 21_600, 0.123_456_78, 0.1 + 0.2 - 0.3, -1e-7, 0].map(roundShare)).toEqual([
    7.1e-8, 4.63e-5, 0.123_457, 0, -1e-7, 0,
  ]);
});

it('the budget has fan-out, utilization and completion of the next run', async () => {
  const me = await api.signUp();
  const app = await insertApp(api, me, { store: 'android', storeAppId: 'com.fanout' });
  api.clock.set('2026-11-23T12:00:00Z');
  await addKeywords(me.ctx, app.id, { phrases: phrases.slice(0, 4), countries: ['us', 'de'] });
  const budget = await getBudget(me.ctx);
  expect(budget.fanOut[1]).toEqual({
    store: 'android',
    kinds: {
      rankChecks: { jobs: 8, requests: 64 },
      appRefreshes: { jobs: 2, requests: 2 },
      probes: { jobs: 1, requests: 1 },
      reviews: { jobs: 2, requests: 2 },
      charts: { jobs: 4, requests: 4 },
      pages: { jobs: 0, requests: 0 },
      // Nobody has fetched them yet: the next run does, with four requests at most.
      hints: { jobs: 8, requests: 32 },
    },
    requests: 105,
    capacity: { requestsPerMinute: 15, hosts: [], endpoints: 1, requestsPerDay: 21_600 },
    utilization: 0.004861,
    learned: false,
  });
  expect(budget.fanOut[0]).toMatchObject({ requests: 0, utilization: 0 });
  expect(budget.utilization).toBe(0.004861);
  expect(budget.completion).toEqual({
    startsAt: '2026-11-24T02:00:00.000Z',
    hours: 0.1167,
    completesAt: '2026-11-24T02:07:00.000Z',
  });
  expect(budget).not.toHaveProperty('quota');
  const pooled = await getBudget({
    ...me.ctx,
    settings: { ...me.ctx.settings, endpoints: () => 4, billingEnabled: true },
  });
  expect(pooled.fanOut[1]!.capacity.requestsPerDay).toBe(86_400);
  // Another process found one of two endpoints unavailable, and this one another.
  const egress = ['a', 'b', 'c'].map((name) => ({
    name,
    consecutiveFailures: 0,
    unavailableUntil: name === 'c' ? new Date('2099-01-01') : null,
  }));
  await api.db.pool.query(`
    insert into pacing (store, endpoint, interval_us, next_at, unavailable_until) values
      ('ios', 'a', 1, now(), now() - interval '1 second'),
      ('ios', 'b', 1, now(), now() + interval '1 hour'),
      ('android', 'b', 1, now(), now() + interval '1 hour'),
      ('ios', 'c', 1, now(), now() + interval '1 hour'),
      ('ios', 'gone', 1, now(), now() + interval '1 hour')`);
  const settings = { ...me.ctx.settings, endpoints: () => 2, egress: () => egress };
  expect((await getBudget({ ...me.ctx, settings })).fanOut[1]!.capacity.endpoints).toBe(1);
  await api.db.pool.query('delete from pacing');
  expect(pooled.quota).toEqual({
    plan: 'indie',
    apps: { used: 1, limit: 10 },
    keywordMarkets: { used: 8, limit: 1_000 },
    overLimitSince: null,
  });
});

it('a host with a pace of its own takes the time of its requests', () => {
  const row: BudgetRow = {
    store: 'ios',
    markets: 1_000,
    requests: 1_000,
    learned: true,
    listings: 10,
    listingRequests: 100,
    storeTasks: { page: [50, 50], hints: [100, 400], firstHints: [10, 40] },
  };
  const paced = (ios: number, web: number, providers = ['web', 'itunes']) => ({
    requestsPerMinute: { ...mapStores(() => 15), ios },
    hostRequestsPerMinute: { 'apps.apple.com': web },
    endpoints: 2,
    providers: { ...mapStores(defaultProvidersOf), ios: providers },
  });
  // Two probes, one at each of the two paces.
  const [atHost, others] = [1_000 + 50 + 1, 100 + 400 + 40 + 1];
  const shareOf = (ios: number, web: number) => (atHost / web + others / ios) / 2 / 1_440;
  for (const [ios, web] of [
    [60, 15],
    [5, 15],
    [15, 15],
  ] as const) {
    const capacity = paced(ios, web);
    const [before, after] = [shareOf(ios, web) - 40 / ios / 2 / 1_440, shareOf(ios, web)];
    expect(utilizationOf([row], capacity)).toBeCloseTo(after, 12);
    expect(budgetDelta([row], [row], capacity).utilizationAfter).toBe(roundShare(before));
    const described = describeBudget([row], { capacity, startsAt: new Date(0) });
    const [{ requests, utilization, capacity: shown }] = described.fanOut as [
      (typeof described.fanOut)[number],
    ];
    expect(shown).toMatchObject({
      requestsPerMinute: ios,
      hosts: [{ host: 'apps.apple.com', requestsPerMinute: web }],
    });
    expect(requests / shown.requestsPerDay).toBeCloseTo(utilization, 6);
    expect(described.completion.hours).toBeCloseTo(after * 24, 4);
  }
  // Equal paces count as one, to the last digit.
  expect(utilizationOf([row], paced(15, 15))).toBe((atHost + others) / (15 * 2 * 1_440));
  // Another provider is asked at the store's pace.
  expect(utilizationOf([row], paced(60, 15, ['itunes']))).toBeCloseTo(
    (50 / 15 + (atHost + others - 51) / 60) / 2 / 1_440,
    12,
  );
});

it('the next run is that of the instance, whatever this workspace needs', async () => {
  const me = await api.signUp();
  const day = '2031-03-10';
  const next = async (at: string) => {
    api.clock.set(at);
    return (await getBudget(me.ctx)).completion.startsAt;
  };
  const open = (at: string, pressure: number) =>
    insertRun(api.services.systemDb, {
      date: at.slice(0, 10),
      openedAt: new Date(at),
      pressure: { ios: pressure },
      shed: {},
    });
  const before = api.clock.now();
  await open(`${addDays(day, -1)}T02:00:00Z`, 0.1);
  expect(await next(`${day}T01:00:00Z`)).toBe(`${day}T02:00:00.000Z`);
  // The day before needed 22 hours and is as full again: 54 minutes after midnight.
  await open(`${day}T02:00:00Z`, 1);
  expect(await next(`${day}T03:00:00Z`)).toBe(`${addDays(day, 1)}T00:54:00.000Z`);
  expect((await simulateBudget(me.ctx, { add: [], remove: [] })).completion.startsAt).toBe(
    `${addDays(day, 1)}T00:54:00.000Z`,
  );
  // A run that a clock opened too early says nothing about the next one.
  await open(`${addDays(day, 9)}T04:00:00Z`, 0.1);
  expect(await next(`${day}T03:00:00Z`)).toBe(`${addDays(day, 1)}T00:54:00.000Z`);
  await api.db.pool.query('delete from runs where date >= $1', [addDays(day, -1)]);
  api.clock.set(before);
});

it('a load is simulated without being written', async () => {
  const me = await api.signUp();
  const app = await insertApp(api, me, { store: 'android', storeAppId: 'com.simulated' });
  await addKeywords(me.ctx, app.id, { phrases: ['one', 'two'], countries: ['us'] });
  const simulated = await simulateBudget(me.ctx, {
    add: [
      { store: 'android', keywords: 100, depth: 200 },
      { store: 'ios', keywords: 50 },
    ],
    remove: [],
    proxies: 2,
  });
  expect(simulated.delta).toMatchObject({ searchesPerDay: 150, requestsPerDay: 936.71 });
  expect(simulated.fanOut[1]!.requests).toBe(879.29);
  expect(simulated.fanOut[1]!.capacity.endpoints).toBe(2);
  const less = await simulateBudget(me.ctx, {
    add: [],
    remove: [{ store: 'android', keywords: 50 }],
  });
  // The pace of a store is not that of its search host.
  const ios = { store: 'ios' as const, keywords: 14_400 };
  const searchProviders = mapStores(defaultProvidersOf);
  const faster = await simulateBudget(
    { ...me.ctx, settings: { ...me.ctx.settings, searchProviders } },
    { add: [ios], remove: [], rpm: { ios: 1_000 } },
  );
  expect(faster.fanOut[0]!.utilization).toBeGreaterThan(14_400 / 21_600);
  expect(less.delta).toMatchObject({ searchesPerDay: -2, requestsPerDay: -17.14 });
  // The database is unchanged: two markets, whose hints the next run fetches for the first time.
  expect((await getBudget(me.ctx)).fanOut[1]!.requests).toBe(29);
});

it('a change beyond the plan’s quota is refused with its name, and not written', async () => {
  const me = await api.signUp();
  const app = await insertApp(api, me);
  const billed: Ctx = { ...me.ctx, settings: { ...me.ctx.settings, billingEnabled: true } };
  const numbered = (from: number) =>
    Array.from({ length: 200 }, (_, index) => `quota ${from + index}`);
  for (let from = 0; from < 1_000; from += 200)
    await addKeywords(billed, app.id, { phrases: numbered(from), countries: ['us'] });
  const refused = await addKeywords(billed, app.id, {
    phrases: ['one more', 'quota 1'],
    countries: ['us'],
  }).catch((error: unknown) => error);
  expect(refused).toMatchObject({
    code: 'quota_keyword_markets',
    detail: {
      quota: {
        kind: 'keywordMarkets',
        limit: 1_000,
        used: 1_000,
        requested: 1,
        plan: 'indie',
        upgradeTo: 'ultimate',
      },
    },
  });
  const { rows } = await api.db.pool.query(
    `select count(*)::int as n from keywords where app_id = $1`,
    [app.id],
  );
  expect(rows[0].n).toBe(1_000);
  expect(
    (await addKeywords(billed, app.id, { phrases: ['quota 1'], countries: ['us'] })).existing,
  ).toHaveLength(1);
});

it('requests of searches and store tasks are computed as in the database', async () => {
  const depths = [1, 24, 30, 31, 55, 56, 100, 200];
  const { rows: searches } = await api.db.pool.query(
    `select s.store, array_agg(search_requests(s, depth) order by depth) as requests
     from stores s cross join unnest($1::int[]) as depth group by s.store, s.rank order by s.rank`,
    [depths],
  );
  expect(searches).toEqual(
    storeNames.map((store) => ({
      store,
      requests: depths.map((depth) => searchRequests(store, depth)),
    })),
  );
  const { rows: tasks } = await api.db.pool.query(
    'select store, kind, usual_requests::float8 as requests from store_task_kinds',
  );
  const known = (store: StoreName, kind: StoreTaskKind) =>
    tasks.find((row) => row.store === store && row.kind === kind)?.requests ?? 0;
  for (const store of storeNames)
    expect(storeTaskKinds.map((kind) => known(store, kind))).toEqual(
      storeTaskKinds.map((kind) => usualTaskRequests(store, kind)),
    );
});

it('a simulation without changes has no difference', () => {
  const capacity = {
    requestsPerMinute: mapStores(() => 15),
    hostRequestsPerMinute: { 'apps.apple.com': 15 },
    endpoints: 1,
    providers: mapStores(defaultProvidersOf),
  };
  expect(budgetDelta([], [], capacity)).toEqual({
    searchesPerDay: 0,
    requestsPerDay: 0,
    firstRunRequests: 0,
    utilizationBefore: 0,
    utilizationAfter: 0,
  });
});

it('counts a run that ended in the millisecond of the last refresh', async () => {
  const me = await api.signUp();
  const endRun = (date: string, at: Date) =>
    api.db.pool.query(
      `insert into runs (date, opened_at, finished_at, state) values ($1, $2, $2, 'finished')
         on conflict (date) do update set finished_at = excluded.finished_at`,
      [date, at],
    );
  const isStale = async () =>
    (
      await api.db.pool.query(
        `select budget_refreshed_at < (select max(finished_at) from runs) as stale from workspaces
           where id = $1`,
        [me.workspaceId],
      )
    ).rows[0].stale as boolean;
  const refresh = async () => {
    while (await isStale()) await refreshStaleBudgets(api.services);
  };
  const now = api.clock.now();
  await endRun('2026-11-20', new Date(now.getTime() - 1));
  await refresh();
  await endRun('2026-11-20', now);
  expect(await isStale()).toBe(true);
  await refresh();
  expect(await isStale()).toBe(false);
  // A clock that was ahead opened and ended the run of a later day.
  const later = addDays(today(), 2);
  await endRun(later, new Date(now.getTime() + 2 * 86_400_000));
  while ((await refreshStaleBudgets(api.services)) > 0);
  expect(await isStale()).toBe(true);
  await api.db.pool.query('delete from runs where date = $1', [later]);
});
