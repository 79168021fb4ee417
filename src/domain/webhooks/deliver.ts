import { findDueDelivery, postponeDelivery } from '../../db/queries/due-deliveries.ts';
import type { Services } from '../context.ts';
import { attemptDelivery, type SentAttempt } from './attempt.ts';
import { isKeywordEvent } from './formats/index.ts';
import { gatherRun } from './gather-run.ts';
import { recordAttempt } from './record-attempt.ts';

const timeoutMs = 15_000;
const lostKeyRetryMs = 10 * 60_000;

/**
 * One attempt of a delivery that is due, and what came of it. Killed before the outcome is written, it is made again:
 * a receiver may see the same webhook-id twice, and none is lost.
 */
export async function deliver(
  services: Services,
  deliveryId: number,
  signal: AbortSignal,
): Promise<void> {
  const { systemDb, clock, log } = services;
  let due = await findDueDelivery(systemDb, deliveryId, clock.now());
  if (due && due.kind !== 'standard' && due.tries === 0 && isKeywordEvent(due.type))
    due = await gatherRun(services, due);
  if (!due) return;
  let attempt: SentAttempt;
  try {
    attempt = await attemptDelivery(services, due, { timeoutMs, signal });
  } catch (error) {
    if (signal.aborted) throw error;
    // Nothing was sent: it is our own fault, so no attempt of the schedule is used up.
    log.error(
      { delivery: deliveryId, error: (error as Error).message },
      'a webhook could not be signed',
    );
    await postponeDelivery(systemDb, due, new Date(clock.now().getTime() + lostKeyRetryMs));
    return;
  }
  await recordAttempt(services, due, attempt);
  services.wake();
}
