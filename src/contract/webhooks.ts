import { z } from 'zod';
import {
  accepted,
  bigId,
  bigIdText,
  deleted,
  id,
  idParam,
  instant,
  itemEtag,
  listOf,
  paging,
  textOf,
} from './common.ts';
import { eventType } from './events.ts';
import { deliveryStates, webhookKinds } from './choices.ts';
import { operationsOf } from './operation.ts';

export type { EventType, WebhookKind } from './choices.ts';

const format = z.enum(webhookKinds).meta({
  id: 'WebhookFormat',
  description:
    'standard: the event’s object, signed by Standard Webhooks 1.0. The others: a chat message.',
});

const deliveryState = z.enum(deliveryStates).meta({
  id: 'DeliveryState',
  description:
    'failed: all attempts of the schedule are used up. abandoned: the webhook was disabled ' +
    'before the delivery.',
});

const lastDelivery = z.strictObject({
  id: bigId,
  type: eventType,
  state: deliveryState,
  httpStatus: z.int().nullable(),
  at: instant,
});

/** The members that people edit. */
export const editableOfWebhook = ['url', 'events', 'enabled', 'description'];

export const webhook = z
  .strictObject({
    id,
    url: z.string().meta({
      description:
        'Without its secret part, which … replaces. Sending it back as it is changes nothing.',
    }),
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
    lastDelivery: lastDelivery.nullable().meta({
      description: 'The delivery that was attempted last. null: none, or it is no longer stored.',
    }),
    createdAt: instant,
    etag: itemEtag,
  })
  .meta({ id: 'Webhook' });

const attempt = z
  .strictObject({
    number: z.int().min(1),
    at: instant,
    httpStatus: z.int().nullable().meta({ description: 'null: no response, see `error`.' }),
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
  type: eventType,
  sequence: z.int().nullable().meta({ description: 'The event’s id; null for a test.' }),
  state: deliveryState,
  attempts: z.int(),
  partOf: bigId.nullable().meta({
    description: 'The delivery whose message includes this event; both complete together.',
  }),
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
    description: 'Headers as sent and received; response bodies up to 4 KiB.',
  });

const url = z.url({ protocol: /^https?$/ }).max(2_000);
const events = z.array(eventType).min(1).max(20);
const secret = textOf(256, z.string().min(8)).meta({
  minLength: 8,
  description:
    '`whsec_` and base64 of 24 to 64 bytes, which is decoded, or any text that does not begin ' +
    'with `whsec_`.',
});
const shownSecret = z.string().optional().meta({
  description:
    'Shown once, and only when it was generated. Not in the replay of an Idempotency-Key.',
});
const deliveryParam = z.strictObject({ deliveryId: bigIdText });

