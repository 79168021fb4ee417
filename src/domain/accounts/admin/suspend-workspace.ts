import { findAnyWorkspace, updateSuspension } from '#db/queries/admin/admin.ts';
import { lockWorkspace } from '#db/queries/budget/budgets.ts';
import { utcDayOf } from '#lib/dates.ts';
import { writeAudit } from '#domain/base/audit/write-audit.ts';
import { reconcileWorkspace } from '../billing/reconcile-workspace.ts';
import { inSystem, type Ctx } from '#domain/base/context.ts';
import { notFound } from '#domain/base/errors.ts';
import { getAnyWorkspace, type AdminWorkspace, type PendingUsage } from './list-workspaces.ts';

/**
 * Suspends a workspace (`reason`) or ends its suspension (null), with its effects on the daily run.
 * A second suspension keeps the first instant and takes the new reason. Repeating a call changes
 * and logs nothing. Throws not_found.
 */
export function suspendWorkspace(
  ctx: Ctx,
  workspaceId: number,
  reason: string | null,
  pending: PendingUsage,
): Promise<AdminWorkspace> {
  return inSystem(ctx, async (tx) => {
    const isThere = await reconcileWorkspace(tx, ctx, workspaceId, async () => {
      await lockWorkspace(tx, workspaceId);
      const before = await findAnyWorkspace(tx, workspaceId, utcDayOf(ctx.clock.now()));
      if (!before || before.suspendedReason === reason) return;
      await updateSuspension(
        tx,
        workspaceId,
        reason === null ? null : { at: before.suspendedAt ?? ctx.clock.now(), reason },
      );
      const entry =
        reason === null
          ? ({ action: 'workspace.unsuspended', subject: null } as const)
          : ({ action: 'workspace.suspended', subject: null, detail: { reason } } as const);
      await writeAudit(tx, { ...ctx, workspaceId }, entry);
    });
    if (!isThere) throw notFound();
    return getAnyWorkspace(tx, ctx, workspaceId, pending);
  });
}
