import {
  countAttempt,
  insertAttempt,
  lockWebhook,
  settleDelivery,
} from '../../db/queries/due-deliveries.ts';
import {
  disableWebhook,
  recordWebhookFailure,
  recordWebhookSuccess,
} from '../../db/queries/webhooks.ts';
import { inSystem, type Services } from '../context.ts';
import { isSuccess, type SentAttempt } from './attempt.ts';
import { isGivenUp, planRetry, readRetryAfter } from './schedule.ts';

interface Attempted {
  id: number;
  workspaceId: number;
  webhookId: number;
  messageId: string;
  attempts: number;
  tries: number;
}

const gone = 410;

/** Writes an attempt's outcome, what follows from it for the delivery, and for its webhook, at once. */
export async function recordAttempt(
  services: Services,
  delivery: Attempted,
  attempt: SentAttempt,
): Promise<void> {
  const { reply } = attempt;
  const now = services.clock.now();
  const tries = delivery.tries + 1;
  const succeeded = isSuccess(reply);
  const isLast = succeeded || reply.status === gone;
  const nextAt = isLast
    ? null
    : planRetry({
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
    // Before its deliveries, as everybody does who holds both.
    await lockWebhook(tx, delivery.workspaceId, delivery.webhookId);
    const isSettled = await settleDelivery(tx, delivery, { state, tries, nextAt, now });
    if (!isSettled && !(await countAttempt(tx, delivery))) return;
    await insertAttempt(tx, delivery, {
      ...attempt,
      number: delivery.attempts + 1,
      nextAt: isSettled ? nextAt : null,
    });
    if (!isSettled) return;
    if (succeeded) return recordWebhookSuccess(tx, delivery.workspaceId, delivery.webhookId);
    const health = await recordWebhookFailure(tx, delivery.workspaceId, delivery.webhookId, now);
    if (!health) return;
    if (reply.status === gone) await disableWebhook(tx, { ...delivery, by: 'gone', now });
    else if (isGivenUp(health.failures, health.failingSince, now))
      await disableWebhook(tx, { ...delivery, by: 'failing', now });
  });
}
