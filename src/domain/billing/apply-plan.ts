import { lockPlan, updatePlan } from '../../db/queries/payments.ts';
import type { Tx } from '../../db/database.ts';
import { writeAuditOf } from '../audit/write-audit.ts';
import type { Services } from '../context.ts';
import type { PlanName } from '../ports.ts';
import { nextStanding } from './states.ts';

export interface PlanChange {
  occurrence: 'plan_started' | 'plan_ended';
  /** Null: the plan stays what it was. */
  plan: PlanName | null;
  /** The subscription that it follows from (null: what was paid for is no more), or somebody's hand. */
  from: { subscription: string | null } | 'hand';
  /** As in the audit trail. */
  by: { actor: string; credential: string };
}

/** Starts, changes or ends the plan of a workspace, and writes it down if anything is new; does nothing to one that is gone. */
export async function applyPlan(
  tx: Tx,
  { clock }: Pick<Services, 'clock'>,
  workspaceId: number,
  change: PlanChange,
): Promise<void> {
  const before = await lockPlan(tx, workspaceId);
  if (!before) return;
  const standing = nextStanding(before.standing, change.occurrence);
  const plan = change.plan ?? before.plan;
  // What is paid for goes on beside a plan that is set by hand: who pays finds it in the portal.
  const { subscription } = change.from === 'hand' ? before : change.from;
  await updatePlan(tx, workspaceId, {
    standing,
    plan,
    subscription,
    isByHand: change.from === 'hand',
  });
  const isOther = standing !== before.standing;
  if (!isOther && plan === before.plan) return;
  const action = !isOther ? 'plan.changed' : standing === 'live' ? 'plan.started' : 'plan.ended';
  await writeAuditOf(
    tx,
    { workspaceId, clock },
    { action, subject: null, detail: { plan, before: before.plan }, ...change.by },
  );
}
