import { z } from 'zod';
import { utcDay } from './common.ts';
import { errorCodes } from './errors.ts';
import { operationsOf } from './operation.ts';

export const health = z
  .strictObject({
    status: z.enum(['ok', 'degraded']),
    version: z.string(),
    uptimeSeconds: z.int(),
    db: z.strictObject({ ok: z.boolean(), latencyMs: z.number().nullable() }),
    queue: z.strictObject({
      ok: z.boolean(),
      backend: z.enum(['postgres', 'redis']),
      waiting: z.int().nullable(),
      usedBytes: z.int().nullable(),
      capBytes: z.int(),
    }),
    failedJobs: z.int().nullable(),
    lastRun: z.strictObject({ date: utcDay, state: z.string() }).nullable(),
  })
  .meta({ id: 'Health' });

export const service = operationsOf({
  'GET /health': {
    summary: 'How the service is',
    rateClass: 'read',
    readOnlyToken: true,
    responses: { 200: health, 503: health },
  },
  'GET /errors': {
    summary: 'Every error code with its meaning and remedy',
    rateClass: 'read',
    readOnlyToken: true,
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
        nextCursor: z.null(),
        total: z.int(),
      }),
    },
  },
  'GET /metrics': {
    summary: 'Readings for Prometheus; what cannot be read is left out',
    rateClass: 'read',
    readOnlyToken: true,
    role: 'owner',
    hidden: true,
    ofInstance: true,
    raw: true,
    contentTypes: ['text/plain'],
    responses: { 200: z.string() },
  },
  'GET /docs-json': {
    summary: 'This description, OpenAPI 3.1',
    rateClass: 'read',
    readOnlyToken: true,
    hidden: true,
    responses: { 200: z.looseObject({ openapi: z.string() }) },
  },
  'GET /docs': {
    summary: 'The reference as a page',
    rateClass: 'read',
    readOnlyToken: true,
    hidden: true,
    raw: true,
    responses: { 200: z.string() },
  },
  'GET /admin/queues': {
    summary: 'The queue dashboard',
    rateClass: 'read',
    readOnlyToken: true,
    role: 'owner',
    hidden: true,
    ofInstance: true,
    raw: true,
    responses: { 200: z.string() },
  },
});
