import { findSuspension, updateDeletion } from '../../db/queries/workspaces.ts';
import type { Tx } from '../../db/database.ts';
import { writeAuditOf, writtenBy } from '../audit/write-audit.ts';
import { settleWorkspace } from '../billing/settle-workspace.ts';
import { inSystem, type Ctx, type Services } from '../context.ts';
import { notFound } from '../errors.ts';
import { getWorkspace, type WorkspaceDetail } from './workspace.ts';

/** Takes the deletion back: all is as before, but a plan that was paid for has ended. Again changes nothing. Throws not_found once it is gone. */
export async function restoreWorkspace(ctx: Ctx): Promise<WorkspaceDetail> {
  await inSystem(ctx, (tx) =>
    unmarkDeleted(tx, ctx, { workspaceId: ctx.workspaceId, ...writtenBy(ctx.actor) }),
  );
  return getWorkspace(ctx);
}

/** Throws not_found for a workspace whose days of grace are over: it may be going this moment. */
export async function unmarkDeleted(
  tx: Tx,
  services: Pick<Services, 'clock' | 'settings'>,
  { workspaceId, ...by }: { workspaceId: number; actor: string; credential: string },
): Promise<void> {
  const isThere = await settleWorkspace(tx, services, workspaceId, async () => {
    const deleteAt = (await findSuspension(tx, workspaceId))?.deleteAt;
    if (!deleteAt) return;
    if (deleteAt <= services.clock.now()) throw notFound();
    await updateDeletion(tx, workspaceId, null);
    await writeAuditOf(
      tx,
      { workspaceId, clock: services.clock },
      { action: 'workspace.restored', subject: null, ...by },
    );
  });
  if (!isThere) throw notFound();
}
