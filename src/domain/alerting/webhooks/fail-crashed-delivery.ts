import {
  completeDelivery,
  findDueDelivery,
  insertAttempt,
  lockWebhook,
} from '#db/queries/webhooks/due-deliveries.ts';
import { inSystem, type Services } from '#domain/base/context.ts';

/**
 * Ends a delivery that crashed its worker while nothing else ran, so that it crashes no more of
 * them; a person can redeliver it. The webhook is not to blame, and its failures stay as they are.
 */
export async function failCrashedDelivery(
  services: Pick<Services, 'systemDb' | 'clock'>,
  deliveryId: number,
): Promise<void> {
  const now = services.clock.now();
  await inSystem(services, async (tx) => {
    const known = await findDueDelivery(tx, deliveryId, now);
    if (!known) return;
    // Locks the webhook before its deliveries, like every other writer.
    await lockWebhook(tx, known.workspaceId, known.webhookId);
    const failed = { state: 'failed', tries: known.tries + 1, nextAt: null, now } as const;
    if (!(await completeDelivery(tx, known, failed))) return;
    await insertAttempt(tx, known, {
      number: known.attempts + 1,
      at: now,
      requestHeaders: {},
      reply: { status: null, error: 'worker crashed', latencyMs: 0, headers: {}, head: '' },
      nextAt: null,
    });
  });
}
