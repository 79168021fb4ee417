import type { FastifyReply, FastifyRequest } from 'fastify';
import { auth } from '#contract/auth.ts';
import { acceptInvite, getOpenInvite } from '#domain/accounts/auth/accept-invite.ts';
import { changePassword } from '#domain/accounts/auth/change-password.ts';
import {
  confirmEmail,
  getConfirmation,
  resendConfirmation,
} from '#domain/accounts/auth/confirm-email.ts';
import { deleteAccount } from '#domain/accounts/auth/delete-account.ts';
import { forgotPassword } from '#domain/accounts/auth/password-recovery.ts';
import type { Identity } from '#domain/accounts/auth/authenticate.ts';
import type { Visitor } from '#domain/accounts/auth/open-session.ts';
import { resetPassword } from '#domain/accounts/auth/reset-password.ts';
import {
  revokeSession,
  sessionExpiresAt,
  revokeOtherSessions,
  getWhoami,
  listMySessions,
  signOut,
} from '#domain/accounts/auth/sessions.ts';
import { signIn } from '#domain/accounts/auth/sign-in.ts';
import { signUp, type SignedIn } from '#domain/accounts/auth/sign-up.ts';
import { hasAccounts } from '#domain/accounts/auth/has-accounts.ts';
import { managesInstance } from '#domain/scheduling/health/get-health.ts';
import { AppError, notFound } from '#domain/base/errors.ts';
import {
  clearSessionCookie,
  identifyBrowser,
  presentedSessionHash,
  readCredential,
  setSessionCookie,
} from '../plugins/credentials.ts';
import { maySeeDocs, tryIdentify } from '../plugins/gates.ts';
import { routesOf } from '../route.ts';
import { showWorkspace } from './workspace.ts';

interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
}

export function visitorOf({ request }: Exchange): Visitor {
  const { api } = request.server;
  if (
    !request.client.https &&
    !request.client.isLocal &&
    !isLoopbackAddress(request.client.address) &&
    !api.config.insecureCookies
  ) {
    throw new AppError(
      'forbidden',
      'Signing in over plain http works on the machine itself only. Use https, or set ' +
        'INSECURE_COOKIES=true on a network you trust.',
    );
  }
  return {
    authSecret: api.authSecret,
    address: request.client.address,
    userAgent: request.headers['user-agent']?.toWellFormed().replaceAll('\0', '') ?? null,
    presentedHash: presentedSessionHash(request),
  };
}

function isLoopbackAddress(address: string): boolean {
  return address === '::1' || address.startsWith('127.');
}

/** The signed-in user of an operation that does not require one, or null. */
async function findSignedIn(exchange: Exchange): Promise<number | null> {
  return (await identifyBrowser(exchange.request))?.actor.userId ?? null;
}

/** A rejected token counts here as anywhere. */
async function findTokenOwner({ request }: Exchange): Promise<Identity | null> {
  return readCredential(request).kind === 'bearer' ? tryIdentify(request) : null;
}

function welcome({ request, reply }: Exchange, { user, workspace, session }: SignedIn) {
  setSessionCookie(request, reply, session.cookie, session.expiresAt);
  return { user, workspace: showWorkspace(workspace, request.server.api.services) };
}

const withoutMail = {
  recovery:
    'This instance sends no mail. Its operator can create a link with: toprung user ' +
    'reset-link <email>',
  confirmation:
    'This instance sends no mail. Its operator can confirm an address with: toprung user ' +
    'confirm <email>',
};

