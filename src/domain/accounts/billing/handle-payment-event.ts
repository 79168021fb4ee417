import {
  findPayingWorkspace,
  hasPaymentEvent,
  insertPaymentEvent,
  lockPlan,
} from '#db/queries/billing/payments.ts';
import { inSystem, type Services } from '#domain/base/context.ts';
import { PaymentError, type PaymentEvent, type Payments } from '#domain/base/ports.ts';
import { applyReading, readSubscriptions } from './read-subscriptions.ts';
import { reconcileWorkspace } from './reconcile-workspace.ts';

/**
 * Handles an event of the payment provider, once. Events only report that something changed, and
 * the current state is fetched, so they may come late, twice and in any order. Throws PaymentError
 * when the provider does not respond or does not know the customer, and then it sends the event
 * again.
 */
export async function handlePaymentEvent(
  services: Services,
  payments: Payments,
  { customer, isRenewal, isDeletion, ...event }: PaymentEvent,
): Promise<void> {
  if (await hasPaymentEvent(services.systemDb, event.id)) return;
  const workspaceId =
    customer === null ? null : await findPayingWorkspace(services.systemDb, customer);
  if (customer === null || workspaceId === null) return recordUnmatchedEvent(services, event);
  const reading = await readSubscriptions(services, payments, customer);
  // Otherwise another account's keys would end the plan.
  if (reading.isUnknown && !isDeletion)
    throw new PaymentError('unknown_customer', `the payment provider does not know ${customer}`);
  await inSystem(services, (tx) =>
    reconcileWorkspace(tx, services, workspaceId, async () => {
      // Locked before the event refers to it: two transactions with a shared lock on the row, which
      // both need exclusively, would deadlock.
      const before = await lockPlan(tx, workspaceId);
      const isNew = await insertPaymentEvent(tx, {
        ...event,
        workspaceId: before ? workspaceId : null,
        receivedAt: services.clock.now(),
      });
      if (isNew && before)
        await applyReading(tx, services, { workspaceId, before, reading, isRenewal });
    }),
  );
}

/** The event concerns no customer of this instance, or nothing that is tracked. */
async function recordUnmatchedEvent(
  services: Services,
  event: Omit<PaymentEvent, 'customer' | 'isRenewal' | 'isDeletion'>,
): Promise<void> {
  await inSystem(services, (tx) =>
    insertPaymentEvent(tx, { ...event, workspaceId: null, receivedAt: services.clock.now() }),
  );
}
