import { basePathOf } from '#lib/base-path.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  authenticateSession,
  authenticateToken,
  type Identity,
} from '#domain/accounts/auth/authenticate.ts';
import { readSessionCookie } from '#domain/accounts/auth/session-id.ts';
import { isTokenSecret } from '#domain/accounts/tokens/token-secret.ts';
import { readCookie, writeCookie } from './cookies.ts';

export type Presented =
  | { kind: 'none' }
  | { kind: 'bearer'; text: string }
  | { kind: 'cookie'; text: string }
  /** A scheme that is not ours, without a session. */
  | { kind: 'unsupported' };

/**
 * A token takes precedence over a cookie. Any other scheme is that of a reverse proxy with its own
 * sign-in, which the browser sends with each request, so the cookie takes precedence over it.
 */
export function readCredential(request: FastifyRequest): Presented {
  const { authorization, cookie } = request.headers;
  const token = authorization === undefined ? undefined : readToken(request, authorization);
  if (token !== undefined) return { kind: 'bearer', text: token };
  const text = readCookie(cookie, cookieName(request));
  if (text !== undefined) return { kind: 'cookie', text };
  return { kind: authorization === undefined ? 'none' : 'unsupported' };
}

/** Undefined for another scheme; empty for a bearer credential that cannot be a token. */
function readToken(request: FastifyRequest, authorization: string): string | undefined {
  if (/^bearer(?:\s|$)/i.test(authorization))
    return /^bearer +(\S+)$/i.exec(authorization)?.[1] ?? '';
  if (!request.routeOptions.config?.operation?.basicAuth) return undefined;
  const basic = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization)?.[1] ?? '';
  const password = passwordOf(basic);
  return isTokenSecret(password) ? password : undefined;
}

/** The part after the first colon. The user name before it is ignored. */
function passwordOf(basic: string): string {
  const text = Buffer.from(basic, 'base64').toString();
  const colon = text.indexOf(':');
  return colon === -1 ? '' : text.slice(colon + 1);
}

/**
 * Identifies the caller; null when there is no credential. Throws `credential_throttled` without a
 * lookup after too many rejections.
 */
export function identify(request: FastifyRequest): Promise<Identity | null> {
  const { limits } = request.server.api;
  const presented = readCredential(request);
  if (presented.kind === 'none') return Promise.resolve(null);
  return limits.rejections.count(request.client.bucket, () => verify(request, presented));
}

function verify(request: FastifyRequest, presented: Presented): Promise<Identity | null> {
  if (presented.kind === 'bearer') return verifyToken(request, presented.text);
  if (presented.kind === 'cookie') return verifySession(request, presented.text);
  return Promise.resolve(null);
}

/** The token has our form, or the cookie our signature; whether it is still valid is not known. */
export function isFormedByUs(request: FastifyRequest): boolean {
  const presented = readCredential(request);
  if (presented.kind === 'bearer') return isTokenSecret(presented.text);
  if (presented.kind !== 'cookie') return false;
  return readSessionCookie(request.server.api.authSecret, presented.text) !== null;
}

/** Looks up only values that we could have issued. */
function verifyToken(request: FastifyRequest, secret: string): Promise<Identity | null> {
  const { services, recent } = request.server.api;
  return isTokenSecret(secret)
    ? authenticateToken(services, secret, request.client.address, recent)
    : Promise.resolve(null);
}

function verifySession(request: FastifyRequest, cookie: string): Promise<Identity | null> {
  const { services, recent, authSecret } = request.server.api;
  return authenticateSession(services, { cookie, authSecret }, recent);
}

/** The owner of the session in the browser's cookie, or null. */
export async function identifyBrowser(request: FastifyRequest): Promise<Identity | null> {
  const text = readCookie(request.headers.cookie, cookieName(request));
  return text === undefined ? null : verifySession(request, text);
}

/** The hash of the session in the browser's cookie if our signature is valid; otherwise null. */
export function presentedSessionHash(request: FastifyRequest): Buffer | null {
  const text = readCookie(request.headers.cookie, cookieName(request));
  return text === undefined ? null : readSessionCookie(request.server.api.authSecret, text);
}

export function setSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  cookie: string,
  expiresAt: Date,
): void {
  const seconds = Math.floor(
    (expiresAt.getTime() - request.server.api.services.clock.now().getTime()) / 1_000,
  );
  reply.header('set-cookie', cookieText(request, cookie, seconds));
}

export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('set-cookie', cookieText(request, '', 0));
}

/**
 * The prefix keeps other hosts and paths from setting or reading the cookie over https. Browsers
 * reject it over plain http.
 */
function cookieName(request: FastifyRequest): string {
  if (!request.client.https) return 'toprung_session';
  // `__Host-` would demand the path `/`, where other products of the host could read the cookie.
  return cookiePath(request) === '/' ? '__Host-toprung_session' : '__Secure-toprung_session';
}

const cookiePath = (request: FastifyRequest): string =>
  basePathOf(request.server.api.config.publicUrl) || '/';

function cookieText(request: FastifyRequest, value: string, maxAge: number): string {
  return writeCookie(cookieName(request), value, {
    path: cookiePath(request),
    secure: request.client.https,
    maxAgeSeconds: maxAge,
  });
}
