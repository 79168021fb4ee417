import { z } from 'zod';
import { deleted, id, idParam, instant, listOf, textOf } from './common.ts';
import { operationsOf } from './operation.ts';

export const email = z
  .string()
  .trim()
  .toLowerCase()
  .max(254, { abort: true })
  .regex(/^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/, 'an e-mail address');
/** Bytes, not characters: nothing is cut off before hashing. Length rules are the domain's. */
export const password = z.string().min(1).max(512);
/** What stands behind the # of a link. */
const linkSecret = z.string().min(1).max(200);
const name = textOf(80, z.string().trim().min(1));

export const user = z
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

export const session = z
  .strictObject({
    user,
    workspace,
    role: z.enum(['owner', 'member']),
    operator: z.boolean(),
    credential: z.enum(['session', 'token']),
    readOnly: z.boolean(),
    expiresAt: instant.nullable(),
    emailConfirmedAt: instant.nullable(),
    awaitsConfirmation: z
      .boolean()
      .meta({
        description:
          'A link to confirm the address is in the mail; until it is opened, no digest is.',
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
    summary: 'Whether one can sign up, and whether one is signed in',
    rateClass: 'auth',
    readOnlyToken: false,
    responses: {
      200: z.strictObject({
        signUp: z
          .enum(['invite', 'open', 'closed'])
          .meta({
            description:
              'Who may make an account besides the very first: who was invited, everybody, nobody.',
          }),
        signUpOpen: z.boolean().meta({ description: 'POST /auth/sign-up would be answered now.' }),
        signedIn: z.boolean(),
        needsFirstUser: z.boolean(),
      }),
    },
  },
  'POST /auth/sign-up': {
    summary:
      'Make an account and its workspace; the very first from loopback or with the setup token; 404 unless sign-up is open',
    rateClass: 'auth',
    readOnlyToken: false,
    body: z.strictObject({
      email,
      password,
      name: name.optional(),
      workspaceName: name.optional(),
      setupToken: z.string().max(200).optional(),
    }),
    responses: { 201: signedIn },
  },
  'POST /auth/sign-in': {
    summary:
      'Exchange e-mail and password for a session cookie; takes back an account that was deleted less than 14 days ago',
    rateClass: 'auth',
    readOnlyToken: false,
    body: z.strictObject({ email, password }),
    responses: {
      200: z.strictObject({
        ...signedIn.shape,
        accountRestored: z.boolean().meta({ description: 'It was deleted, and is no more.' }),
      }),
    },
  },
  'POST /auth/sign-out': {
    summary: 'End this session',
    rateClass: 'auth',
    readOnlyToken: false,
    responses: { 200: z.strictObject({ signedOut: z.literal(true) }) },
  },
  'GET /auth/session': {
    summary: 'Who am I',
    rateClass: 'read',
    readOnlyToken: true,
    responses: { 200: session },
  },
  'GET /auth/sessions': {
    summary: 'My sessions',
    rateClass: 'read',
    readOnlyToken: false,
    sessionOnly: true,
    responses: { 200: listOf(sessionRow) },
  },
  'DELETE /auth/sessions/{id}': {
    summary: 'End one of my sessions',
    rateClass: 'write',
    readOnlyToken: false,
    sessionOnly: true,
    params: idParam,
    responses: { 200: z.strictObject({ id, deleted: z.literal(true) }) },
  },
  'DELETE /auth/sessions': {
    summary: 'End all my other sessions',
    rateClass: 'write',
    readOnlyToken: false,
    sessionOnly: true,
    responses: { 200: z.strictObject({ revoked: z.int() }) },
  },
  'DELETE /auth/account': {
    summary:
      'Delete my account: its sessions and tokens end at once, and workspaces of mine alone go with it; for 14 days signing in takes it back',
    rateClass: 'write',
    readOnlyToken: false,
    sessionOnly: true,
    inAnyState: true,
    body: z.strictObject({ password }),
    responses: { 200: z.strictObject({ ...deleted.shape, purgeAt: instant }) },
  },
  'POST /auth/password': {
    summary: 'Change my password; other sessions end',
    rateClass: 'write',
    readOnlyToken: false,
    sessionOnly: true,
    body: z.strictObject({ current: password, next: password }),
    responses: { 200: z.strictObject({ changed: z.literal(true), otherSessionsRevoked: z.int() }) },
  },
  'POST /auth/password/forgot': {
    summary:
      'Ask for a link to set a new password; the answer is the same whether or not the address has an account',
    rateClass: 'auth',
    readOnlyToken: false,
    body: z.strictObject({ email }),
    responses: {
      202: z.strictObject({
        accepted: z.literal(true),
        hint: z
          .string()
          .nullable()
          .meta({ description: 'How to get a link where this instance sends no mail.' }),
      }),
    },
  },
  'POST /auth/password/reset': {
    summary: 'Set a new password by a link, once and within its hour; all sessions end',
    rateClass: 'auth',
    readOnlyToken: false,
    body: z.strictObject({ token: linkSecret, password }),
    responses: { 200: z.strictObject({ accepted: z.literal(true) }) },
  },
  'POST /auth/email/confirm': {
    summary:
      'Confirm an address by the link that was mailed, once and within three days: signed in to its account, or with its password',
    rateClass: 'auth',
    readOnlyToken: false,
    body: z.strictObject({ token: linkSecret, password: password.optional() }),
    responses: { 200: z.strictObject({ accepted: z.literal(true) }) },
  },
  'POST /auth/email/resend': {
    summary:
      'Mail me the link to confirm my address once more; nothing goes out where it is confirmed',
    rateClass: 'write',
    readOnlyToken: false,
    sessionOnly: true,
    responses: {
      202: z.strictObject({
        accepted: z.literal(true),
        hint: z
          .string()
          .nullable()
          .meta({ description: 'How an address is confirmed where this instance sends no mail.' }),
      }),
    },
  },
  'POST /auth/invites/{token}/accept': {
    summary:
      'Accept an invitation: with a new password, or with that of the account the address has; 404 where sign-up is closed',
    rateClass: 'auth',
    readOnlyToken: false,
    params: z.strictObject({ token: linkSecret }),
    body: z.strictObject({ password, name: name.optional() }),
    responses: { 201: signedIn },
  },
});
