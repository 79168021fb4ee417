import { listWorkspaceStatuses } from '#db/queries/billing/workspace-statuses.ts';
import { inSystem, type Services } from '#domain/base/context.ts';
import { countHeld, evaluateWorkspaceStatus, reconcileWorkspace } from './reconcile-workspace.ts';

/**
 * Finds workspaces whose state, plan or number of markets differs from what the daily run uses: an
 * ended trial, a paid plan, a week above the limit, billing switched off. Returns the number of
 * reconciled ones.
 */
export async function reconcileWorkspaces(services: Services): Promise<number> {
  let done = 0;
  for (const { markets, heldMarkets, ...row } of await listWorkspaceStatuses(services.systemDb)) {
    const evaluated = evaluateWorkspaceStatus(services, row, markets);
    const isDone =
      evaluated.status === row.status &&
      evaluated.dailyRunPaused === row.dailyRunPaused &&
      (evaluated.overLimitSince === null) === (row.overLimitSince === null) &&
      countHeld(services, evaluated, markets) === heldMarkets;
    if (isDone) continue;
    if (await inSystem(services, (tx) => reconcileWorkspace(tx, services, row.id))) done += 1;
  }
  return done;
}
