import { findDueDelivery, postponeDelivery, type DueDelivery } from '../../db/queries/due-deliveries.ts';
import type { Services } from '../context.ts';
import type { WebhookReply } from '../ports.ts';
import { isKeywordEvent, targetOf } from './formats/index.ts';
import { gatherRun } from './gather-run.ts';
import { recordAttempt } from './record-attempt.ts';
import { openSecrets } from './secrets.ts';
import { signatureHeaders } from './sign.ts';

const timeoutMs = 15_000;
const lostKeyRetryMs = 10 * 60_000;

/**
 * One attempt of a delivery that is due, and what came of it. Killed before the outcome is written, it is made again:
 * a receiver may see the same webhook-id twice, and none is lost.
 */
export async function deliver(services: Services, deliveryId: number, signal: AbortSignal): Promise<void> {
  const { systemDb, clock, log } = services;
  let due = await findDueDelivery(systemDb, deliveryId, clock.now());
  if (due && due.kind !== 'standard' && due.tries === 0 && isKeywordEvent(due.type)) due = await gatherRun(services, due);
  if (!due) return;
  let attempt: SentAttempt;
  try {
    attempt = await attemptDelivery(services, due, { timeoutMs, signal });
  } catch (error) {
    if (signal.aborted) throw error;
    // Nothing was sent: it is our own fault, so no attempt of the schedule is used up.
    log.error({ delivery: deliveryId, error: (error as Error).message }, 'a webhook could not be signed');
    await postponeDelivery(systemDb, due, new Date(clock.now().getTime() + lostKeyRetryMs));
    return;
  }
  await recordAttempt(services, due, attempt);
  services.wake();
}

export interface SentAttempt {
  at: Date;
  requestHeaders: Record<string, string>;
  reply: WebhookReply;
}

export type Sendable = Pick<DueDelivery, 'workspaceId' | 'messageId' | 'body' | 'url' | 'kind' | 'secret' | 'oldSecrets'>;

/** Signs with the time of this attempt and sends. Throws SealedElsewhere, and the signal's reason. */
export async function attemptDelivery(
  services: Pick<Services, 'clock' | 'webhooks' | 'sealKey'>,
  delivery: Sendable,
  limits: { timeoutMs: number; signal: AbortSignal },
): Promise<SentAttempt> {
  const at = services.clock.now();
  const keys = openSecrets(await services.sealKey(), delivery.workspaceId, delivery, at);
  const requestHeaders = {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'Toprung-Webhooks/1',
    ...signatureHeaders(keys, delivery.messageId, at, delivery.body),
  };
  const reply = await services.webhooks.send({ url: targetOf(delivery), headers: requestHeaders, body: delivery.body, ...limits });
  return { at, requestHeaders, reply };
}

/** Only a whole answer of 200 to 299 is a success. */
export const isSuccess = ({ error, status }: WebhookReply): boolean => error === null && status !== null && status >= 200 && status <= 299;
