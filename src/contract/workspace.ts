import { z } from 'zod';
import { workspace as record } from './auth.ts';
import { operationsOf } from './operation.ts';

export const workspaceDetail = z
  .strictObject({
    ...record.shape,
    limits: z.strictObject({ apps: z.int().nullable(), keywordMarkets: z.int().nullable(), members: z.int().nullable() }),
    usage: z.strictObject({ apps: z.int(), keywordMarkets: z.int() }),
  })
  .meta({ id: 'WorkspaceDetail' });

export const workspace = operationsOf({
  'GET /workspace': { summary: 'The workspace, its limits and its use', rateClass: 'read', readOnlyToken: true, responses: { 200: workspaceDetail } },
  'PATCH /workspace': {
    summary: 'Rename the workspace',
    rateClass: 'write',
    readOnlyToken: false,
    role: 'owner',
    body: z.strictObject({ name: z.string().trim().min(1).max(80) }),
    responses: { 200: workspaceDetail },
  },
});
