import { z } from 'zod';
import { bigId, id, instant } from './common.ts';
import { eventType } from './event-data.ts';
import { operationsOf } from './operation.ts';

/** What an address is told in: our own signed objects, or the words of a chat. */
export const webhookKinds = ['standard', 'slack', 'discord', 'telegram', 'ntfy'] as const;
export type WebhookKind = (typeof webhookKinds)[number];
const format = z.enum(webhookKinds).meta({
  id: 'WebhookFormat',
  description: 'standard: the event’s object, signed as Standard Webhooks 1.0 says. The others: a message for people.',
});

export const deliveryState = z.enum(['pending', 'succeeded', 'failed', 'abandoned']).meta({
  id: 'DeliveryState',
  description: 'failed: all attempts of the schedule are used up. abandoned: the webhook was disabled before it was told.',
});

const lastDelivery = z.strictObject({ id: bigId, type: eventType, status: deliveryState, httpStatus: z.int().nullable(), at: instant });

export const webhook = z
  .strictObject({
    id,
    url: z.string(),
    format,
    events: z.array(eventType),
    description: z.string().nullable(),
    hasSecret: z.boolean(),
    secretStrength: z.enum(['strong', 'weak']).meta({ description: 'weak: the key has fewer than 24 bytes.' }),
    oldSecretsUntil: instant.nullable().meta({ description: 'Until then deliveries are signed with older secrets too.' }),
    enabled: z.boolean(),
    state: z.enum(['healthy', 'failing', 'disabled']),
    disabledBy: z.enum(['user', 'gone', 'failing']).nullable(),
    failingSince: instant.nullable(),
    lastDelivery: lastDelivery.nullable(),
    createdAt: instant,
  })
  .meta({ id: 'Webhook' });

const attempt = z
  .strictObject({
    number: z.int().min(1),
    at: instant,
    httpStatus: z.int().nullable().meta({ description: 'null: no answer, see `error`.' }),
    latencyMs: z.int(),
    error: z.string().nullable(),
    responseSnippet: z.string().nullable(),
    nextAttemptAt: instant.nullable(),
  })
  .meta({ id: 'DeliveryAttempt' });

const deliveryOf = {
  id: bigId,
  webhookId: id,
  messageId: z.string().meta({ description: 'The webhook-id header: the same for every attempt and redelivery.' }),
  event: eventType,
  sequence: z.int().nullable().meta({ description: 'Of the event; null for a test.' }),
  status: deliveryState,
  attempts: z.int(),
  partOf: bigId.nullable().meta({ description: 'Told in the message of this delivery, with which it is settled.' }),
  createdAt: instant,
  nextAttemptAt: instant.nullable(),
  finishedAt: instant.nullable(),
  lastAttempt: attempt.nullable(),
};
export const delivery = z.strictObject(deliveryOf).meta({ id: 'Delivery' });

const headers = z.record(z.string(), z.string());
export const deliveryDetail = z
  .strictObject({
    ...deliveryOf,
    request: z.strictObject({ url: z.string(), headers, body: z.string() }),
    log: z.array(
      z.strictObject({ ...attempt.shape, requestHeaders: headers, responseHeaders: headers.nullable(), responseHead: z.string().nullable() }),
    ),
  })
  .meta({ id: 'DeliveryDetail', description: 'Headers as they were sent and came; bodies of answers up to 4 KiB.' });

export const webhooks = operationsOf({});
