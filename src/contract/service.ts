import { z } from 'zod';
import { replicaFaults } from './choices.ts';
import { instant, utcDay, wholePaging } from './common.ts';
import { errorCodes } from './errors.ts';
import { operationsOf } from './operation.ts';

const load = z
  .int()
  .nullable()
  .meta({ description: 'null when it cannot be read, or others may share the instance.' });

export const health = z
  .strictObject({
    status: z.enum(['ok', 'degraded']),
    version: z.string(),
    uptimeSeconds: z.int(),
    db: z.strictObject({
      ok: z.boolean(),
      latencyMs: z.number().nullable(),
      writable: z
        .boolean()
        .nullable()
        .meta({
          description:
            'Whether the database accepted a write in the last five seconds; it does not ' +
            'while its disk is full. null: the database does not respond.',
        }),
    }),
    queue: z.strictObject({
      ok: z.boolean(),
      backend: z.enum(['postgres', 'redis']),
      writable: z
        .boolean()
        .nullable()
        .meta({
          description:
            'Whether Redis accepted a write in the last second; it does not while its disk or ' +
            'its memory is full. null: the queue is in the database.',
        }),
      waiting: load,
      usedBytes: load,
      capBytes: z.int(),
    }),
    replica: z
      .strictObject({
        ok: z.boolean(),
        fault: z.enum(replicaFaults).nullable(),
        lagBytes: z.number().nullable(),
      })
      .nullable()
      .meta({
        description:
          'Whether heavy reads can use the replica; otherwise the primary serves them. null ' +
          'without a replica, or when others may share the instance.',
      }),
    failedJobs: z.int().nullable().meta({
      description:
        'Of this workspace; for operators, of the whole instance. null: it could not be read.',
    }),
    lastRun: z.strictObject({ date: utcDay, state: z.string() }).nullable(),
    backup: z
      .strictObject({
        lastAt: instant.nullable(),
        bytes: z.int().nullable(),
        seconds: z.number().nullable(),
        isOverdue: z.boolean(),
        upload: z
          .strictObject({ lastAt: instant.nullable(), isOverdue: z.boolean() })
          .nullable()
          .meta({ description: 'The newest backup in the bucket; null without one.' }),
      })
      .nullable()
      .meta({
        description:
          'The newest good backup, and whether a scheduled one is missing. null when it cannot ' +
          'be read, or others may share the instance.',
      }),
  })
  .meta({ id: 'Health' });

export const service = operationsOf({
  'GET /health': {
    summary: 'Get service health',
    description:
      'Returns the state of the service, its database and its queue, and the number of ' +
      'failed jobs. It returns 503 with the same body when a part is not usable.',
    rateClass: 'read',
    readOnlyToken: true,
    reportsOutage: true,
    responses: { 200: health, 503: health },
  },
  'GET /errors': {
    summary: 'List error codes',
    description:
      'Returns the closed list of error codes. Each code has its status, its meaning and ' +
      'what to do about it.',
    rateClass: 'read',
    readOnlyToken: true,
    query: z.strictObject(wholePaging),
    pages: 'cut',
    responses: {
      200: z.strictObject({
        items: z.array(
          z.strictObject({
            code: z.enum(errorCodes),
            status: z.int(),
            meaning: z.string(),
            remedy: z.string(),
          }),
        ),
        nextCursor: z.string().nullable(),
        total: z.int(),
      }),
    },
  },
  'GET /metrics': {
    summary: 'Get Prometheus metrics',
    description:
      'Returns the metrics of this instance in the text format of Prometheus. A metric ' +
      'that cannot be read is left out. While the database does not respond, the only one is ' +
      '`toprung_database_up 0`.',
    rateClass: 'read',
    readOnlyToken: true,
    reportsOutage: true,
    role: 'owner',
    hidden: true,
    instanceWide: true,
    raw: true,
    contentTypes: ['text/plain'],
    responses: { 200: z.string() },
  },
  'GET /docs-json': {
    summary: 'Get the OpenAPI document',
    description:
      'Returns the description of this API as OpenAPI 3.1, from which clients can be ' +
      'generated. The setting `API_DOCS` decides who may read it; everyone else gets 404.',
    rateClass: 'read',
    readOnlyToken: true,
    hidden: true,
    responses: { 200: z.looseObject({ openapi: z.string() }) },
  },
  'GET /docs': {
    summary: 'Get the API reference as a page',
    description: 'Returns this reference as a page that runs without any other host.',
    rateClass: 'read',
    readOnlyToken: true,
    hidden: true,
    raw: true,
    responses: { 200: z.string() },
  },
  'GET /admin/queues': {
    summary: 'Open the queue dashboard',
    description:
      'Opens the dashboard of the job queues. Operators see it, and owners of the only workspace ' +
      'while strangers cannot sign up; everyone else gets 404.',
    rateClass: 'read',
    readOnlyToken: true,
    role: 'owner',
    hidden: true,
    instanceWide: true,
    raw: true,
    responses: { 200: z.string() },
  },
});
