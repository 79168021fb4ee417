import type { EventType } from '../../contract/webhooks.ts';
import { insertTestDelivery } from '../../db/queries/deliveries.ts';
import { insertAttempt } from '../../db/queries/due-deliveries.ts';
import {
  findWebhook,
  lockWebhookSecrets,
  recordWebhookSuccess,
} from '../../db/queries/webhooks.ts';
import { inTenant, type Ctx } from '../context.ts';
import { invalid, notFound } from '../errors.ts';
import { sampleEvent } from '../events/describe-types.ts';
import { makeMessageId } from '../events/event-object.ts';
import { attemptDelivery, isSuccess } from './attempt.ts';
import { writeBody } from './formats/index.ts';

const timeoutMs = 10_000;

export interface TestOutcome {
  deliveryId: number;
  status: 'succeeded' | 'failed';
  httpStatus: number | null;
  latencyMs: number;
  responseSnippet: string | null;
  error: string | null;
}

/** Sends a sample at once and waits for the answer; it is logged, never repeated, and its failure counts for nothing. */
export async function sendTest(
  ctx: Ctx,
  id: number,
  wanted: EventType | undefined,
  signal: AbortSignal,
): Promise<TestOutcome> {
  const { workspaceId } = ctx;
  const webhook = await inTenant(ctx, async (tx) => {
    const row = await findWebhook(tx, workspaceId, id);
    const secrets = await lockWebhookSecrets(tx, workspaceId, id);
    return row && secrets && { ...row, ...secrets };
  });
  if (!webhook) throw notFound();
  if (!webhook.enabled) throw invalid('enabled', 'a webhook that is enabled');
  const messageId = makeMessageId('test');
  const type = wanted ?? (webhook.events[0] as EventType);
  const body = writeBody(webhook, [sampleEvent(ctx, type, messageId)]);
  const attempt = await attemptDelivery(
    ctx,
    { ...webhook, workspaceId, messageId, body },
    { timeoutMs, signal },
  );
  const { reply, at } = attempt;
  const status = isSuccess(reply) ? 'succeeded' : 'failed';
  const deliveryId = await inTenant(ctx, async (tx) => {
    // Whoever removed it meanwhile wants to hear no more of it.
    if (!(await lockWebhookSecrets(tx, workspaceId, id))) throw notFound();
    const made = await insertTestDelivery(tx, workspaceId, {
      webhookId: id,
      messageId,
      type,
      body,
      state: status,
      createdAt: at,
    });
    await insertAttempt(tx, { id: made, workspaceId }, { ...attempt, number: 1, nextAt: null });
    if (status === 'succeeded') await recordWebhookSuccess(tx, workspaceId, id);
    return made;
  });
  const { error, latencyMs } = reply;
  return {
    deliveryId,
    status,
    httpStatus: reply.status,
    latencyMs,
    responseSnippet: reply.status === null ? null : reply.head,
    error,
  };
}
