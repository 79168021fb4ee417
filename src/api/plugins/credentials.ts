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
  | { kind: 'cookie'; text: string };

/** A bearer credential takes precedence over a cookie. */
export function readCredential(request: FastifyRequest): Presented {
  const { authorization, cookie } = request.headers;
  if (authorization !== undefined) {
    const basic = request.routeOptions.config?.operation?.basicAuth
      ? /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization)?.[1]
      : undefined;
    return {
      kind: 'bearer',
      text:
        basic === undefined
          ? (/^bearer +(\S+)$/i.exec(authorization)?.[1] ?? '')
          : passwordOf(basic),
    };
  }
  const text = readCookie(cookie, cookieName(request));
  return text === undefined ? { kind: 'none' } : { kind: 'cookie', text };
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
  const look = () =>
    presented.kind === 'bearer'
      ? verifyToken(request, presented.text)
      : verifySession(request, presented.text);
  return limits.rejections.count(request.client.bucket, look);
}

/** The token has our form, or the cookie our signature; whether it is still valid is not known. */
export function isFormedByUs(request: FastifyRequest): boolean {
  const presented = readCredential(request);
  if (presented.kind === 'none') return false;
  return presented.kind === 'bearer'
    ? isTokenSecret(presented.text)
    : readSessionCookie(request.server.api.authSecret, presented.text) !== null;
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
