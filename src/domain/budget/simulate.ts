import type { z } from 'zod';
import type { jobs } from '../../contract/jobs.ts';
import type { BudgetRow } from '../../db/queries/budgets.ts';
import { inTenant, type Ctx } from '../context.ts';
import {
  budgetDelta,
  expectedRequests,
  hintRequests,
  roundShare,
  utilizationOf,
  type Capacity,
} from './cost.ts';
import { capacityOf, describeBudget, listBudgets } from './read-budget.ts';

type Operation = (typeof jobs)['POST /jobs/budget/simulate'];
export type Simulation = z.output<Operation['body']>;
export type SimulatedBudget = z.input<Operation['responses'][200]>;
type Load = Simulation['add'][number];

/**
 * The budget of a load that is not there yet: more or fewer searches, another pace, another number of addresses. As it lasts:
 * what the first day of new markets asks besides is not in it.
 */
export async function simulateBudget(ctx: Ctx, input: Simulation): Promise<SimulatedBudget> {
  const before = (await inTenant(ctx, (tx) => listBudgets(tx, ctx.workspaceId))).map(asItLasts);
  const after = before.map((row) =>
    input.remove.reduce(withRemoved, input.add.reduce(withAdded(before), row)),
  );
  const now = capacityOf(ctx.settings);
  const capacity: Capacity = {
    requestsPerMinute: {
      ios: input.rpm?.ios ?? now.requestsPerMinute.ios,
      android: input.rpm?.android ?? now.requestsPerMinute.android,
    },
    endpoints: input.proxies === undefined ? now.endpoints : Math.max(1, input.proxies),
  };
  const { searchesPerDay, requestsPerDay } = budgetDelta(before, after, capacity);
  const utilization = roundShare(utilizationOf(after, capacity) - utilizationOf(before, now));
  return {
    ...describeBudget(ctx, after, capacity),
    delta: { searchesPerDay, requestsPerDay, utilization },
  };
}

/** New searches cost what this workspace's others do; without any, the planned upper bound of their depth. */
const withAdded =
  (known: readonly BudgetRow[]) =>
  (row: BudgetRow, load: Load): BudgetRow =>
    load.store !== row.store
      ? row
      : {
          ...row,
          markets: row.markets + load.keywords,
          requests:
            row.requests + load.keywords * expectedRequests(row.store, load.depth ?? 200, known),
          chores: withHints(row, (jobs, requests) => [
            jobs + load.keywords / 7,
            requests + (load.keywords / 7) * hintRequests,
          ]),
        };

/** Of what is there, at its average cost; no more than there is. */
function withRemoved(row: BudgetRow, load: Load): BudgetRow {
  if (load.store !== row.store || row.markets === 0) return row;
  const left = Math.max(0, row.markets - load.keywords);
  const share = left / row.markets;
  return {
    ...row,
    markets: left,
    requests: row.requests * share,
    chores: withHints(row, (jobs, requests) => [jobs * share, requests * share]),
  };
}

function asItLasts(row: BudgetRow): BudgetRow {
  const { firstHints: _, ...chores } = row.chores;
  return { ...row, chores };
}

function withHints(
  row: BudgetRow,
  change: (jobs: number, requests: number) => [number, number],
): BudgetRow['chores'] {
  return { ...row.chores, hints: change(...(row.chores.hints ?? [0, 0])) };
}
