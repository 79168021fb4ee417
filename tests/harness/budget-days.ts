import { getBudget } from '#domain/base/budget/get-budget.ts';
import { inSystem } from '#domain/base/context.ts';
import { refreshBudget, refreshStaleBudgets } from '#domain/base/budget/refresh-budget.ts';
import { addDays, type UtcDay } from '#lib/dates.ts';
import { listDeviceIds, storeNames, type StoreName } from '#stores/profiles.ts';
import { readerOf } from './history.ts';
import type { Pipeline, TrackedMarket } from './pipeline.ts';
import { makePhrases } from './ground-truth.ts';

export interface BudgetDay {
  day: UtcDay;
  store: StoreName;
  /** The estimate of GET /jobs/budget before the day. */
  estimated: number;
  /** The requests that the simulator then received. */
  received: number;
  /**
   * The part that only a first day requests: searches that confirm a market's short first result,
   * the full first fetch of a feed, and charts of categories known only after an app's first fetch.
   */
  onlyOnce: number;
  /** The most lookups of names, one per country and device; fewer on a day without new apps. */
  nameLookups: number;
  /** The part of hints: all markets' on their first day, then a seventh of them. */
  hints: { estimated: number; received: number };
}

/**
 * A workspace with three apps for each store, each in markets of its own: half of the Android ones
 * show 30 positions, the others all.
 */
export async function trackOwnMarkets(
  pipeline: Pipeline,
  marketsEach: number,
): Promise<TrackedMarket[]> {
  pipeline.simulator.setSearchModes([
    { store: 'android', mode: 'deep' },
    ...['de', 'br'].map((country) => ({
      store: 'android' as const,
      country,
      mode: 'web30' as const,
    })),
  ]);
  const tracked: TrackedMarket[] = [];
  for (const store of storeNames) {
    for (let number = 0; number < 3; number++) {
      const storeAppId =
        store === 'ios'
          ? String(1_500_000_001 + number)
          : ['app.lumen.habits', 'app.babel.translate', 'app.exact.counter'][number]!;
      const devices = listDeviceIds(store);
      const phrases = makePhrases(marketsEach * 3)
        .filter((_, index) => index % 3 === number)
        .map((name, index) => ({ ...name, device: devices[index % devices.length]! }));
      tracked.push(...(await pipeline.track({ store, storeAppId }, phrases)));
    }
  }
  // One search or fetch serves all workspaces: an estimate is exact only for a sole one.
  await pipeline.db.pool.query(`
    with home as (select min(id) as id from workspaces), moved as (update apps
      set workspace_id = home.id from home)
    update keywords set workspace_id = home.id from home`);
  const { services } = pipeline.runtime;
  for (const { id } of (await pipeline.db.pool.query('select id from workspaces')).rows)
    await inSystem(services, (tx) => refreshBudget(tx, { ...services, workspaceId: id }));
  return tracked;
}

/** Runs days and returns the budget's estimate with the requests that the stores received. */
export async function runBudgetDays(
  pipeline: Pipeline,
  firstDay: UtcDay,
  days: number,
): Promise<BudgetDay[]> {
  const held: BudgetDay[] = [];
  for (let index = 0; index < days; index++) {
    const day = addDays(firstDay, index);
    const fanOut = await estimate(pipeline);
    pipeline.simulator.clearLog();
    await pipeline.runDay(day);
    for (const { store, requests, kinds } of fanOut) {
      // Pictures are on hosts with a pace of their own, and no part of the budget.
      const requested = pipeline.simulator
        .log()
        .filter((entry) => entry.store === store && entry.kind !== 'image');
      const count = (kind: string) => requested.filter((entry) => entry.kind === kind).length;
      const searches = requested
        .filter((entry) => entry.kind === 'search')
        .map((entry) => entry.path);
      const beyond = (kind: string, load: { requests: number }) =>
        Math.max(0, count(kind) - load.requests);
      const onlyOnce =
        searches.length -
        new Set(searches).size +
        beyond('reviews', kinds.reviews) +
        beyond('chart', kinds.charts);
      held.push({
        day,
        store,
        estimated: requests,
        received: requested.length,
        onlyOnce,
        nameLookups: await countNameLookups(pipeline, store),
        hints: { estimated: kinds.hints.requests, received: count('hints') },
      });
    }
  }
  return held;
}

async function countNameLookups(pipeline: Pipeline, store: StoreName): Promise<number> {
  const { rows } = await pipeline.db.pool.query<{ lookups: number }>(
    'select count(distinct (country, device))::int * max(result_lookups) as lookups ' +
      'from markets join stores using (store) where store = $1',
    [store],
  );
  return rows[0]!.lookups;
}

/** After the periodic task that follows the run of the day before. */
async function estimate(pipeline: Pipeline) {
  while ((await refreshStaleBudgets(pipeline.runtime.services)) > 0);
  const { rows } = await pipeline.db.pool.query<{ workspace_id: number }>(
    'select min(workspace_id) as workspace_id from apps',
  );
  return (
    await getBudget(
      readerOf(pipeline.db, rows[0]!.workspace_id, pipeline.clock.now().toISOString()),
    )
  ).fanOut;
}
