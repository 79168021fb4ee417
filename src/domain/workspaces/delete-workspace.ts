import { lockPlan } from '../../db/queries/payments.ts';
import { findSuspension, findWorkspace, updateDeletion } from '../../db/queries/workspaces.ts';
import type { Tx } from '../../db/database.ts';
import { writeAudit, writtenBy } from '../audit/write-audit.ts';
import { applyPlan } from '../billing/apply-plan.ts';
import { stopPaying } from '../billing/pay.ts';
import { settleWorkspace } from '../billing/settle-workspace.ts';
import { endOfGrace } from '../billing/states.ts';
import { inSystem, type Ctx } from '../context.ts';
import { invalid, notFound } from '../errors.ts';

/**
 * Deletes the workspace; until the days of grace are over it is as if suspended, and an owner can take it back. What is paid for it
 * ends first. Answers when it is gone for good. Throws invalid_request when the name is not repeated exactly, PaymentError; then
 * nothing was done.
 */
export async function deleteWorkspace(ctx: Ctx, confirmName: string): Promise<Date> {
  await inSystem(ctx, (tx) => requireName(tx, ctx, confirmName));
  await stopPaying(ctx);
  return inSystem(ctx, (tx) =>
    markDeleted(tx, ctx, endOfGrace(ctx.clock.now()), () => requireName(tx, ctx, confirmName)),
  );
}

/** Marks the workspace of `ctx`, with what follows for its plan and the daily run. One that is marked already stays as it is. */
export async function markDeleted(
  tx: Tx,
  ctx: Ctx,
  deleteAt: Date,
  judge?: () => Promise<void>,
): Promise<Date> {
  const { workspaceId } = ctx;
  let stands = deleteAt;
  const isThere = await settleWorkspace(tx, ctx, workspaceId, async () => {
    const plan = await lockPlan(tx, workspaceId);
    const before = await findSuspension(tx, workspaceId);
    await judge?.();
    if (!before || !plan) return;
    if (before.deleteAt) return void (stands = before.deleteAt);
    await updateDeletion(tx, workspaceId, deleteAt);
    await writeAudit(tx, ctx, {
      action: 'workspace.deleted',
      subject: null,
      detail: { purgeAt: deleteAt.toISOString() },
    });
    // Paid for until a moment ago; the provider's own word of it may come late.
    if (plan.subscription !== null && !plan.isByHand)
      await applyPlan(tx, ctx, workspaceId, {
        occurrence: 'plan_ended',
        plan: null,
        from: { subscription: null },
        by: writtenBy(ctx.actor),
      });
  });
  if (!isThere) throw notFound();
  return stands;
}

async function requireName(tx: Tx, { workspaceId }: Ctx, confirmName: string): Promise<void> {
  const workspace = await findWorkspace(tx, workspaceId);
  if (!workspace) throw notFound();
  if (workspace.name !== confirmName)
    throw invalid('confirmName', 'the name of the workspace, exactly');
}
