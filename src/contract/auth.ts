import { z } from 'zod';
import { deleted, id, idParam, instant, listOf, textOf, wholePaging } from './common.ts';
import { operationsOf } from './operation.ts';

export const email = z
  .string()
  .trim()
  .toLowerCase()
  .max(254, { abort: true })
  .regex(/^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/, 'an e-mail address');
/** In bytes, not characters: nothing is cut off before hashing. The domain checks the length. */
const password = z.string().min(1).max(512);
const newPassword = password.meta({
  stated: {
    minLength: 3,
    maxLength: 128,
    description: '12 to 128 bytes of UTF-8, at least 3 characters, and no common password.',
  },
});
/** The secret in the fragment of a mailed link. */
const linkSecret = z.string().min(1).max(200);
const name = textOf(80, z.string().trim().min(1));

const user = z
  .strictObject({ id, email: z.string(), name: z.string().nullable() })
  .meta({ id: 'User' });
export const workspace = z
  .strictObject({
    id,
    name: z.string(),
    state: z.enum(['trial', 'live', 'lapsed', 'suspended']),
    plan: z.string().nullable(),
    createdAt: instant,
  })
  .meta({ id: 'Workspace' });
const signedIn = z.strictObject({ user, workspace });

const session = z
  .strictObject({
    user,
    workspace,
    role: z.enum(['owner', 'member']),
    operator: z.boolean(),
    managesInstance: z.boolean().meta({
      description: 'An operator, or an owner of the only workspace while strangers cannot sign up.',
    }),
    credential: z.enum(['session', 'token']),
    readOnly: z.boolean(),
    docs: z.boolean().meta({ description: 'GET /docs shows the API reference to this user.' }),
    expiresAt: instant.nullable(),
    emailConfirmedAt: instant.nullable(),
    confirmationPending: z.boolean().meta({
      description:
        'A confirmation link was mailed; until the address is confirmed, no digest is sent.',
    }),
  })
  .meta({ id: 'Session' });

const sessionRow = z.strictObject({
  id,
  current: z.boolean(),
  createdAt: instant,
  lastSeenAt: instant,
  expiresAt: instant,
  address: z.string().nullable(),
  userAgent: z.string().nullable(),
});

