import { findPayingWorkspace, hasPaymentEvent, insertPaymentEvent, lockPlan, takePaymentRead, updatePaymentRead } from '../../db/queries/payments.ts';
import type { Tx } from '../../db/database.ts';
import { inSystem, type Services } from '../context.ts';
import { PaymentError, type PaymentEvent, type Payments, type Subscription } from '../ports.ts';
import { applyPlan } from './apply-plan.ts';
import { followSubscription } from './follow-subscription.ts';

interface Reading {
  /** Its place in the order of asking. */
  number: number;
  subscription: Subscription | null;
}

/**
 * Takes an event of the payment provider, once. It only says that something changed: what stands now is asked for, so events may
 * come late, twice and in any order. Throws PaymentError when the provider does not answer: it sends the event again.
 */
export async function receiveEvent(services: Services, payments: Payments, { customer, ...event }: PaymentEvent): Promise<void> {
  if (await hasPaymentEvent(services.systemDb, event.id)) return;
  const workspaceId = customer === null ? null : await findPayingWorkspace(services.systemDb, customer);
  const reading = customer === null || workspaceId === null ? null : await ask(services, payments, customer);
  await inSystem(services, async (tx) => {
    const isNew = await insertPaymentEvent(tx, { ...event, workspaceId, receivedAt: services.clock.now() });
    if (isNew && workspaceId !== null && reading !== null) await apply(tx, services, workspaceId, reading);
  });
}

async function ask({ systemDb }: Services, payments: Payments, customer: string): Promise<Reading> {
  const number = await takePaymentRead(systemDb);
  return { number, subscription: await readSubscription(payments, customer) };
}

/** A customer that the provider does not have any more has no subscription. */
async function readSubscription(payments: Payments, customer: string): Promise<Subscription | null> {
  try {
    return await payments.readSubscription(customer);
  } catch (error) {
    if (error instanceof PaymentError && error.failure === 'unknown_customer') return null;
    throw error;
  }
}

/** An answer to an earlier question may have come later, and be older: it changes nothing. */
async function apply(tx: Tx, services: Services, workspaceId: number, { number, subscription }: Reading): Promise<void> {
  const before = await lockPlan(tx, workspaceId);
  if (!before || number <= before.paymentRead) return;
  await updatePaymentRead(tx, workspaceId, number);
  const change = { plan: subscription?.plan ?? null, subscription: subscription?.id ?? null, by: { actor: 'payment', credential: 'payment' } };
  for (const occurrence of followSubscription(before, subscription)) await applyPlan(tx, services, workspaceId, { ...change, occurrence });
}
