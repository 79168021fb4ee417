import { z } from 'zod';
import { workspace as record } from './auth.ts';
import { dayRange, deleted, id, idText, instant, utcDay } from './common.ts';
import { operationsOf } from './operation.ts';

export const workspaceDetail = z
  .strictObject({
    ...record.shape,
    suspension: z
      .strictObject({ at: instant, reason: z.string().nullable() })
      .nullable()
      .meta({ description: 'By who runs the instance, with the reason that was given.' }),
    deleteAt: instant
      .nullable()
      .meta({
        description: 'Deleted, and gone for good from then on; until then an owner can restore it.',
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
          name: z
            .string()
            .nullable()
            .meta({
              description: 'null where the token is somebody else’s, unless an owner asks.',
            }),
          ...counts,
        }),
      )
      .meta({ description: 'The 500 that asked most, over all those days.' }),
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
      'Counted in the process that answered and written every few seconds: other processes’ last seconds are not in it yet.',
  });

export const workspace = operationsOf({
  'GET /workspace': {
    summary: 'The workspace, its limits and its use',
    rateClass: 'read',
    readOnlyToken: true,
    responses: { 200: workspaceDetail },
  },
  'PATCH /workspace': {
    summary: 'Rename the workspace',
    rateClass: 'write',
    readOnlyToken: false,
    role: 'owner',
    body: z.strictObject({ name: z.string().trim().min(1).max(80) }),
    responses: { 200: workspaceDetail },
  },
  'DELETE /workspace': {
    summary:
      'Delete the workspace: as if suspended for 14 days, then gone for good, with accounts that belong to no other; payment ends at once',
    rateClass: 'write',
    readOnlyToken: false,
    role: 'owner',
    sessionOnly: true,
    body: z.strictObject({
      confirmName: z.string().min(1).max(200).meta({ description: 'The name of the workspace.' }),
    }),
    responses: { 200: z.strictObject({ ...deleted.shape, purgeAt: instant }) },
  },
  'POST /workspace/restore': {
    summary:
      'Take the deletion of the workspace back, within its 14 days; a plan that was paid for has ended',
    rateClass: 'write',
    readOnlyToken: false,
    role: 'owner',
    sessionOnly: true,
    inAnyState: true,
    responses: { 200: workspaceDetail },
  },
  'GET /workspace/usage': {
    summary: 'Requests by day, class and token, and what is left of the on-demand allowances',
    rateClass: 'read',
    readOnlyToken: true,
    query: z.strictObject({
      ...dayRange,
      tokenId: idText.optional().meta({ description: 'Only this token’s days.' }),
    }),
    responses: { 200: usage },
  },
});
