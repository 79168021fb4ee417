import type { PlanRow } from '../../db/queries/payments.ts';
import type { Subscription } from '../ports.ts';
import type { PlanChange } from './apply-plan.ts';

/**
 * What the provider's word means for a workspace, whatever happened before it. A plan that was set by hand, and a trial, do not end
 * with a subscription that never paid for them.
 */
export function followSubscription(
  { standing, subscription, isByHand }: PlanRow,
  current: Subscription | null,
): PlanChange['occurrence'][] {
  if (current?.standing === 'running') return ['plan_started'];
  // It ran and ended before we heard of it.
  if (current?.standing === 'ended' && standing === 'trial') return ['plan_started', 'plan_ended'];
  return subscription === null || isByHand ? [] : ['plan_ended'];
}
