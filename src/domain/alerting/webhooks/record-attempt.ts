import {
  countAttempt,
  insertAttempt,
  lockWebhook,
  completeDelivery,
} from '#db/queries/webhooks/due-deliveries.ts';
import {
  disableWebhook,
  recordWebhookFailure,
  recordWebhookSuccess,
} from '#db/queries/webhooks/webhooks.ts';
import { inSystem, type Services } from '#domain/base/context.ts';
import { isSuccess, type SentAttempt } from './attempt-delivery.ts';
import { isPermanentlyFailing, planRetry, readRetryAfter } from './retry-schedule.ts';

interface Attempted {
  id: number;
  workspaceId: number;
  webhookId: number;
  messageId: string;
  attempts: number;
  tries: number;
}

const gone = 410;

/**
 * Records an attempt's outcome with its effects on the delivery and the webhook, in one
 * transaction.
 */
export async function recordAttempt(
  services: Services,
  delivery: Attempted,
  attempt: SentAttempt,
  retryDelaysMs: readonly number[],
): Promise<void> {
  const { reply } = attempt;
  const now = services.clock.now();
  const tries = delivery.tries + 1;
  const succeeded = isSuccess(reply);
  const isLast = succeeded || reply.status === gone;
  const nextAt = isLast
    ? null
    : planRetry({
        delaysMs: retryDelaysMs,
        tries,
        messageId: delivery.messageId,
        now,
        retryAfterMs: readRetryAfter(reply, now),
      });
  const state = succeeded
    ? ('succeeded' as const)
    : nextAt
      ? ('pending' as const)
      : ('failed' as const);
  await inSystem(services, async (tx) => {
    // Locks the webhook before its deliveries, like every other writer.
    await lockWebhook(tx, delivery.workspaceId, delivery.webhookId);
    const isDone = await completeDelivery(tx, delivery, { state, tries, nextAt, now });
    if (!isDone && !(await countAttempt(tx, delivery))) return;
    await insertAttempt(tx, delivery, {
      ...attempt,
      number: delivery.attempts + 1,
      nextAt: isDone ? nextAt : null,
    });
    if (!isDone) return;
    if (succeeded) return recordWebhookSuccess(tx, delivery.workspaceId, delivery.webhookId);
    const health = await recordWebhookFailure(tx, delivery.workspaceId, delivery.webhookId, now);
    if (!health) return;
    if (reply.status === gone) await disableWebhook(tx, { ...delivery, by: 'gone', now });
    else if (isPermanentlyFailing(health.failures, health.failingSince, now))
      await disableWebhook(tx, { ...delivery, by: 'failing', now });
  });
}
