import {
  listWorkspacesToReconcile,
  lockWorkspaceWithMarkets,
  scheduleReconciliation,
  type WorkspaceStatusRow,
} from '#db/queries/billing/workspace-statuses.ts';
import { listWorkspaceIds } from '#db/queries/budget/budgets.ts';
import { gracePeriodBegunAt, gracePeriodEndsAt } from '#domain/base/plans/over-limit.ts';
import { inSystem, type Services } from '#domain/base/context.ts';
import { countHeld, evaluateWorkspaceStatus, reconcileWorkspace } from './reconcile-workspace.ts';

const startedWith = new WeakSet<Services>();

/**
 * Finds workspaces whose state, plan or number of markets differs from what the daily run uses: an
 * ended trial, a paid plan, a week above the limit. A process that starts looks at all of them,
 * because billing may have been switched on or off, and plans may have changed. A failure is
 * retried and does not block others. Returns the number of reconciled ones.
 */
export async function reconcileWorkspaces(services: Services): Promise<number> {
  const { systemDb, clock, log } = services;
  const now = clock.now();
  const ids = startedWith.has(services)
    ? await listWorkspacesToReconcile(systemDb, { now, graceFrom: gracePeriodBegunAt(now) })
    : await listWorkspaceIds(systemDb);
  let [done, hasFailed] = [0, false];
  for (const id of ids) {
    try {
      if (await isReconciled(services, id)) continue;
      // It stays due: changes may have come meanwhile.
      if (await inSystem(services, (tx) => reconcileWorkspace(tx, services, id))) done += 1;
    } catch (error) {
      hasFailed = true;
      log.warn(
        { workspaceId: id, error: (error as Error).message },
        'reconciling failed, will retry',
      );
    }
  }
  // At a start, one that failed may not be due.
  if (!hasFailed) startedWith.add(services);
  return done;
}

/** A reconciled workspace is due again when its trial or its grace period ends. */
function isReconciled(services: Services, workspaceId: number): Promise<boolean> {
  return inSystem(services, async (tx) => {
    const found = await lockWorkspaceWithMarkets(tx, workspaceId);
    if (found === undefined) return true;
    const { markets, heldMarkets, ...row } = found;
    const evaluated = evaluateWorkspaceStatus(services, row, markets);
    const isDone =
      evaluated.status === row.status &&
      evaluated.dailyRunPaused === row.dailyRunPaused &&
      (evaluated.overLimitSince === null) === (row.overLimitSince === null) &&
      countHeld(services, evaluated, markets) === heldMarkets;
    if (isDone) await scheduleReconciliation(tx, workspaceId, nextChange(services, row));
    return isDone;
  });
}

function nextChange({ clock, settings }: Services, row: WorkspaceStatusRow): Date | null {
  if (!settings.billingEnabled) return null;
  const { status, trialEndsAt, overLimitSince } = row;
  const instants = [
    status === 'trial' ? trialEndsAt : null,
    overLimitSince && gracePeriodEndsAt(overLimitSince),
  ].filter((at) => at !== null && at > clock.now());
  return instants.toSorted((a, b) => a!.getTime() - b!.getTime())[0] ?? null;
}
