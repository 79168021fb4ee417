import type { z } from 'zod';
import type { admin } from '#contract/admin.ts';
import {
  countVisited,
  listInstanceBudgets,
  listLargestWorkspaces,
  type InstanceBudget,
  type LargeWorkspace,
} from '#db/queries/admin/instance-budgets.ts';
import type { BudgetRow } from '#db/queries/budget/budgets.ts';
import { roundRequests, roundShare } from '#domain/base/budget/cost.ts';
import { describeBudget, findNextOpening, readCapacity } from '#domain/base/budget/get-budget.ts';
import { planOf } from '#domain/base/plans/plans.ts';
import { stateOf } from '../billing/workspace-status.ts';
import type { Ctx } from '#domain/base/context.ts';
import { storeNames, storeTaskKinds, type StoreName } from '#domain/base/ports.ts';

export type InstanceCapacity = z.input<(typeof admin)['GET /admin/capacity']['responses'][200]>;
type Consumer = InstanceCapacity['consumers'][number];

const consumersMax = 20;

/**
 * The store requests of all workspaces in the daily run, against capacity, with the largest
 * consumers.
 */
export async function getCapacity(ctx: Ctx): Promise<InstanceCapacity> {
  const [budgets, visited, largest, startsAt, capacity] = await Promise.all([
    listInstanceBudgets(ctx.systemDb),
    countVisited(ctx.systemDb),
    listLargestWorkspaces(ctx.systemDb, consumersMax),
    findNextOpening(ctx.systemDb, ctx),
    readCapacity(ctx.systemDb, ctx.settings),
  ]);
  const sums = storeNames.map((store) =>
    toBudgetRow(
      store,
      budgets.filter((row) => row.store === store),
    ),
  );
  const all = budgets.reduce((sum, { requests }) => sum + requests, 0);
  return {
    ...describeBudget(sums, { capacity, startsAt }),
    workspaces: visited.workspaces,
    searches: sums.map(({ store, markets }) => ({
      store,
      asked: markets,
      distinct: visited.markets[store],
    })),
    consumers: largest.map((workspace) => describeConsumer(ctx, workspace, all)),
  };
}

function toBudgetRow(store: StoreName, kinds: readonly InstanceBudget[]): BudgetRow {
  const of = (kind: InstanceBudget['kind']) => kinds.find((row) => row.kind === kind);
  const tasks = [...storeTaskKinds, 'firstHints' as const].flatMap((kind) => of(kind) ?? []);
  return {
    store,
    markets: of('rank-check')?.jobs ?? 0,
    requests: of('rank-check')?.requests ?? 0,
    learned: of('learned') !== undefined,
    listings: of('app-refresh')?.jobs ?? 0,
    listingRequests: of('app-refresh')?.requests ?? 0,
    storeTasks: Object.fromEntries(
      tasks.map(({ kind, jobs, requests }) => [kind, [jobs, requests]]),
    ),
  };
}

/** Excludes the probes, which belong to the instance. */
function describeConsumer(ctx: Ctx, workspace: LargeWorkspace, all: number): Consumer {
  const { workspaceId, name, owners, plan, markets, requests } = workspace;
  return {
    workspaceId,
    name,
    owners,
    state: stateOf(workspace, ctx.clock.now(), ctx.settings.billingEnabled),
    plan: plan === null ? null : planOf(plan).name,
    keywordMarkets: markets,
    requestsPerDay: roundRequests(requests),
    share: roundShare(requests / all),
  };
}
