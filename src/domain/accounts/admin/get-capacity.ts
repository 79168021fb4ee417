import type { z } from 'zod';
import type { admin } from '#contract/admin.ts';
import { countVisited, findAnyWorkspace, listVisitedBudgets } from '#db/queries/admin/admin.ts';
import type { BudgetRow } from '#db/queries/budget/budgets.ts';
import { utcDayOf } from '#lib/dates.ts';
import { type Capacity, roundRequests, roundShare, storeDay } from '#domain/base/budget/cost.ts';
import { capacityOf, describeBudget } from '#domain/base/budget/get-budget.ts';
import { planOf } from '#domain/base/plans/plans.ts';
import { stateOf } from '../billing/workspace-status.ts';
import type { Ctx } from '#domain/base/context.ts';
import { storeNames, type StoreName } from '#domain/base/ports.ts';

export type InstanceCapacity = z.input<(typeof admin)['GET /admin/capacity']['responses'][200]>;
type Consumer = InstanceCapacity['consumers'][number];

const consumersMax = 20;

/**
 * The store requests of all workspaces in the daily run, against capacity, with the largest
 * consumers.
 */
export async function getCapacity(ctx: Ctx): Promise<InstanceCapacity> {
  const [rows, visited] = await Promise.all([
    listVisitedBudgets(ctx.systemDb),
    countVisited(ctx.systemDb),
  ]);
  const sums = storeNames.map((store) => sumOf(store, rows));
  return {
    ...describeBudget(ctx, sums, capacityOf(ctx.settings)),
    workspaces: visited.workspaces,
    searches: sums.map(({ store, markets }) => ({
      store,
      asked: markets,
      distinct: visited.markets[store],
    })),
    consumers: await nameHeaviest(ctx, rows),
  };
}

function sumOf(store: StoreName, rows: readonly BudgetRow[]): BudgetRow {
  const own = rows.filter((row) => row.store === store);
  const total = (read: (row: BudgetRow) => number) => own.reduce((sum, row) => sum + read(row), 0);
  const kinds = [
    ...new Set(own.flatMap((row) => Object.keys(row.storeTasks))),
  ] as (keyof BudgetRow['storeTasks'])[];
  const ofKind = (kind: keyof BudgetRow['storeTasks'], at: 0 | 1) =>
    total((row) => row.storeTasks[kind]?.[at] ?? 0);
  return {
    store,
    markets: total((row) => row.markets),
    requests: total((row) => row.requests),
    learned: own.some((row) => row.learned),
    listings: total((row) => row.listings),
    listingRequests: total((row) => row.listingRequests),
    storeTasks: Object.fromEntries(kinds.map((kind) => [kind, [ofKind(kind, 0), ofKind(kind, 1)]])),
  };
}

/** Excludes the probes, which belong to the instance. */
function requestsOf(capacity: Capacity, row: BudgetRow): number {
  const day = storeDay(capacity, row);
  return day.requests - day.probes;
}

async function nameHeaviest(
  ctx: Ctx,
  rows: Awaited<ReturnType<typeof listVisitedBudgets>>,
): Promise<Consumer[]> {
  const loads = new Map<number, { markets: number; requests: number }>();
  for (const row of rows) {
    const { markets, requests } = loads.get(row.workspaceId) ?? { markets: 0, requests: 0 };
    loads.set(row.workspaceId, {
      markets: markets + row.markets,
      requests: requests + requestsOf(capacityOf(ctx.settings), row),
    });
  }
  const all = [...loads.values()].reduce((sum, load) => sum + load.requests, 0);
  const heaviest = [...loads]
    .filter(([, load]) => load.requests > 0)
    .toSorted(([a, one], [b, other]) => other.requests - one.requests || a - b)
    .slice(0, consumersMax);
  const now = ctx.clock.now();
  const consumers = heaviest.map(async ([workspaceId, load]): Promise<Consumer[]> => {
    const row = await findAnyWorkspace(ctx.systemDb, workspaceId, utcDayOf(now));
    if (!row) return [];
    const { name, owners } = row;
    const state = stateOf(row, now, ctx.settings.billingEnabled);
    const plan = row.plan === null ? null : planOf(row.plan).name;
    const share = roundShare(load.requests / all);
    return [
      {
        workspaceId,
        name,
        owners,
        state,
        plan,
        keywordMarkets: load.markets,
        requestsPerDay: roundRequests(load.requests),
        share,
      },
    ];
  });
  return (await Promise.all(consumers)).flat();
}
