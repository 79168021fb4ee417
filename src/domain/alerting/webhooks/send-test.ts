import type { EventType } from '#contract/webhooks.ts';
import { insertTestDelivery } from '#db/queries/webhooks/deliveries.ts';
import { insertAttempt } from '#db/queries/webhooks/due-deliveries.ts';
import {
  findWebhook,
  lockWebhookSecrets,
  recordWebhookSuccess,
} from '#db/queries/webhooks/webhooks.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { invalid, notFound } from '#domain/base/errors.ts';
import { sampleEvent } from '../events/describe-types.ts';
import { makeMessageId } from '../events/event-object.ts';
import { attemptDelivery, isSuccess } from './attempt-delivery.ts';
import { DecryptionError } from './encryption.ts';
import { writeBody } from '../formats/index.ts';

const timeoutMs = 10_000;
const lostSecret = () =>
  invalid(
    'secret',
    'a new secret, because the present one was encrypted with another ENCRYPTION_KEY: create it ' +
      'with POST /webhooks/{id}/secret',
  );

export interface TestOutcome {
  deliveryId: number;
  state: 'succeeded' | 'failed';
  httpStatus: number | null;
  latencyMs: number;
  responseSnippet: string | null;
  error: string | null;
}

/**
 * Sends a sample at once and waits for the response. It is logged, never retried, and its failure
 * does not count. Throws not_found, and invalid_request for a disabled webhook or a secret that
 * cannot be decrypted.
 */
export async function sendTest(
  ctx: Ctx,
  id: number,
  requested: EventType | undefined,
  signal: AbortSignal,
): Promise<TestOutcome> {
  const { workspaceId } = ctx;
  const webhook = await inTenant(ctx, async (tx) => {
    const row = await findWebhook(tx, workspaceId, id);
    const secrets = await lockWebhookSecrets(tx, workspaceId, id);
    return row && secrets && { ...row, ...secrets };
  });
  if (!webhook) throw notFound();
  if (!webhook.enabled) throw invalid('enabled', 'the webhook is disabled; enable it first');
  const messageId = makeMessageId('test');
  const type = requested ?? (webhook.events[0] as EventType);
  const body = writeBody(webhook, [sampleEvent(ctx, type, messageId)]);
  const attempt = await attemptDelivery(
    ctx,
    { ...webhook, workspaceId, messageId, body },
    { timeoutMs, signal },
  ).catch((error: unknown) => {
    throw error instanceof DecryptionError ? lostSecret() : error;
  });
  const { reply, at } = attempt;
  const state = isSuccess(reply) ? 'succeeded' : 'failed';
  const deliveryId = await inTenant(ctx, async (tx) => {
    // A webhook that was deleted meanwhile gets nothing.
    if (!(await lockWebhookSecrets(tx, workspaceId, id))) throw notFound();
    const made = await insertTestDelivery(tx, workspaceId, {
      webhookId: id,
      messageId,
      type,
      body,
      state,
      createdAt: at,
    });
    const known = { id: made, workspaceId, webhookId: id };
    await insertAttempt(tx, known, { ...attempt, number: 1, nextAt: null });
    if (state === 'succeeded') await recordWebhookSuccess(tx, workspaceId, id);
    return made;
  });
  const { error, latencyMs } = reply;
  return {
    deliveryId,
    state,
    httpStatus: reply.status,
    latencyMs,
    responseSnippet: reply.status === null ? null : reply.head,
    error,
  };
}
