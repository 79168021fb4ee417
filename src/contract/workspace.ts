import { z } from 'zod';
import { workspace as record } from './auth.ts';
import { dayRange, deleted, id, idText, instant, utcDay } from './common.ts';
import { operationsOf } from './operation.ts';

const workspaceDetail = z
  .strictObject({
    ...record.shape,
    suspension: z
      .strictObject({ at: instant, reason: z.string().nullable() })
      .nullable()
      .meta({ description: 'Suspended by the operator, with the given reason.' }),
    deleteAt: instant.nullable().meta({
      description: 'The time of the final deletion; until then an owner can restore it.',
    }),
    limits: z.strictObject({
      apps: z.int().nullable(),
      keywordMarkets: z.int().nullable(),
      members: z.int().nullable(),
    }),
    usage: z.strictObject({ apps: z.int(), keywordMarkets: z.int() }),
  })
  .meta({ id: 'WorkspaceDetail' });

const counts = { read: z.int(), write: z.int(), store: z.int(), total: z.int() };

const usage = z
  .strictObject({
    from: utcDay,
    to: utcDay,
    days: z
      .array(z.strictObject({ date: utcDay, ...counts }))
      .meta({ description: 'Every day, oldest first; requests by class.' }),
    tokens: z
      .array(
        z.strictObject({
          tokenId: id.nullable().meta({ description: 'null: sessions.' }),
          name: z.string().nullable().meta({
            description: 'null for another user’s token, unless an owner asks.',
          }),
          ...counts,
        }),
      )
      .meta({ description: 'The 500 with the most requests, over all those days.' }),
    onDemand: z.array(
      z.strictObject({
        kind: z.enum(['refresh', 'run-daily', 'score', 'suggestions']),
        window: z.enum(['day', 'hour']),
        used: z.int(),
        limit: z.int().nullable(),
        resetAt: instant,
      }),
    ),
  })
  .meta({
    id: 'WorkspaceUsage',
    description:
      'Counted in the responding process and stored every few seconds: the last seconds of ' +
      'other processes are not included yet.',
  });

export const workspace = operationsOf({
  'GET /workspace': {
    summary: 'Get the workspace',
    description: 'Returns the workspace with its state, its limits and its current usage.',
    rateClass: 'read',
    readOnlyToken: true,
    versioned: ['name'],
    responses: { 200: workspaceDetail },
  },
  'PATCH /workspace': {
    summary: 'Rename the workspace',
    description: 'Changes the name of the workspace.',
    rateClass: 'write',
    readOnlyToken: false,
    role: 'owner',
    versioned: ['name'],
    body: z.strictObject({ name: z.string().trim().min(1).max(80) }),
    example: { name: 'Ann’s apps' },
    responses: { 200: workspaceDetail },
  },
  'DELETE /workspace': {
    summary: 'Delete the workspace',
    description:
      'Deletes the workspace. It is suspended for 14 days and then deleted, with accounts ' +
      'that belong to no other workspace. Payment ends at once.',
    rateClass: 'write',
    readOnlyToken: false,
    role: 'owner',
    sessionOnly: true,
    body: z.strictObject({
      confirmName: z.string().min(1).max(200).meta({ description: 'The name of the workspace.' }),
    }),
    example: { confirmName: 'Ann’s apps' },
    responses: { 200: z.strictObject({ ...deleted.shape, purgeAt: instant }) },
  },
  'POST /workspace/restore': {
    summary: 'Restore a deleted workspace',
    description:
      'Restores a deleted workspace within 14 days of its deletion. A paid plan stays ' + 'ended.',
    rateClass: 'write',
    readOnlyToken: false,
    role: 'owner',
    sessionOnly: true,
    allowedInAnyState: true,
    responses: { 200: workspaceDetail },
  },
  'GET /workspace/usage': {
    summary: 'Get API usage',
    description:
      'Returns the number of requests by day, class and token, and the remaining ' +
      'on-demand allowances. Requests that do not count in the limits of a plan are left out.',
    rateClass: 'read',
    readOnlyToken: true,
    query: z.strictObject({
      ...dayRange,
      tokenId: idText.optional().meta({ description: 'Only this token’s days.' }),
    }),
    responses: { 200: usage },
  },
});