export const webhooks = operationsOf({
  'GET /webhooks': {
    summary: 'List webhooks',
    description: 'Lists the webhooks of the workspace with the state of their deliveries.',
    rateClass: 'read',
    readOnlyToken: true,
    query: z.strictObject(paging),
    responses: { 200: listOf(webhook) },
  },
  'POST /webhooks': {
    summary: 'Create a webhook',
    description:
      'Creates a webhook for one or more events. A generated secret is in this response ' + 'only.',
    rateClass: 'write',
    readOnlyToken: false,
    idempotent: true,
    shownOnce: ['secret'],
    body: z.strictObject({
      url,
      events,
      secret: secret.optional(),
      description: textOf(200).optional(),
      enabled: z.boolean().default(true),
      format: format.optional().meta({ description: 'Derived from the host when omitted.' }),
    }),
    example: {
      url: 'https://example.org/hooks/toprung',
      events: ['rank.dropped', 'rank.improved'],
    },
    responses: { 201: z.strictObject({ ...webhook.shape, secret: shownSecret }) },
  },
  'GET /webhooks/{id}': {
    summary: 'Get a webhook',
    description: 'Returns one webhook. Its secret is never returned.',
    rateClass: 'read',
    readOnlyToken: true,
    versioned: editableOfWebhook,
    params: idParam,
    responses: { 200: webhook },
  },
  'PATCH /webhooks/{id}': {
    summary: 'Update a webhook',
    description: 'Changes a webhook. Enabling it resets its failure count.',
    rateClass: 'write',
    readOnlyToken: false,
    versioned: editableOfWebhook,
    params: idParam,
    body: z.strictObject({
      url: url.optional(),
      events: events.optional(),
      enabled: z.boolean().optional(),
      description: textOf(200).nullable().optional(),
    }),
    example: { enabled: true },
    responses: { 200: webhook },
  },
  'DELETE /webhooks/{id}': {
    summary: 'Delete a webhook',
    description: 'Deletes a webhook with its deliveries.',
    rateClass: 'write',
    readOnlyToken: false,
    revokesAccess: true,
    params: idParam,
    responses: { 200: deleted },
  },
  'POST /webhooks/{id}/secret': {
    summary: 'Rotate a webhook’s secret',
    description:
      'Replaces the secret of a webhook. For 24 hours events are signed with the old ' +
      'secret too.',
    rateClass: 'write',
    readOnlyToken: false,
    idempotent: true,
    shownOnce: ['secret'],
    params: idParam,
    body: z.strictObject({ secret: secret.optional() }).default({}),
    example: { secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
    responses: { 200: z.strictObject({ ...webhook.shape, secret: shownSecret }) },
  },
  'POST /webhooks/{id}/test': {
    summary: 'Send a test event',
    description:
      'Sends a test event and waits up to 10 seconds for the response. It returns 400 for a ' +
      'disabled webhook, and for one whose secret was encrypted with a key that was lost: ' +
      'create a new secret then.',
    rateClass: 'write',
    readOnlyToken: false,
    params: idParam,
    body: z.strictObject({ type: eventType.optional() }).default({}),
    example: { type: 'rank.dropped' },
    responses: {
      200: z.strictObject({
        deliveryId: bigId,
        state: z.enum(['succeeded', 'failed']),
        httpStatus: z.int().nullable(),
        latencyMs: z.int(),
        responseSnippet: z.string().nullable(),
        error: z.string().nullable(),
      }),
    },
  },
  'GET /webhooks/{id}/deliveries': {
    summary: 'List a webhook’s deliveries',
    description:
      'Lists the deliveries of a webhook, the newest first. They are stored for 30 days.',
    rateClass: 'read',
    readOnlyToken: true,
    params: idParam,
    query: z.strictObject({
      ...paging,
      state: deliveryState.optional(),
      type: eventType.optional(),
      from: instant.optional(),
    }),
    responses: { 200: listOf(delivery) },
  },
  'GET /webhooks/deliveries/{deliveryId}': {
    summary: 'Get a delivery',
    description: 'Returns a delivery with its body and every attempt.',
    rateClass: 'read',
    readOnlyToken: true,
    params: deliveryParam,
    responses: { 200: deliveryDetail },
  },
  'POST /webhooks/deliveries/{deliveryId}/redeliver': {
    summary: 'Redeliver an event',
    description:
      'Sends an event again under the same webhook id. A test event cannot be ' + 'redelivered.',
    rateClass: 'write',
    readOnlyToken: false,
    idempotent: true,
    enqueues: true,
    params: deliveryParam,
    responses: { 202: accepted },
  },
  'POST /webhooks/{id}/redeliver': {
    summary: 'Redeliver events in bulk',
    description:
      'Sends all events again whose delivery has a state since an instant. Test events ' +
      'are left out.',
    rateClass: 'write',
    readOnlyToken: false,
    idempotent: true,
    enqueues: true,
    params: idParam,
    body: z.strictObject({
      from: instant,
      state: deliveryState.exclude(['pending']).default('failed'),
    }),
    example: { from: '2026-11-20T00:00:00Z', state: 'failed' },
    responses: { 202: accepted },
  },
});
