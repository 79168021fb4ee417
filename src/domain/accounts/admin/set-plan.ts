import { writtenBy } from '#domain/base/audit/write-audit.ts';
import { applyPlan } from '../billing/apply-plan.ts';
import { reconcileWorkspace } from '../billing/reconcile-workspace.ts';
import { inSystem, type Ctx } from '#domain/base/context.ts';
import { notFound } from '#domain/base/errors.ts';
import type { PlanName } from '#domain/base/ports.ts';
import { getAnyWorkspace, type AdminWorkspace, type PendingUsage } from './list-workspaces.ts';

/**
 * Starts, changes or (null) ends a workspace's plan manually, with its effects on the daily run.
 * Throws not_found.
 */
export function setPlan(
  ctx: Ctx,
  workspaceId: number,
  plan: PlanName | null,
  pending: PendingUsage,
): Promise<AdminWorkspace> {
  return inSystem(ctx, async (tx) => {
    const occurrence = plan === null ? 'plan_ended' : 'plan_started';
    const isThere = await reconcileWorkspace(tx, ctx, workspaceId, () =>
      applyPlan(tx, ctx, workspaceId, { occurrence, plan, from: 'hand', by: writtenBy(ctx.actor) }),
    );
    if (!isThere) throw notFound();
    return getAnyWorkspace(tx, ctx, workspaceId, pending);
  });
}
