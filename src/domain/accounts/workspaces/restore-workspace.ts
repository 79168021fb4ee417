import { findSuspension, updateDeletion } from '#db/queries/workspaces/workspaces.ts';
import type { Tx } from '#db/database.ts';
import { writeAuditOf, writtenBy } from '#domain/base/audit/write-audit.ts';
import { explainSuspension } from '../billing/explain-suspension.ts';
import { reconcileWorkspace } from '../billing/reconcile-workspace.ts';
import { inSystem, type Ctx, type Services } from '#domain/base/context.ts';
import { notFound } from '#domain/base/errors.ts';
import { getWorkspace, type WorkspaceDetail } from './workspace.ts';

/**
 * Restores a deleted workspace as it was, except a paid plan, which has ended. A second call
 * changes nothing. Throws not_found once it is removed, and workspace_suspended when an operator
 * suspended it and nobody deleted it.
 */
export async function restoreWorkspace(ctx: Ctx): Promise<WorkspaceDetail> {
  const found = await findSuspension(ctx.systemDb, ctx.workspaceId);
  if (found?.suspendedAt && !found.deleteAt) throw await explainSuspension(ctx, ctx.workspaceId);
  await inSystem(ctx, (tx) =>
    unmarkDeleted(tx, ctx, { workspaceId: ctx.workspaceId, ...writtenBy(ctx.actor) }),
  );
  return getWorkspace(ctx);
}

/** Throws not_found after the grace period: the removal may be in progress. */
export async function unmarkDeleted(
  tx: Tx,
  services: Pick<Services, 'clock' | 'settings'>,
  { workspaceId, ...by }: { workspaceId: number; actor: string; credential: string },
): Promise<void> {
  const isThere = await reconcileWorkspace(tx, services, workspaceId, async () => {
    const now = services.clock.now();
    const deleteAt = (await findSuspension(tx, workspaceId))?.deleteAt;
    if (!deleteAt) return;
    if (deleteAt <= now) throw notFound();
    await updateDeletion(tx, workspaceId, null);
    await writeAuditOf(
      tx,
      { workspaceId, clock: services.clock },
      { action: 'workspace.restored', subject: null, ...by },
    );
  });
  if (!isThere) throw notFound();
}
