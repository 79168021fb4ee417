import { z } from 'zod';
import { email } from './auth.ts';
import { deleted, id, idParam, instant, listOf, shownOnce, wholePaging } from './common.ts';
import { operationsOf } from './operation.ts';

const role = z.enum(['owner', 'member']);

const member = z
  .strictObject({
    id: id.meta({ description: 'The user’s id.' }),
    email: z.string(),
    name: z.string().nullable(),
    role,
    joinedAt: instant,
    you: z.boolean(),
  })
  .meta({ id: 'Member' });

const invite = z
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
    summary: 'List members',
    description: 'Lists the people of the workspace with their roles.',
    rateClass: 'read',
    showsAccess: true,
    readOnlyToken: true,
    query: z.strictObject(wholePaging),
    pages: 'cut',
    responses: { 200: listOf(member) },
  },
  'PATCH /workspace/members/{id}': {
    summary: 'Update a member’s role',
    description:
      'Changes the role of a member. The open invitations of somebody who is no longer an owner ' +
      'are revoked. The role of the last owner cannot be changed, and a token cannot make ' +
      'anybody an owner.',
    rateClass: 'write',
    readOnlyToken: false,
    role: 'owner',
    params: idParam,
    body: z.strictObject({ role }),
    example: { role: 'owner' },
    responses: { 200: member },
  },
  'DELETE /workspace/members/{id}': {
    summary: 'Remove a member',
    description:
      'Removes a member, or leaves the workspace. Their sessions, tokens and open invitations ' +
      'end at once. The last owner cannot be removed.',
    rateClass: 'write',
    readOnlyToken: false,
    revokesAccess: true,
    params: idParam,
    responses: { 200: deleted },
  },
  'GET /workspace/invites': {
    summary: 'List open invitations',
    description:
      'Lists the invitations that were not accepted yet. One that has expired is listed for 30 ' +
      'days more, with this state.',
    rateClass: 'read',
    showsAccess: true,
    readOnlyToken: true,
    role: 'owner',
    query: z.strictObject(wholePaging),
    pages: 'cut',
    responses: { 200: listOf(invite) },
  },
  'POST /workspace/invites': {
    summary: 'Create an invitation',
    description:
      'Invites a person. The link is shown once, works once and expires after seven days, ' +
      'whether or not it is mailed. It returns 403 if sign-up is closed, and to a token that ' +
      'invites an owner.',
    rateClass: 'write',
    readOnlyToken: false,
    role: 'owner',
    idempotent: true,
    shownOnce: ['acceptUrl'],
    body: z.strictObject({ email, role: role.default('member') }),
    example: { email: 'ben@example.org', role: 'member' },
    responses: {
      201: z.strictObject({
        ...invite.shape,
        acceptUrl: shownOnce.meta({
          description:
            'Send it to the person yourself when no mail is sent. Not in the replay of an ' +
            'Idempotency-Key.',
        }),
        mail: z.enum(['sent', 'failed', 'off', 'unconfirmed', 'capped']).meta({
          description:
            '`failed`: the mail server refused it, or has not accepted it within ten seconds and ' +
            'may deliver it after all. `off`: this instance has no mail server. ' +
            '`unconfirmed`: the inviter has not confirmed their own address. `capped`: 50 were ' +
            'sent for the workspace, or 3 to the address, within 24 hours.',
        }),
      }),
    },
  },
  'DELETE /workspace/invites/{id}': {
    summary: 'Revoke an invitation',
    description: 'Revokes an invitation. Its link stops working at once.',
    rateClass: 'write',
    readOnlyToken: false,
    revokesAccess: true,
    role: 'owner',
    params: idParam,
    responses: { 200: deleted },
  },
});
