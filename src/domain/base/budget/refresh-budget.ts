import type { Tx } from '#db/database.ts';
import {
  listStaleBudgets,
  markBudgetRefreshed,
  refreshBudgetRows,
  tryLockWorkspace,
  type BudgetRow,
} from '#db/queries/budget/budgets.ts';
import { inSystem, type Services } from '../context.ts';

const batchSize = 200;
const refreshMs = 300;

/**
 * Recomputes the cost of a workspace's day. Call it at the end of every transaction that changes
 * keywords or apps: it takes the workspace's lock, and a holder of that lock must not wait for a
 * market.
 */
export function refreshBudget(tx: Tx, scope: { workspaceId: number }): Promise<BudgetRow[]> {
  return refreshBudgetRows(tx, scope.workspaceId, { isChanged: true });
}

/**
 * Refreshes budgets that are older than the last run, which has measured the cost of searches. It
 * takes one workspace at a time and stops after a third of a second, so that neither additions of
 * keywords nor the scheduler wait for all of them. Workspaces that are being changed come later.
 * Returns the number of refreshed ones.
 */
export async function refreshStaleBudgets(
  services: Pick<Services, 'systemDb' | 'clock'>,
): Promise<number> {
  const endMs = performance.now() + refreshMs;
  let count = 0;
  for (const id of await listStaleBudgets(services.systemDb, batchSize)) {
    if (await refreshAfterRun(services, id)) count += 1;
    if (performance.now() > endMs) break;
  }
  return count;
}

/** False for a workspace that another transaction has locked. */
const refreshAfterRun = (
  services: Pick<Services, 'systemDb' | 'clock'>,
  workspaceId: number,
): Promise<boolean> =>
  inSystem(services, async (tx) => {
    if (!(await tryLockWorkspace(tx, workspaceId))) return false;
    await refreshBudgetRows(tx, workspaceId, { isChanged: false });
    await markBudgetRefreshed(tx, workspaceId, services.clock.now());
    return true;
  });
