import { z } from 'zod';
import { id, idText, instant, listOf, listText, paging, storeName } from './common.ts';
import { eventTypes, type EventType } from './choices.ts';
import { eventData } from './events/event-definitions.ts';
import { operationsOf } from './operation.ts';

export type { EventType };
export { eventData, eventSamples, type EventData } from './events/event-definitions.ts';

export const eventType = z.enum(eventTypes).meta({ id: 'EventType' });

const eventApp = z
  .strictObject({ id, store: storeName, storeAppId: z.string(), name: z.string() })
  .meta({ id: 'EventApp' });

const envelopeOf = {
  timestamp: instant,
  id: z
    .string()
    .regex(/^[A-Za-z0-9_-]{10,64}$/)
    .meta({ description: 'The webhook-id of its deliveries: the same for every attempt.' }),
  sequence: z
    .int()
    .min(0)
    .meta({ description: 'Increases by one within a workspace. 0 is a test.' }),
  workspaceId: id,
  app: eventApp.nullable(),
  links: z
    .record(z.string(), z.string())
    .meta({ description: 'Addresses by name; paths when PUBLIC_URL is not set.' }),
  test: z.literal(true).optional(),
};

/** The object that GET /events lists and webhooks deliver. */
export const event = z
  .discriminatedUnion(
    'type',
    eventTypes.map((type) =>
      z.strictObject({ type: z.literal(type), ...envelopeOf, data: eventData[type] }),
    ) as unknown as [z.ZodObject<{ type: z.ZodLiteral<EventType> }>],
  )
  .meta({ id: 'Event' }) as unknown as z.ZodType<EventObject, EventObject>;

/** Written out because the union is made from a list. */
export interface EventObject {
  type: EventType;
  timestamp: string;
  data: unknown;
  id: string;
  sequence: number;
  workspaceId: number;
  app: z.infer<typeof eventApp> | null;
  links: Record<string, string>;
  test?: true | undefined;
}

const described = z.strictObject({
  type: eventType,
  description: z.string(),
  schema: z.record(z.string(), z.unknown()).meta({ description: 'JSON Schema of `data`.' }),
  sample: event,
});

const unread = z
  .strictObject({
    readSequence: z.int().min(0).meta({ description: 'Events up to this one are read.' }),
    newestSequence: z.int().min(0),
    unread: z.int().min(0),
  })
  .meta({ id: 'UnreadEvents' });

export const events = operationsOf({
  'GET /events': {
    summary: 'List events',
    description:
      'Lists events as webhooks deliver them, in the order in which they were recorded. ' +
      'The sequence has no gaps.',
    rateClass: 'read',
    readOnlyToken: true,
    query: z.strictObject({
      ...paging,
      type: listText(eventTypes).optional(),
      since: z
        .union([instant, z.string().regex(/^(0|[1-9]\d{0,14})$/, 'a sequence number')])
        .optional()
        .meta({ description: 'Events after this sequence number, or at or after this instant.' }),
      appId: idText.optional(),
      order: z.enum(['asc', 'desc']).default('asc'),
    }),
    responses: { 200: listOf(event) },
  },
  'GET /events/types': {
    summary: 'List event types',
    description: 'Lists the types of events, each with the schema of its data and a sample.',
    rateClass: 'read',
    readOnlyToken: true,
    responses: { 200: z.strictObject({ items: z.array(described) }) },
  },
  'GET /events/unread': {
    summary: 'Count unread events',
    description: 'Counts the events that the caller has not read, since they joined the workspace.',
    rateClass: 'read',
    readOnlyToken: true,
    responses: { 200: unread },
  },
  'POST /events/read': {
    summary: 'Mark events as read',
    description:
      'Marks the caller’s events up to a sequence number as read. What is read stays read.',
    rateClass: 'write',
    readOnlyToken: false,
    body: z.strictObject({ sequence: z.int().min(0).max(Number.MAX_SAFE_INTEGER) }),
    example: { sequence: 1200 },
    responses: { 200: unread },
  },
});