export const auth = operationsOf({
  'GET /auth/state': {
    summary: 'Get the sign-up and sign-in state',
    description: 'Returns whether somebody is signed in and whether accounts can be ' + 'created.',
    rateClass: 'auth',
    readOnlyToken: false,
    responses: {
      200: z.strictObject({
        signUp: z.enum(['invite', 'open', 'closed']).meta({
          description: 'Who may create further accounts: invited users, everybody, or nobody.',
        }),
        signUpOpen: z.boolean().meta({ description: 'POST /auth/sign-up would be accepted now.' }),
        signedIn: z.boolean(),
        needsFirstUser: z.boolean(),
      }),
    },
  },
  'POST /auth/sign-up': {
    summary: 'Create an account and its workspace',
    description:
      'Creates an account with a workspace of its own and signs in. The first account is ' +
      'created from loopback or with the setup token. It returns 404 unless sign-up is ' +
      'open.',
    rateClass: 'auth',
    readOnlyToken: false,
    body: z.strictObject({
      email,
      password: newPassword,
      name: name.optional(),
      workspaceName: name.optional(),
      setupToken: z.string().max(200).optional(),
    }),
    example: {
      email: 'ann@example.org',
      password: 'a long passphrase',
      workspaceName: 'Ann’s apps',
    },
    responses: { 201: signedIn },
  },
  'POST /auth/sign-in': {
    summary: 'Sign in',
    description:
      'Exchanges e-mail and password for a session cookie. It also restores an account ' +
      'that was deleted less than 14 days ago.',
    rateClass: 'auth',
    readOnlyToken: false,
    body: z.strictObject({ email, password }),
    example: { email: 'ann@example.org', password: 'a long passphrase' },
    responses: {
      200: z.strictObject({
        ...signedIn.shape,
        accountRestored: z.boolean().meta({ description: 'A deleted account was restored.' }),
      }),
    },
  },
  'POST /auth/sign-out': {
    summary: 'Sign out',
    description: 'Ends the current session and clears its cookie.',
    rateClass: 'auth',
    readOnlyToken: false,
    responses: { 200: z.strictObject({ signedOut: z.literal(true) }) },
  },
  'GET /auth/session': {
    summary: 'Get the current session',
    description:
      'Returns the person, the workspace, the role and the kind of credential of this ' +
      'request.',
    rateClass: 'read',
    showsAccess: true,
    readOnlyToken: true,
    inAnyWorkspace: true,
    responses: { 200: session },
  },
  'GET /auth/sessions': {
    summary: 'List sessions',
    description: 'Lists the signed-in sessions of this account.',
    rateClass: 'read',
    readOnlyToken: false,
    inAnyWorkspace: true,
    sessionOnly: true,
    query: z.strictObject(wholePaging),
    pages: 'cut',
    responses: { 200: listOf(sessionRow) },
  },
  'DELETE /auth/sessions/{id}': {
    summary: 'Revoke a session',
    description:
      'Ends one session of this account at once. It returns 404 for a session that was replaced ' +
      'when another workspace was opened: the list has its successor.',
    rateClass: 'write',
    readOnlyToken: false,
    inAnyWorkspace: true,
    sessionOnly: true,
    params: idParam,
    responses: { 200: z.strictObject({ id, deleted: z.literal(true) }) },
  },
  'DELETE /auth/sessions': {
    summary: 'Revoke all other sessions',
    description: 'Ends every session of this account except the current one.',
    rateClass: 'write',
    readOnlyToken: false,
    inAnyWorkspace: true,
    sessionOnly: true,
    responses: { 200: z.strictObject({ revoked: z.int() }) },
  },
  'DELETE /auth/account': {
    summary: 'Delete the account',
    description:
      'Deletes the account. Its sessions and tokens end at once, its open invitations are ' +
      'revoked, and workspaces without another member are deleted with it. Signing in within ' +
      '14 days restores it.',
    rateClass: 'write',
    readOnlyToken: false,
    inAnyWorkspace: true,
    sessionOnly: true,
    allowedInAnyState: true,
    body: z.strictObject({ password }),
    example: { password: 'a long passphrase' },
    responses: { 200: z.strictObject({ ...deleted.shape, purgeAt: instant }) },
  },
  'POST /auth/password': {
    summary: 'Change the password',
    description: 'Replaces the password of this account. All other sessions end.',
    rateClass: 'write',
    readOnlyToken: false,
    inAnyWorkspace: true,
    sessionOnly: true,
    body: z.strictObject({ current: password, next: newPassword }),
    example: { current: 'a long passphrase', next: 'another long passphrase' },
    responses: { 200: z.strictObject({ changed: z.literal(true), otherSessionsRevoked: z.int() }) },
  },
  'POST /auth/password/forgot': {
    summary: 'Request a password reset link',
    description:
      'Sends a link to set a new password. The response is the same whether or not the ' +
      'address has an account.',
    rateClass: 'auth',
    readOnlyToken: false,
    body: z.strictObject({ email }),
    example: { email: 'ann@example.org' },
    responses: {
      202: z.strictObject({
        accepted: z.literal(true),
        hint: z
          .string()
          .nullable()
          .meta({ description: 'How to get a link when this instance sends no mail.' }),
      }),
    },
  },
  'POST /auth/password/reset': {
    summary: 'Reset the password',
    description:
      'Sets a new password with the link of an e-mail. The link works once and for an ' +
      'hour. All sessions end. API tokens, open invitations, shared reports and webhooks stay, ' +
      'unless the mailed link confirms the address, because somebody else may have created them: ' +
      'then the tokens and invitations are revoked, the reports are deleted, and the webhooks of ' +
      'workspaces without other members are disabled. Revoke a stolen token with ' +
      '`DELETE /tokens/{id}`.',
    rateClass: 'auth',
    readOnlyToken: false,
    body: z.strictObject({ token: linkSecret, password: newPassword }),
    example: { token: 'rst_3fVtq0Zk8yWm2c', password: 'another long passphrase' },
    responses: { 200: z.strictObject({ accepted: z.literal(true) }) },
  },
  'POST /auth/email/confirm': {
    summary: 'Confirm an e-mail address',
    description:
      'Confirms the address with the link of an e-mail. The link works once and for three ' +
      'days. It needs a session of the account, or its password.',
    rateClass: 'auth',
    readOnlyToken: false,
    body: z.strictObject({ token: linkSecret, password: password.optional() }),
    example: { token: 'cnf_3fVtq0Zk8yWm2c' },
    responses: { 200: z.strictObject({ accepted: z.literal(true) }) },
  },
  'POST /auth/email/resend': {
    summary: 'Resend the confirmation link',
    description:
      'Sends the confirmation link again. Nothing is sent when the address is already ' +
      'confirmed.',
    rateClass: 'write',
    readOnlyToken: false,
    inAnyWorkspace: true,
    sessionOnly: true,
    responses: {
      202: z.strictObject({
        accepted: z.literal(true),
        hint: z
          .string()
          .nullable()
          .meta({ description: 'How to confirm an address when this instance sends no mail.' }),
      }),
    },
  },
  'POST /auth/invites/{token}/accept': {
    summary: 'Accept an invitation',
    description:
      'Joins the workspace of an invitation. It needs a new password, or the password of ' +
      'the account that the address already has. It returns 404 if sign-up is closed.',
    rateClass: 'auth',
    readOnlyToken: false,
    params: z.strictObject({ token: linkSecret }),
    body: z.strictObject({ password: newPassword, name: name.optional() }),
    example: { password: 'a long passphrase', name: 'Ben' },
    responses: { 201: signedIn },
  },
});
