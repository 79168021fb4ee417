import { z } from 'zod';
import {
  accepted,
  bigId,
  deleted,
  id,
  idParam,
  instant,
  integerText,
  listOf,
  paging,
  textOf,
} from './common.ts';
import { eventType } from './event-data.ts';
import { deliveryStates } from './choices.ts';
import { operationsOf } from './operation.ts';

export type { EventType } from './event-data.ts';

/** What an address is told in: our own signed objects, or the words of a chat. */
export const webhookKinds = ['standard', 'slack', 'discord', 'telegram', 'ntfy'] as const;
export type WebhookKind = (typeof webhookKinds)[number];
const format = z.enum(webhookKinds).meta({
  id: 'WebhookFormat',
  description:
    'standard: the event’s object, signed as Standard Webhooks 1.0 says. The others: a message for people.',
});

export const deliveryState = z.enum(deliveryStates).meta({
  id: 'DeliveryState',
  description:
    'failed: all attempts of the schedule are used up. abandoned: the webhook was disabled before it was told.',
});

const lastDelivery = z.strictObject({
  id: bigId,
  type: eventType,
  status: deliveryState,
  httpStatus: z.int().nullable(),
  at: instant,
});

export const webhook = z
  .strictObject({
    id,
    url: z.string(),
    format,
    events: z.array(eventType),
    description: z.string().nullable(),
    hasSecret: z.boolean(),
    secretStrength: z
      .enum(['strong', 'weak'])
      .meta({ description: 'weak: the key has fewer than 24 bytes.' }),
    oldSecretsUntil: instant
      .nullable()
      .meta({ description: 'Until then deliveries are signed with older secrets too.' }),
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
  messageId: z
    .string()
    .meta({ description: 'The webhook-id header: the same for every attempt and redelivery.' }),
  event: eventType,
  sequence: z.int().nullable().meta({ description: 'Of the event; null for a test.' }),
  status: deliveryState,
  attempts: z.int(),
  partOf: bigId
    .nullable()
    .meta({ description: 'Told in the message of this delivery, with which it is settled.' }),
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
      z.strictObject({
        ...attempt.shape,
        requestHeaders: headers,
        responseHeaders: headers.nullable(),
        responseHead: z.string().nullable(),
      }),
    ),
  })
  .meta({
    id: 'DeliveryDetail',
    description: 'Headers as they were sent and came; bodies of answers up to 4 KiB.',
  });

const url = z.url({ protocol: /^https?$/ }).max(2_000);
const events = z.array(eventType).min(1).max(20);
const secret = textOf(256, z.string().min(8)).meta({ minLength: 8 });
const shownSecret = z
  .string()
  .optional()
  .meta({ description: 'Shown once, and only when it was generated.' });
const deliveryParam = z.strictObject({ deliveryId: integerText(1, 9_999_999_999) });

export const webhooks = operationsOf({
  'GET /webhooks': {
    summary: 'The webhooks of this workspace',
    rateClass: 'read',
    readOnlyToken: true,
    query: z.strictObject(paging),
    responses: { 200: listOf(webhook) },
  },
  'POST /webhooks': {
    summary: 'Register an address that is told of events',
    rateClass: 'write',
    readOnlyToken: false,
    idempotent: true,
    body: z.strictObject({
      url,
      events,
      secret: secret.optional(),
      description: textOf(200).optional(),
      enabled: z.boolean().default(true),
      format: format.optional().meta({ description: 'By the host when absent.' }),
    }),
    responses: { 201: z.strictObject({ ...webhook.shape, secret: shownSecret }) },
  },
  'GET /webhooks/{id}': {
    summary: 'One webhook',
    rateClass: 'read',
    readOnlyToken: true,
    params: idParam,
    responses: { 200: webhook },
  },
  'PATCH /webhooks/{id}': {
    summary: 'Change a webhook; enabling it forgets its failures',
    rateClass: 'write',
    readOnlyToken: false,
    params: idParam,
    body: z.strictObject({
      url: url.optional(),
      events: events.optional(),
      enabled: z.boolean().optional(),
      description: textOf(200).nullable().optional(),
    }),
    responses: { 200: webhook },
  },
  'DELETE /webhooks/{id}': {
    summary: 'Remove a webhook with its deliveries',
    rateClass: 'write',
    readOnlyToken: false,
    params: idParam,
    responses: { 200: deleted },
  },
  'POST /webhooks/{id}/secret': {
    summary: 'Sign with a new secret; for 24 hours the old one signs too',
    rateClass: 'write',
    readOnlyToken: false,
    idempotent: true,
    params: idParam,
    body: z.strictObject({ secret: secret.optional() }).default({}),
    responses: { 200: z.strictObject({ ...webhook.shape, secret: shownSecret }) },
  },
  'POST /webhooks/{id}/test': {
    summary: 'Send a sample now and wait up to 10 seconds for the answer',
    rateClass: 'write',
    readOnlyToken: false,
    params: idParam,
    body: z.strictObject({ event: eventType.optional() }).default({}),
    responses: {
      200: z.strictObject({
        deliveryId: bigId,
        status: z.enum(['succeeded', 'failed']),
        httpStatus: z.int().nullable(),
        latencyMs: z.int(),
        responseSnippet: z.string().nullable(),
        error: z.string().nullable(),
      }),
    },
  },
  'GET /webhooks/{id}/deliveries': {
    summary: 'What was sent, newest first, kept for 30 days',
    rateClass: 'read',
    readOnlyToken: true,
    params: idParam,
    query: z.strictObject({
      ...paging,
      status: deliveryState.optional(),
      event: eventType.optional(),
      from: instant.optional(),
    }),
    responses: { 200: listOf(delivery) },
  },
  'GET /webhooks/deliveries/{deliveryId}': {
    summary: 'One delivery with every attempt',
    rateClass: 'read',
    readOnlyToken: true,
    params: deliveryParam,
    responses: { 200: deliveryDetail },
  },
  'POST /webhooks/deliveries/{deliveryId}/redeliver': {
    summary: 'Send it again under the same webhook-id; a test is refused, for it is sent anew',
    rateClass: 'write',
    readOnlyToken: false,
    idempotent: true,
    enqueues: true,
    params: deliveryParam,
    responses: { 202: accepted },
  },
  'POST /webhooks/{id}/redeliver': {
    summary: 'Send all of a state again, from an instant on; tests are left out',
    rateClass: 'write',
    readOnlyToken: false,
    idempotent: true,
    enqueues: true,
    params: idParam,
    body: z.strictObject({
      from: instant,
      status: deliveryState.exclude(['pending']).default('failed'),
    }),
    responses: { 202: accepted },
  },
});
