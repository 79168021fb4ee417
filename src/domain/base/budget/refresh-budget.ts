import type { Tx } from '#db/database.ts';
import {
  refreshAllBudgetRows,
  refreshBudgetRows,
  type BudgetRow,
} from '#db/queries/budget/budgets.ts';

/**
 * Recomputes the cost of a workspace's day. Call it at the end of every transaction that changes
 * keywords or apps: it takes the workspace's lock, and a holder of that lock must not wait for a
 * market.
 */
export function refreshBudget(tx: Tx, scope: { workspaceId: number }): Promise<BudgetRow[]> {
  return refreshBudgetRows(tx, scope.workspaceId);
}

/**
 * Refreshes all workspaces after a run has measured the cost of searches. Needs a transaction of
 * the system role.
 */
export function refreshAllBudgets(systemTx: Tx): Promise<void> {
  return refreshAllBudgetRows(systemTx);
}
