import type { FastifyReply, FastifyRequest } from 'fastify';
import { identifySession, identifyToken, type Identity } from '../../domain/accounts/identify.ts';
import { readSessionCookie } from '../../domain/accounts/session-id.ts';
import { isTokenSecret } from '../../domain/tokens/secret.ts';
import { readCookie, writeCookie } from './cookies.ts';

export type Presented =
  | { kind: 'none' }
  | { kind: 'bearer'; text: string }
  | { kind: 'cookie'; text: string };

/** A bearer credential wins, and the cookie beside it is not looked at. */
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

/** What comes after the first colon; the name before it is nobody's business. */
function passwordOf(basic: string): string {
  const text = Buffer.from(basic, 'base64').toString();
  const colon = text.indexOf(':');
  return colon === -1 ? '' : text.slice(colon + 1);
}

/** Who asks; null for nobody. Throws `credential_throttled` without a lookup after too many rejected ones. */
export function identify(request: FastifyRequest): Promise<Identity | null> {
  const { limits } = request.server.api;
  const presented = readCredential(request);
  if (presented.kind === 'none') return Promise.resolve(null);
  const look = () =>
    presented.kind === 'bearer'
      ? lookAtToken(request, presented.text)
      : lookAtSession(request, presented.text);
  return limits.rejections.count(request.client.bucket, look);
}

/** What nobody but us could have made costs a lookup; the rest does not. */
function lookAtToken(request: FastifyRequest, secret: string): Promise<Identity | null> {
  const { services, recent } = request.server.api;
  return isTokenSecret(secret)
    ? identifyToken(services, secret, request.client.address, recent)
    : Promise.resolve(null);
}

function lookAtSession(request: FastifyRequest, cookie: string): Promise<Identity | null> {
  const { services, recent, authSecret } = request.server.api;
  const hash = readSessionCookie(authSecret, cookie);
  return hash === null ? Promise.resolve(null) : identifySession(services, hash, recent);
}

/** The hash of the session that the browser presents, signed by us or null. */
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

/** Over https no other host or path can plant or read it; over plain http browsers would not keep such a cookie. */
function cookieName(request: FastifyRequest): string {
  return request.client.https ? '__Host-toprung_session' : 'toprung_session';
}

function cookieText(request: FastifyRequest, value: string, maxAge: number): string {
  return writeCookie(cookieName(request), value, {
    secure: request.client.https,
    maxAgeSeconds: maxAge,
  });
}
