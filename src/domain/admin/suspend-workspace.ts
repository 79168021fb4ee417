import { findAnyWorkspace, updateSuspension } from '../../db/queries/admin.ts';
import { lockWorkspace } from '../../db/queries/budgets.ts';
import { utcDayOf } from '../../lib/dates.ts';
import { writeAudit } from '../audit/write-audit.ts';
import { settleWorkspace } from '../billing/settle-workspace.ts';
import { inSystem, type Ctx } from '../context.ts';
import { notFound } from '../errors.ts';
import { getAnyWorkspace, type AdminWorkspace, type PendingUse } from './workspaces.ts';

/**
 * Suspends a workspace (`reason`) or ends its suspension (null), with what follows for the daily run. Of two suspensions the first
 * instant stands and the last reason. Again changes nothing, and writes nothing down. Throws not_found.
 */
export function suspendWorkspace(
  ctx: Ctx,
  workspaceId: number,
  reason: string | null,
  pending: PendingUse,
): Promise<AdminWorkspace> {
  return inSystem(ctx, async (tx) => {
    const isThere = await settleWorkspace(tx, ctx, workspaceId, async () => {
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
