import { createHash, randomBytes } from 'node:crypto';

const shape = /^[A-Za-z0-9_-]{43}$/;

/** The secret of a link, 256 random bits, and its stored hash. */
export function createLinkSecret(): { secret: string; hash: Buffer } {
  const secret = randomBytes(32).toString('base64url');
  return { secret, hash: hashOf(secret) };
}

/** The hash to look up; null for a secret that was not issued here. */
export function readLinkSecret(text: string): Buffer | null {
  return shape.test(text) ? hashOf(text) : null;
}

// In the fragment, a secret reaches neither logs nor other pages.
export const invitePath = (secret: string): string => `/invite#${secret}`;

export const resetPath = (secret: string): string => `/reset-password#${secret}`;

export const confirmPath = (secret: string): string => `/confirm-email#${secret}`;

export const reportPath = (secret: string): string => `/report#${secret}`;

/** Without PUBLIC_URL only the path is returned, because the Host of a request can be forged. */
export function linkUrl(publicUrl: string | null, path: string): string {
  return publicUrl === null ? `Your Toprung address, followed by ${path}` : `${publicUrl}${path}`;
}

function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
