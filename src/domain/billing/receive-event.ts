import {
  findPayingWorkspace,
  hasPaymentEvent,
  insertPaymentEvent,
  lockPlan,
  takePaymentRead,
  updatePaymentRead,
  type PlanRow,
} from '../../db/queries/payments.ts';
import type { Tx } from '../../db/database.ts';
import { inSystem, type Services } from '../context.ts';
import { PaymentError, type PaymentEvent, type Payments, type Subscription } from '../ports.ts';
import { applyPlan } from './apply-plan.ts';
import { followSubscription } from './follow-subscription.ts';
import { settleWorkspace } from './settle-workspace.ts';

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
  if (customer === null || workspaceId === null) return keepOnly(services, event);
  const reading = await ask(services, payments, customer);
  await inSystem(services, (tx) =>
    settleWorkspace(tx, services, workspaceId, async () => {
      // Before the event refers to it: two who hold a row in part, and want all of it, would wait for each other.
      const before = await lockPlan(tx, workspaceId);
      const isNew = await insertPaymentEvent(tx, { ...event, workspaceId: before ? workspaceId : null, receivedAt: services.clock.now() });
      if (isNew && before) await apply(tx, services, { workspaceId, before, reading });
    }),
  );
}

/** It is about nobody here, or about nothing that we follow. */
async function keepOnly(services: Services, event: Omit<PaymentEvent, 'customer'>): Promise<void> {
  await inSystem(services, (tx) => insertPaymentEvent(tx, { ...event, workspaceId: null, receivedAt: services.clock.now() }));
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
async function apply(
  tx: Tx,
  services: Services,
  { workspaceId, before, reading }: { workspaceId: number; before: PlanRow; reading: Reading },
): Promise<void> {
  const { number, subscription } = reading;
  if (number <= before.paymentRead) return;
  await updatePaymentRead(tx, workspaceId, number);
  const change = { plan: subscription?.plan ?? null, subscription: subscription?.id ?? null, by: { actor: 'payment', credential: 'payment' } };
  for (const occurrence of followSubscription(before, subscription)) await applyPlan(tx, services, workspaceId, { ...change, occurrence });
}
