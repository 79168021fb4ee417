import { lockPlan, updatePlan } from '#db/queries/billing/payments.ts';
import type { Tx } from '#db/database.ts';
import { writeAuditOf } from '#domain/base/audit/write-audit.ts';
import type { Services } from '#domain/base/context.ts';
import type { PlanName } from '#domain/base/ports.ts';
import { nextStatus } from './workspace-status.ts';

export interface PlanChange {
  occurrence: 'plan_started' | 'plan_ended';
  /** Null: the plan stays. */
  plan: PlanName | null;
  /** The subscription that caused the change (null: none any more), or a manual change. */
  from: { subscription: string | null } | 'hand';
  /** As in the audit log. */
  by: { actor: string; credential: string };
}

/**
 * Starts, changes or ends a workspace's plan and logs any change; does nothing for a deleted
 * workspace.
 */
export async function applyPlan(
  tx: Tx,
  { clock }: Pick<Services, 'clock'>,
  workspaceId: number,
  change: PlanChange,
): Promise<void> {
  const before = await lockPlan(tx, workspaceId);
  if (!before) return;
  const status = nextStatus(before.status, change.occurrence);
  const plan = change.plan ?? before.plan;
  // A subscription continues beside a manual plan. The customer finds it in the portal.
  const { subscription } = change.from === 'hand' ? before : change.from;
  await updatePlan(tx, workspaceId, {
    status: status,
    plan,
    subscription,
    isByHand: change.from === 'hand',
  });
  const isOther = status !== before.status;
  if (!isOther && plan === before.plan) return;
  const action = !isOther ? 'plan.changed' : status === 'live' ? 'plan.started' : 'plan.ended';
  await writeAuditOf(
    tx,
    { workspaceId, clock },
    { action, subject: null, detail: { plan, before: before.plan }, ...change.by },
  );
}
