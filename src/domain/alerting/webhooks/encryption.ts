import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const version = 1;

/**
 * AES-256-GCM: version, four bytes of key fingerprint, nonce, ciphertext, tag. The ciphertext is
 * bound to its `context`.
 */
export function encrypt(key: Buffer, context: string, bytes: Uint8Array): Buffer {
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

/** Throws DecryptionError for another key or context, or changed bytes. */
export function decrypt(key: Buffer, context: string, encrypted: Buffer): Buffer {
  if (
    encrypted[0] !== version ||
    encrypted.length < 33 ||
    !encrypted.subarray(1, 5).equals(markOf(key))
  )
    throw new DecryptionError();
  const decipher = createDecipheriv('aes-256-gcm', key, encrypted.subarray(5, 17)).setAAD(
    Buffer.from(context),
  );
  decipher.setAuthTag(encrypted.subarray(-16));
  try {
    return Buffer.concat([decipher.update(encrypted.subarray(17, -16)), decipher.final()]);
  } catch {
    throw new DecryptionError();
  }
}

export class DecryptionError extends Error {
  constructor() {
    super('a stored secret was encrypted with another ENCRYPTION_KEY');
    this.name = 'DecryptionError';
  }
}

/** Identifies a key without revealing it. */
export const markOf = (key: Buffer): Buffer =>
  createHash('sha256').update('mark').update(key).digest().subarray(0, 4);
