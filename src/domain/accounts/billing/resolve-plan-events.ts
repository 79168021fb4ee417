import type { PlanRow } from '#db/queries/billing/payments.ts';
import type { Subscription } from '#domain/base/ports.ts';
import type { PlanChange } from './apply-plan.ts';

/**
 * Maps the provider's state to plan events, whatever happened before. A manual plan and a trial do
 * not end with a subscription that never paid for them.
 */
export function resolvePlanEvents(
  { status, subscription, isByHand }: PlanRow,
  current: Subscription | null,
): PlanChange['occurrence'][] {
  if (current?.status === 'running') return ['plan_started'];
  // It started and ended between two readings.
  if (current?.status === 'ended' && status === 'trial') return ['plan_started', 'plan_ended'];
  return subscription === null || isByHand ? [] : ['plan_ended'];
}

/**
 * A manual plan stays while the subscription beside it only changes, for example when its owner
 * cancels it at the end of the period. Another subscription, or a renewal, replaces the plan.
 */
export function keepsManualPlan(
  { subscription, isByHand }: PlanRow,
  current: Subscription | null,
  isRenewal: boolean,
): boolean {
  return isByHand && !isRenewal && current?.status === 'running' && current.id === subscription;
}
