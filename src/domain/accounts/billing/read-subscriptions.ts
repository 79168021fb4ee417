import {
  nextPaymentReadNumber,
  updatePaymentRead,
  updatePlan,
  type PlanRow,
} from '#db/queries/billing/payments.ts';
import type { Tx } from '#db/database.ts';
import type { Services } from '#domain/base/context.ts';
import { PaymentError, type Payments, type Subscription } from '#domain/base/ports.ts';
import { applyPlan } from './apply-plan.ts';
import { chooseSubscription } from './choose-subscription.ts';
import { keepsManualPlan, resolvePlanEvents } from './resolve-plan-events.ts';

/** The provider's state of a customer. */
export interface Reading {
  /** Its number in the order of requests. */
  number: number;
  /** Newest first. */
  subscriptions: Subscription[];
  /** The provider does not know the customer: there is no subscription. */
  isUnknown: boolean;
}

/** Throws PaymentError when the provider does not respond. */
export async function readSubscriptions(
  { systemDb }: Services,
  payments: Payments,
  customer: string,
): Promise<Reading> {
  const number = await nextPaymentReadNumber(systemDb);
  try {
    return { number, subscriptions: await payments.listSubscriptions(customer), isUnknown: false };
  } catch (error) {
    if (error instanceof PaymentError && error.failure === 'unknown_customer')
      return { number, subscriptions: [], isUnknown: true };
    throw error;
  }
}

/**
 * Applies a reading under the plan's lock. The response to an earlier request may arrive later; it
 * is older and changes nothing. False when it leaves a manual plan alone: then it is not recorded,
 * because a renewal that was read before it may still replace the plan.
 */
export async function applyReading(
  tx: Tx,
  services: Services,
  {
    workspaceId,
    before,
    reading: { number, subscriptions },
    isRenewal,
  }: { workspaceId: number; before: PlanRow; reading: Reading; isRenewal: boolean },
): Promise<boolean> {
  const subscription = chooseSubscription(subscriptions, before.subscription);
  if (keepsManualPlan(before, subscription, isRenewal)) return false;
  if (number <= before.paymentRead) return true;
  await updatePaymentRead(tx, workspaceId, number);
  // A manual plan stays, but there is nothing to manage at the provider any more.
  if (before.isByHand && subscription === null)
    await updatePlan(tx, workspaceId, { ...before, subscription: null });
  const by = { actor: 'payment', credential: 'payment' };
  const change = {
    plan: subscription?.plan ?? null,
    from: { subscription: subscription?.id ?? null },
    by,
  };
  for (const occurrence of resolvePlanEvents(before, subscription))
    await applyPlan(tx, services, workspaceId, { ...change, occurrence });
  return true;
}
