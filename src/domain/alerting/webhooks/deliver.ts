import { findDueDelivery, rescheduleDelivery } from '#db/queries/webhooks/due-deliveries.ts';
import type { Services } from '#domain/base/context.ts';
import { attemptDelivery, type SentAttempt } from './attempt-delivery.ts';
import { isKeywordEvent } from '../formats/index.ts';
import { batchRunDeliveries } from './batch-run-deliveries.ts';
import { recordAttempt } from './record-attempt.ts';

export interface DeliveryOptions {
  signal: AbortSignal;
  /** Covers the receiver's whole response. */
  responseTimeoutMs: number;
  /** The delay after each failed attempt. After the last one the delivery has failed. */
  retryDelaysMs: readonly number[];
}

const lostKeyRetryMs = 10 * 60_000;

/**
 * Makes one attempt of a due delivery and records its outcome. After a crash before that it is
 * repeated, so a receiver may see the same webhook-id twice, but no event is lost.
 */
export async function deliver(
  services: Services,
  { deliveryId }: { deliveryId: number },
  { signal, responseTimeoutMs, retryDelaysMs }: DeliveryOptions,
): Promise<void> {
  const { systemDb, clock, log } = services;
  let due = await findDueDelivery(systemDb, deliveryId, clock.now());
  if (due && due.kind !== 'standard' && due.tries === 0 && isKeywordEvent(due.type))
    due = await batchRunDeliveries(services, due);
  if (!due) return;
  let attempt: SentAttempt;
  try {
    attempt = await attemptDelivery(services, due, { timeoutMs: responseTimeoutMs, signal });
  } catch (error) {
    if (signal.aborted) throw error;
    // Nothing was sent because of our own error, so no attempt is used.
    log.error(
      { delivery: deliveryId, error: (error as Error).message },
      'a webhook could not be signed',
    );
    await rescheduleDelivery(systemDb, due, new Date(clock.now().getTime() + lostKeyRetryMs));
    return;
  }
  await recordAttempt(services, due, attempt, retryDelaysMs);
  services.wake();
}
