import type { Tx } from '#db/database.ts';
import {
  listDemand,
  listStaleBudgets,
  lockWorkspace,
  markBudgetRefreshed,
  requestReconciliation,
  tryLockWorkspace,
  writeBudgetRows,
  type BudgetRow,
} from '#db/queries/budget/budgets.ts';
import { listKnownDemand, type UnseenKeyword } from '#db/queries/budget/known-demand.ts';
import { utcDayOf, type UtcDay } from '#lib/dates.ts';
import { inSystem, type Ctx, type Services } from '../context.ts';

const batchSize = 200;
const refreshMs = 300;

/**
 * Recomputes the cost of a workspace's day. Call it at the end of every transaction that changes
 * keywords or apps: it takes the workspace's lock, and a holder of that lock must not wait for a
 * market. When all that changed is the addition of `unseen` keywords, the other markets are not
 * read.
 */
export async function refreshBudget(
  tx: Tx,
  { workspaceId, clock }: Pick<Ctx, 'workspaceId' | 'clock'>,
  unseen?: UnseenKeyword[],
): Promise<BudgetRow[]> {
  await lockWorkspace(tx, workspaceId);
  await requestReconciliation(tx, workspaceId);
  const rows = unseen
    ? await listKnownDemand(tx, workspaceId, unseen)
    : await listDemand(tx, workspaceId, { today: utcDayOf(clock.now()) });
  await writeBudgetRows(tx, workspaceId, rows);
  return rows;
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
  const today = utcDayOf(services.clock.now());
  for (const id of await listStaleBudgets(services.systemDb, { today, limit: batchSize })) {
    if (await refreshAfterRun(services, id, today)) count += 1;
    if (performance.now() > endMs) break;
  }
  return count;
}

/** False for a workspace that another transaction has locked. */
const refreshAfterRun = (
  services: Pick<Services, 'systemDb'>,
  workspaceId: number,
  today: UtcDay,
): Promise<boolean> =>
  inSystem(services, async (tx) => {
    if (!(await tryLockWorkspace(tx, workspaceId))) return false;
    await markBudgetRefreshed(tx, workspaceId, today);
    await writeBudgetRows(tx, workspaceId, await listDemand(tx, workspaceId, { today }));
    return true;
  });
