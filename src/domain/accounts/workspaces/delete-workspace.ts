import { lockPlan, updatePlan } from '#db/queries/billing/payments.ts';
import {
  findSuspension,
  findWorkspace,
  updateDeletion,
} from '#db/queries/workspaces/workspaces.ts';
import type { Tx } from '#db/database.ts';
import { writeAudit, writtenBy } from '#domain/base/audit/write-audit.ts';
import { applyPlan } from '../billing/apply-plan.ts';
import { cancelSubscription } from '../billing/checkout.ts';
import { reconcileWorkspace } from '../billing/reconcile-workspace.ts';
import { graceEndsAt } from '../billing/workspace-status.ts';
import { inSystem, type Ctx } from '#domain/base/context.ts';
import { invalid, notFound } from '#domain/base/errors.ts';

/**
 * Deletes the workspace. During the grace period it is suspended and an owner can restore it. Its
 * subscription ends first. Returns the time of the final deletion. Throws invalid_request when the
 * name is not repeated exactly, and PaymentError; in both cases nothing is changed.
 */
export async function deleteWorkspace(ctx: Ctx, confirmName: string): Promise<Date> {
  await inSystem(ctx, (tx) => requireName(tx, ctx, confirmName));
  await cancelSubscription(ctx);
  return inSystem(ctx, (tx) =>
    markDeleted(tx, ctx, graceEndsAt(ctx.clock.now()), () => requireName(tx, ctx, confirmName)),
  );
}

/**
 * Marks the workspace of `ctx` as deleted, with the effects on its plan and the daily run. One that
 * is already marked stays as it is.
 */
export async function markDeleted(
  tx: Tx,
  ctx: Ctx,
  deleteAt: Date,
  check?: () => Promise<void>,
): Promise<Date> {
  const { workspaceId } = ctx;
  let stands = deleteAt;
  const isThere = await reconcileWorkspace(tx, ctx, workspaceId, async () => {
    const plan = await lockPlan(tx, workspaceId);
    const before = await findSuspension(tx, workspaceId);
    await check?.();
    if (!before || !plan) return;
    if (before.deleteAt) return void (stands = before.deleteAt);
    await updateDeletion(tx, workspaceId, deleteAt);
    await writeAudit(tx, ctx, {
      action: 'workspace.deleted',
      subject: null,
      detail: { purgeAt: deleteAt.toISOString() },
    });
    // Its subscription has just been cancelled; the provider's event may come late.
    if (plan.subscription === null) return;
    if (plan.isByHand) return updatePlan(tx, workspaceId, { ...plan, subscription: null });
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
