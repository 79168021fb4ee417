import { createHash, randomBytes } from 'node:crypto';

const shape = /^[A-Za-z0-9_-]{43}$/;

/** What a link carries, 256 random bits, and the hash of it that is kept. */
export function createLinkSecret(): { secret: string; hash: Buffer } {
  const secret = randomBytes(32).toString('base64url');
  return { secret, hash: hashOf(secret) };
}

/** The hash to look for; null for what is none of ours. */
export function readLinkSecret(text: string): Buffer | null {
  return shape.test(text) ? hashOf(text) : null;
}

// Behind the #, a secret reaches neither logs nor the pages that one goes on to.
export const inviteUrl = (base: string, secret: string): string => `${base}/invite#${secret}`;

export const resetPath = (secret: string): string => `/reset-password#${secret}`;

export const confirmPath = (secret: string): string => `/confirm-email#${secret}`;

/** Without the instance's own address in the settings we name the path alone: a request's Host may be forged to lead elsewhere. */
export function linkUrl(publicUrl: string | null, path: string): string {
  return publicUrl === null
    ? `The address at which you use Toprung, followed by ${path}`
    : `${publicUrl}${path}`;
}

function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
