import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const shape = /^([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{43})$/;

export interface NewSessionId {
  /** The stored hash. */
  hash: Buffer;
  /** The cookie's value: `id.hmac(AUTH_SECRET, id)`. */
  cookie: string;
}

export function createSessionId(authSecret: string): NewSessionId {
  const id = randomBytes(32).toString('base64url');
  return { hash: hashOf(id), cookie: `${id}.${sign(authSecret, id)}` };
}

/** The hash to look up; null for a value that was never signed here and needs no lookup. */
export function readSessionCookie(authSecret: string, value: string): Buffer | null {
  const match = shape.exec(value);
  if (!match) return null;
  const [, id, mac] = match as unknown as [string, string, string];
  // The text is compared, because several texts decode to the same bytes.
  return timingSafeEqual(Buffer.from(mac), Buffer.from(sign(authSecret, id))) ? hashOf(id) : null;
}

function sign(authSecret: string, id: string): string {
  return createHmac('sha256', authSecret).update(id).digest('base64url');
}

function hashOf(id: string): Buffer {
  return createHash('sha256').update(id).digest();
}
