import {
  findPayingWorkspace,
  hasPaymentEvent,
  insertPaymentEvent,
  lockPlan,
} from '../../db/queries/payments.ts';
import { inSystem, type Services } from '../context.ts';
import type { PaymentEvent, Payments } from '../ports.ts';
import { applyReading, readSubscription } from './read-subscription.ts';
import { settleWorkspace } from './settle-workspace.ts';

/**
 * Takes an event of the payment provider, once. It only says that something changed: what stands now is asked for, so events may
 * come late, twice and in any order. Throws PaymentError when the provider does not answer: it sends the event again.
 */
export async function receiveEvent(
  services: Services,
  payments: Payments,
  { customer, ...event }: PaymentEvent,
): Promise<void> {
  if (await hasPaymentEvent(services.systemDb, event.id)) return;
  const workspaceId =
    customer === null ? null : await findPayingWorkspace(services.systemDb, customer);
  if (customer === null || workspaceId === null) return keepOnly(services, event);
  const reading = await readSubscription(services, payments, customer);
  await inSystem(services, (tx) =>
    settleWorkspace(tx, services, workspaceId, async () => {
      // Before the event refers to it: two who hold a row in part, and want all of it, would wait for each other.
      const before = await lockPlan(tx, workspaceId);
      const isNew = await insertPaymentEvent(tx, {
        ...event,
        workspaceId: before ? workspaceId : null,
        receivedAt: services.clock.now(),
      });
      if (isNew && before) await applyReading(tx, services, { workspaceId, before, reading });
    }),
  );
}

/** It is about nobody here, or about nothing that we follow. */
async function keepOnly(services: Services, event: Omit<PaymentEvent, 'customer'>): Promise<void> {
  await inSystem(services, (tx) =>
    insertPaymentEvent(tx, { ...event, workspaceId: null, receivedAt: services.clock.now() }),
  );
}
