import { z } from 'zod';
import { workspace } from './auth.ts';
import { id, instant, listOf, wholePaging } from './common.ts';
import { operationsOf } from './operation.ts';

const myWorkspace = z
  .strictObject({
    id,
    name: z.string(),
    role: z.enum(['owner', 'member']),
    state: workspace.shape.state,
    deleteAt: instant.nullable().meta({
      description: 'The time of the final deletion; until then an owner can restore it.',
    }),
    current: z.boolean().meta({ description: 'The workspace of this session.' }),
  })
  .meta({ id: 'MyWorkspace' });

export const myWorkspaces = operationsOf({
  'GET /auth/workspaces': {
    summary: 'List my workspaces',
    description:
      'Lists the workspaces of this account, at most 500, in the order in which they were ' +
      'joined.',
    rateClass: 'read',
    readOnlyToken: false,
    inAnyWorkspace: true,
    sessionOnly: true,
    query: z.strictObject(wholePaging),
    pages: 'cut',
    responses: { 200: listOf(myWorkspace) },
  },
  'PUT /auth/session/workspace': {
    summary: 'Switch workspace',
    description:
      'Switches the session to another workspace of the account. It issues a new session ' +
      'cookie, and the old one expires within seconds.',
    rateClass: 'write',
    readOnlyToken: false,
    inAnyWorkspace: true,
    sessionOnly: true,
    allowedInAnyState: true,
    body: z.strictObject({ workspaceId: id }),
    example: { workspaceId: 3 },
    responses: { 200: myWorkspace },
  },
});
