import { takePaymentRead, updatePaymentRead, type PlanRow } from '../../db/queries/payments.ts';
import type { Tx } from '../../db/database.ts';
import type { Services } from '../context.ts';
import { PaymentError, type Payments, type Subscription } from '../ports.ts';
import { applyPlan } from './apply-plan.ts';
import { followSubscription } from './follow-subscription.ts';

/** What the provider says of a customer. */
export interface Reading {
  /** Its place in the order of asking. */
  number: number;
  subscription: Subscription | null;
  /** The provider does not have the customer any more, or never had: there is no subscription. */
  isUnknown: boolean;
}

/** Throws PaymentError when the provider does not answer. */
export async function readSubscription(
  { systemDb }: Services,
  payments: Payments,
  customer: string,
): Promise<Reading> {
  const number = await takePaymentRead(systemDb);
  try {
    return { number, subscription: await payments.readSubscription(customer), isUnknown: false };
  } catch (error) {
    if (error instanceof PaymentError && error.failure === 'unknown_customer')
      return { number, subscription: null, isUnknown: true };
    throw error;
  }
}

/** With the plan held. An answer to an earlier question may have come later, and be older: it changes nothing. */
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
  for (const occurrence of followSubscription(before, subscription))
    await applyPlan(tx, services, workspaceId, { ...change, occurrence });
}
