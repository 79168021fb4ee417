import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const version = 1;

/** AES-256-GCM: version, four bytes that tell the key, nonce, ciphertext, tag. It opens under the same `context` alone. */
export function seal(key: Buffer, context: string, bytes: Uint8Array): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
  return Buffer.concat([
    Buffer.from([version]),
    markOf(key),
    nonce,
    cipher.update(bytes),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
}

/** Throws SealedElsewhere where another key or context is needed, or where the bytes were changed. */
export function unseal(key: Buffer, context: string, sealed: Buffer): Buffer {
  if (sealed[0] !== version || sealed.length < 33 || !sealed.subarray(1, 5).equals(markOf(key)))
    throw new SealedElsewhere();
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(5, 17)).setAAD(
    Buffer.from(context),
  );
  decipher.setAuthTag(sealed.subarray(-16));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(17, -16)), decipher.final()]);
  } catch {
    throw new SealedElsewhere();
  }
}

export class SealedElsewhere extends Error {
  constructor() {
    super('a kept secret was sealed with another SECRETS_KEY');
    this.name = 'SealedElsewhere';
  }
}

/** Tells a key without saying it. */
export const markOf = (key: Buffer): Buffer =>
  createHash('sha256').update('mark').update(key).digest().subarray(0, 4);
