import { z } from 'zod';
import { workspace } from './auth.ts';
import { id, instant, listOf } from './common.ts';
import { operationsOf } from './operation.ts';

const myWorkspace = z
  .strictObject({
    id,
    name: z.string(),
    role: z.enum(['owner', 'member']),
    state: workspace.shape.state,
    deleteAt: instant
      .nullable()
      .meta({
        description: 'Deleted, and gone for good from then on; until then an owner can restore it.',
      }),
    current: z.boolean().meta({ description: 'The one that this session is for.' }),
  })
  .meta({ id: 'MyWorkspace' });

export const myWorkspaces = operationsOf({
  'GET /auth/workspaces': {
    summary: 'The workspaces that I belong to, the one joined first at the top; at most 500',
    rateClass: 'read',
    readOnlyToken: false,
    sessionOnly: true,
    responses: { 200: listOf(myWorkspace) },
  },
  'PUT /auth/session/workspace': {
    summary:
      'Go on in another of my workspaces: a new session cookie takes the place of this one, which ends within seconds',
    rateClass: 'write',
    readOnlyToken: false,
    sessionOnly: true,
    inAnyState: true,
    body: z.strictObject({ workspaceId: id }),
    responses: { 200: myWorkspace },
  },
});
