import type { Tx } from '#db/database.ts';
import { listWorkspaceIds, refreshBudgetRows, type BudgetRow } from '#db/queries/budget/budgets.ts';
import { inSystem, type Services } from '../context.ts';

/**
 * Recomputes the cost of a workspace's day. Call it at the end of every transaction that changes
 * keywords or apps: it takes the workspace's lock, and a holder of that lock must not wait for a
 * market.
 */
export function refreshBudget(tx: Tx, scope: { workspaceId: number }): Promise<BudgetRow[]> {
  return refreshBudgetRows(tx, scope.workspaceId, { isChanged: true });
}

/**
 * Refreshes all workspaces after a run has measured the cost of searches, one after another, so
 * that none of them waits for the others.
 */
export async function refreshAllBudgets(services: Pick<Services, 'systemDb'>): Promise<void> {
  for (const id of await listWorkspaceIds(services.systemDb))
    await inSystem(services, (tx) => refreshBudgetRows(tx, id, { isChanged: false }));
}
