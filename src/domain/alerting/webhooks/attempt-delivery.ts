import type { DueDelivery } from '#db/queries/webhooks/due-deliveries.ts';
import type { Services } from '#domain/base/context.ts';
import type { WebhookReply } from '#domain/base/ports.ts';
import { readdressBody, targetOf } from '../formats/index.ts';
import { decryptSecrets } from './secrets.ts';
import { signatureHeaders } from './signature-headers.ts';

export interface SentAttempt {
  at: Date;
  requestHeaders: Record<string, string>;
  reply: WebhookReply;
}

export type Sendable = Pick<
  DueDelivery,
  'workspaceId' | 'messageId' | 'body' | 'url' | 'kind' | 'secret' | 'oldSecrets'
>;

/**
 * Signs with the time of this attempt and sends. Throws DecryptionError, and the signal's reason.
 */
export async function attemptDelivery(
  services: Pick<Services, 'clock' | 'webhooks' | 'encryptionKey'>,
  delivery: Sendable,
  limits: { timeoutMs: number; signal: AbortSignal },
): Promise<SentAttempt> {
  const at = services.clock.now();
  const keys = decryptSecrets(await services.encryptionKey(), delivery.workspaceId, delivery, at);
  const body = readdressBody(delivery);
  const requestHeaders = {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'Toprung-Webhooks/1',
    ...signatureHeaders(keys, delivery.messageId, at, body),
  };
  const reply = await services.webhooks.send({
    url: targetOf(delivery),
    headers: requestHeaders,
    body,
    ...limits,
  });
  return { at, requestHeaders, reply };
}

/** Only a complete response of 200 to 299 is a success. */
export const isSuccess = ({ error, status }: WebhookReply): boolean =>
  error === null && status !== null && status >= 200 && status <= 299;
