import type { EventObject } from '#contract/events.ts';
import type { Tx } from '#db/database.ts';
import { insertDeliveries, type NewDelivery } from '#db/queries/webhooks/deliveries.ts';
import { listListeners, type ListenerRow } from '#db/queries/webhooks/webhooks.ts';
import { isKeywordEvent, writeBody } from '../formats/index.ts';

/** Chats wait this long for more events of the same run, to batch them in one message. */
export const batchWindowMs = 60_000;

interface DeliverableEvent {
  eventId: bigint;
  object: EventObject;
}

/** Creates a delivery for each subscribed webhook in the transaction of the event. */
export async function planDeliveries(
  tx: Tx,
  input: { workspaceId: number; now: Date; events: DeliverableEvent[] },
): Promise<void> {
  const { workspaceId, now, events } = input;
  const listeners = await listListeners(
    tx,
    workspaceId,
    events.map(({ object }) => object.type),
  );
  const deliveries = listeners.flatMap((listener) =>
    events
      .filter(({ object }) => listener.events.includes(object.type))
      .map((event) => planDelivery(listener, event, now)),
  );
  if (deliveries.length > 0) await insertDeliveries(tx, workspaceId, deliveries);
}

function planDelivery(
  listener: ListenerRow,
  { eventId, object }: DeliverableEvent,
  now: Date,
): NewDelivery {
  const isChat = listener.kind !== 'standard';
  return {
    webhookId: listener.id,
    eventId,
    messageId: object.id,
    type: object.type,
    body: isChat ? writeBody(listener, [object]) : null,
    createdAt: now,
    nextAt: isChat && isKeywordEvent(object.type) ? new Date(now.getTime() + batchWindowMs) : now,
  };
}