export const authRoutes = routesOf(auth, {
  'GET /auth/state': async ({ raw }) => {
    const { services, config } = raw.request.server.api;
    const session = await identifyBrowser(raw.request);
    raw.request.limitedAs = session ?? (await findTokenOwner(raw));
    const signedIn = session !== null;
    const needsFirstUser = !(await hasAccounts(services));
    return {
      signUp: config.signUp,
      signUpOpen: needsFirstUser || config.signUp === 'open',
      signedIn,
      needsFirstUser,
    };
  },
  'POST /auth/sign-up': async ({ body, raw }) => {
    const { services, config } = raw.request.server.api;
    const rules = { mode: config.signUp, fromHere: raw.request.client.isLocal };
    return welcome(raw, await signUp(services, body, rules, visitorOf(raw)));
  },
  'POST /auth/sign-in': async ({ body, raw }) => {
    const { services, limits } = raw.request.server.api;
    const visitor = visitorOf(raw);
    const signedIn = await limits.signIn.countFailure(body.email, raw.request.client.bucket, () =>
      signIn(services, body, visitor),
    );
    return { ...welcome(raw, signedIn), accountRestored: signedIn.accountRestored };
  },
  'POST /auth/sign-out': async ({ raw }) => {
    const hash = presentedSessionHash(raw.request);
    if (hash !== null) await signOut(raw.request.server.api.services, hash);
    clearSessionCookie(raw.request, raw.reply);
    return { signedOut: true as const };
  },
  'GET /auth/session': async ({ ctx, raw }) => {
    const { user, workspace, operator, emailConfirmedAt, confirmationPending } =
      await getWhoami(ctx);
    const { actor } = ctx;
    return {
      user,
      workspace: showWorkspace(workspace, ctx),
      role: actor.role,
      operator,
      managesInstance: await managesInstance(ctx),
      credential: actor.kind,
      readOnly: actor.kind === 'token' && actor.readOnly,
      docs: maySeeDocs(raw.request.server.api.config, actor),
      expiresAt: raw.request.identity?.expiresAt?.toISOString() ?? null,
      emailConfirmedAt: emailConfirmedAt?.toISOString() ?? null,
      confirmationPending,
    };
  },
  'GET /auth/sessions': async ({ ctx }) => {
    const rows = await listMySessions(ctx);
    const items = rows.map((row) => ({
      id: row.id,
      current: ctx.actor.kind === 'session' && row.id === ctx.actor.sessionId,
      createdAt: row.createdAt.toISOString(),
      lastSeenAt: row.lastSeenAt.toISOString(),
      expiresAt: sessionExpiresAt(row).toISOString(),
      address: row.address,
      userAgent: row.userAgent,
    }));
    return { items, nextCursor: null, total: items.length };
  },
  'DELETE /auth/sessions/{id}': async ({ ctx, params }) => {
    await revokeSession(ctx, params.id);
    return { id: params.id, deleted: true as const };
  },
  'DELETE /auth/sessions': async ({ ctx }) => ({ revoked: await revokeOtherSessions(ctx) }),
  'DELETE /auth/account': async ({ ctx, body, raw }) => {
    const { client, server } = raw.request;
    const remove = () => deleteAccount(ctx, body.password);
    const purgeAt = await server.api.limits.signIn.countFailure(
      ctx.actor.email,
      client.bucket,
      remove,
    );
    clearSessionCookie(raw.request, raw.reply);
    return { id: ctx.actor.userId, deleted: true as const, purgeAt: purgeAt.toISOString() };
  },
  'POST /auth/password': async ({ ctx, body, raw }) => {
    const { limits } = raw.request.server.api;
    const revoked = await limits.signIn.countFailure(
      ctx.actor.email,
      raw.request.client.bucket,
      () => changePassword(ctx, body),
    );
    return { changed: true as const, otherSessionsRevoked: revoked };
  },
  'POST /auth/password/forgot': async ({ body, raw }) => {
    const { services } = raw.request.server.api;
    forgotPassword(services, body.email);
    return {
      accepted: true as const,
      hint: services.mailer === null ? withoutMail.recovery : null,
    };
  },
  'POST /auth/password/reset': async ({ body, raw }) => {
    await resetPassword(raw.request.server.api.services, body);
    return { accepted: true as const };
  },
  'POST /auth/email/confirm': async ({ body, raw }) => {
    const { services, limits } = raw.request.server.api;
    const confirmation = await getConfirmation(services, body.token);
    const proof = { signedInAs: await findSignedIn(raw), password: body.password };
    const confirm = () => confirmEmail(services, confirmation, proof);
    await limits.signIn.countFailure(confirmation.email, raw.request.client.bucket, confirm);
    return { accepted: true as const };
  },
  'POST /auth/email/resend': async ({ ctx, raw }) => {
    const { client, server } = raw.request;
    await server.api.limits.signIn.countRequest(client.bucket, 'recovery');
    await resendConfirmation(ctx);
    return { accepted: true as const, hint: ctx.mailer === null ? withoutMail.confirmation : null };
  },
  'POST /auth/invites/{token}/accept': async ({ params, body, raw }) => {
    const { services, config, limits } = raw.request.server.api;
    if (config.signUp === 'closed') throw notFound();
    const visitor = visitorOf(raw);
    const invite = await getOpenInvite(services, params.token);
    const accept = () => acceptInvite(services, invite, body, visitor);
    return welcome(
      raw,
      await limits.signIn.countFailure(invite.email, raw.request.client.bucket, accept),
    );
  },
});
