import { writtenBy } from '../audit/write-audit.ts';
import { applyPlan } from '../billing/apply-plan.ts';
import { settleWorkspace } from '../billing/settle-workspace.ts';
import { inSystem, type Ctx } from '../context.ts';
import { notFound } from '../errors.ts';
import type { PlanName } from '../ports.ts';
import { getAnyWorkspace, type AdminWorkspace, type PendingUse } from './workspaces.ts';

/** Starts, changes or (null) ends the plan of a workspace by hand, with what follows for the daily run. Throws not_found. */
export function setPlan(
  ctx: Ctx,
  workspaceId: number,
  plan: PlanName | null,
  pending: PendingUse,
): Promise<AdminWorkspace> {
  return inSystem(ctx, async (tx) => {
    const occurrence = plan === null ? 'plan_ended' : 'plan_started';
    const isThere = await settleWorkspace(tx, ctx, workspaceId, () =>
      applyPlan(tx, ctx, workspaceId, { occurrence, plan, from: 'hand', by: writtenBy(ctx.actor) }),
    );
    if (!isThere) throw notFound();
    return getAnyWorkspace(tx, ctx, workspaceId, pending);
  });
}
