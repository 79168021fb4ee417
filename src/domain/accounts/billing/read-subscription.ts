import {
  nextPaymentReadNumber,
  updatePaymentRead,
  type PlanRow,
} from '#db/queries/billing/payments.ts';
import type { Tx } from '#db/database.ts';
import type { Services } from '#domain/base/context.ts';
import { PaymentError, type Payments, type Subscription } from '#domain/base/ports.ts';
import { applyPlan } from './apply-plan.ts';
import { resolvePlanEvents } from './resolve-plan-events.ts';

/** The provider's state of a customer. */
export interface Reading {
  /** Its number in the order of requests. */
  number: number;
  subscription: Subscription | null;
  /** The provider does not know the customer: there is no subscription. */
  isUnknown: boolean;
}

/** Throws PaymentError when the provider does not respond. */
export async function readSubscription(
  { systemDb }: Services,
  payments: Payments,
  customer: string,
): Promise<Reading> {
  const number = await nextPaymentReadNumber(systemDb);
  try {
    return { number, subscription: await payments.readSubscription(customer), isUnknown: false };
  } catch (error) {
    if (error instanceof PaymentError && error.failure === 'unknown_customer')
      return { number, subscription: null, isUnknown: true };
    throw error;
  }
}

/**
 * Applies a reading under the plan's lock. The response to an earlier request may arrive later; it
 * is older and changes nothing.
 */
export async function applyReading(
  tx: Tx,
  services: Services,
  { workspaceId, before, reading }: { workspaceId: number; before: PlanRow; reading: Reading },
): Promise<void> {
  const { number, subscription } = reading;
  if (number <= before.paymentRead) return;
  await updatePaymentRead(tx, workspaceId, number);
  const by = { actor: 'payment', credential: 'payment' };
  const change = {
    plan: subscription?.plan ?? null,
    from: { subscription: subscription?.id ?? null },
    by,
  };
  for (const occurrence of resolvePlanEvents(before, subscription))
    await applyPlan(tx, services, workspaceId, { ...change, occurrence });
}
