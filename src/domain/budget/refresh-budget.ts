import type { Tx } from '../../db/database.ts';
import {
  refreshAllBudgetRows,
  refreshBudgetRows,
  type BudgetRow,
} from '../../db/queries/budgets.ts';

/**
 * Recomputes what a workspace's day costs. To be called at the end of every transaction that changes its keywords or apps:
 * it takes the workspace's lock, and whoever holds that must not wait for a market any more.
 */
export function refreshBudget(tx: Tx, scope: { workspaceId: number }): Promise<BudgetRow[]> {
  return refreshBudgetRows(tx, scope.workspaceId);
}

/** The same for all workspaces, when a run has taught what searches cost. Only in a transaction of the system role. */
export function refreshAllBudgets(systemTx: Tx): Promise<void> {
  return refreshAllBudgetRows(systemTx);
}
