import { z } from 'zod';
import { email } from './auth.ts';
import { deleted, id, idParam, instant, listOf } from './common.ts';
import { operationsOf } from './operation.ts';

const role = z.enum(['owner', 'member']);

export const member = z
  .strictObject({
    id: id.meta({ description: 'Of the person.' }),
    email: z.string(),
    name: z.string().nullable(),
    role,
    joinedAt: instant,
    you: z.boolean(),
  })
  .meta({ id: 'Member' });

export const invite = z
  .strictObject({
    id,
    email: z.string(),
    role,
    invitedBy: z.string().nullable(),
    createdAt: instant,
    expiresAt: instant,
    state: z.enum(['pending', 'expired']),
  })
  .meta({ id: 'Invite' });

export const members = operationsOf({
  'GET /workspace/members': {
    summary: 'Who belongs to the workspace',
    rateClass: 'read',
    readOnlyToken: true,
    responses: { 200: listOf(member) },
  },
  'PATCH /workspace/members/{id}': {
    summary: 'Change what a member may do; the last owner stays owner',
    rateClass: 'write',
    readOnlyToken: false,
    role: 'owner',
    params: idParam,
    body: z.strictObject({ role }),
    responses: { 200: member },
  },
  'DELETE /workspace/members/{id}': {
    summary: 'Remove a member, or leave; sessions and tokens end at once; the last owner stays',
    rateClass: 'write',
    readOnlyToken: false,
    takesAccessAway: true,
    params: idParam,
    responses: { 200: deleted },
  },
  'GET /workspace/invites': {
    summary: 'Invitations that were not accepted yet',
    rateClass: 'read',
    readOnlyToken: false,
    role: 'owner',
    responses: { 200: listOf(invite) },
  },
  'POST /workspace/invites': {
    summary:
      'Invite somebody; the link is shown once, works once and for seven days, with mail or without; 403 where sign-up is closed',
    rateClass: 'write',
    readOnlyToken: false,
    role: 'owner',
    idempotent: true,
    body: z.strictObject({ email, role: role.default('member') }),
    responses: {
      201: z.strictObject({
        ...invite.shape,
        acceptUrl: z.string().meta({ description: 'Hand it on yourself where no mail is sent.' }),
        mail: z.enum(['sent', 'failed', 'off', 'unconfirmed', 'capped']).meta({
          description:
            '`off`: this instance has no mail server. `unconfirmed`: none goes out before who invites has confirmed their own address. `capped`: 50 went out for the workspace, or 3 to the address, within 24 hours.',
        }),
      }),
    },
  },
  'DELETE /workspace/invites/{id}': {
    summary: 'Revoke an invitation',
    rateClass: 'write',
    readOnlyToken: false,
    takesAccessAway: true,
    role: 'owner',
    params: idParam,
    responses: { 200: deleted },
  },
});
