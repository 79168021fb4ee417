import { createHmac } from 'node:crypto';

/**
 * The headers of Standard Webhooks 1.0: HMAC-SHA256 over `id.timestamp.body` with each key, newest
 * first.
 */
export function signatureHeaders(
  keys: readonly Buffer[],
  messageId: string,
  at: Date,
  body: string,
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const sign = (key: Buffer) =>
    `v1,${createHmac('sha256', key).update(`${messageId}.${timestamp}.${body}`).digest('base64')}`;
  return {
    'webhook-id': messageId,
    'webhook-timestamp': timestamp,
    'webhook-signature': keys.map(sign).join(' '),
  };
}
