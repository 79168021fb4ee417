import { decrypt, encrypt } from '#domain/alerting/webhooks/encryption.ts';

const context = 'private key of published popularity';

export class UnreadableKeyError extends Error {
  constructor() {
    super('The stored key was encrypted with another ENCRYPTION_KEY. Save the key again.');
    this.name = 'UnreadableKeyError';
  }
}

export const encryptPrivateKey = (key: Buffer, pem: string): Buffer =>
  encrypt(key, context, Buffer.from(pem));

/** Throws UnreadableKeyError. */
export function decryptPrivateKey(key: Buffer, encrypted: Buffer): string {
  try {
    return decrypt(key, context, encrypted).toString('utf8');
  } catch {
    throw new UnreadableKeyError();
  }
}
