import type { z } from 'zod';
import type { jobs } from '#contract/jobs.ts';
import type { BudgetRow } from '#db/queries/budget/budgets.ts';
import { inTenant, type Ctx } from '../context.ts';
import { budgetDelta, expectedRequests, roundShare, utilizationOf, type Capacity } from './cost.ts';
import { mapStores, usualTaskRequests } from '../ports.ts';
import { describeBudget, findNextOpening, listBudgets, readCapacity } from './get-budget.ts';

type Operation = (typeof jobs)['POST /jobs/budget/simulate'];
export type Simulation = z.output<Operation['body']>;
export type SimulatedBudget = z.input<Operation['responses'][200]>;
type Load = Simulation['add'][number];

/**
 * Simulates the budget of another load: more or fewer searches, another pace, another number of
 * addresses. It describes an ordinary day, without the one-time requests of new markets.
 */
export async function simulateBudget(ctx: Ctx, input: Simulation): Promise<SimulatedBudget> {
  const { now, stored, startsAt } = await inTenant(ctx, async (tx) => ({
    now: await readCapacity(tx, ctx.settings),
    stored: await listBudgets(tx, ctx.workspaceId),
    startsAt: await findNextOpening(tx, ctx),
  }));
  const before = stored.map(asItLasts);
  const after = before.map((row) =>
    input.remove.reduce(withRemoved, input.add.reduce(withAdded(before), row)),
  );
  // A pace is that of the store's setting; hosts keep those of theirs.
  const capacity: Capacity = {
    ...now,
    requestsPerMinute: mapStores(({ id }) => input.rpm?.[id] ?? now.requestsPerMinute[id]),
    endpoints: input.proxies === undefined ? now.endpoints : Math.max(1, input.proxies),
  };
  const { searchesPerDay, requestsPerDay } = budgetDelta(before, after, capacity);
  const utilization = roundShare(utilizationOf(after, capacity) - utilizationOf(before, now));
  return {
    ...describeBudget(after, { capacity, startsAt }),
    delta: { searchesPerDay, requestsPerDay, utilization },
  };
}

/**
 * New searches cost the average of this workspace's; without any, the upper bound of their depth.
 */
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
          storeTasks: withHints(row, (jobs, requests) => [
            jobs + load.keywords / 7,
            requests + (load.keywords / 7) * usualTaskRequests(row.store, 'hints'),
          ]),
        };

/** Removed searches cost the average; no more can be removed than exist. */
function withRemoved(row: BudgetRow, load: Load): BudgetRow {
  if (load.store !== row.store || row.markets === 0) return row;
  const left = Math.max(0, row.markets - load.keywords);
  const share = left / row.markets;
  return {
    ...row,
    markets: left,
    requests: row.requests * share,
    storeTasks: withHints(row, (jobs, requests) => [jobs * share, requests * share]),
  };
}

function asItLasts(row: BudgetRow): BudgetRow {
  const { firstHints: _, ...storeTasks } = row.storeTasks;
  return { ...row, storeTasks };
}

function withHints(
  row: BudgetRow,
  change: (jobs: number, requests: number) => [number, number],
): BudgetRow['storeTasks'] {
  return { ...row.storeTasks, hints: change(...(row.storeTasks.hints ?? [0, 0])) };
}
