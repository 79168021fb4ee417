import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { hashRaw } from '@node-rs/argon2';
import { CommandError } from '#lib/command-error.ts';
import type { Manifest } from './manifest.ts';

/** Secrets of an instance by the name of their file, such as `auth-secret`. */
export type Keys = Readonly<Record<string, string>>;

export const minPassphraseLength = 12;
/** Argon2id, the library's default. Fixed by the format, so that no file can ask for gigabytes. */
const kdf = {
  memoryCost: 65_536,
  timeCost: 3,
  parallelism: 1,
  outputLen: 32,
};
const context = Buffer.from('toprung backup keys 1');
const tagBytes = 16;

class WrongPassphraseError extends CommandError {
  constructor() {
    super('The passphrase is not that of the backup, or its keys were changed.');
    this.name = 'WrongPassphraseError';
  }
}

/** AES-256-GCM under a key that Argon2id derives from the passphrase. */
export async function encryptKeys(
  keys: Keys,
  passphrase: string,
): Promise<NonNullable<Manifest['keys']>> {
  const [salt, nonce] = [randomBytes(16), randomBytes(12)];
  const cipher = createCipheriv('aes-256-gcm', await deriveKey(passphrase, salt), nonce);
  cipher.setAAD(context);
  const parts = [cipher.update(JSON.stringify(keys)), cipher.final(), cipher.getAuthTag()];
  return {
    salt: salt.toString('hex'),
    nonce: nonce.toString('hex'),
    encrypted: Buffer.concat(parts).toString('hex'),
  };
}

/** Throws WrongPassphraseError. */
export async function decryptKeys(
  stored: NonNullable<Manifest['keys']>,
  passphrase: string,
): Promise<Keys> {
  const salt = Buffer.from(stored.salt, 'hex');
  const encrypted = Buffer.from(stored.encrypted, 'hex');
  const key = await deriveKey(passphrase, salt);
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(stored.nonce, 'hex'), {
      authTagLength: tagBytes,
    });
    decipher.setAAD(context).setAuthTag(encrypted.subarray(-tagBytes));
    const text = Buffer.concat([
      decipher.update(encrypted.subarray(0, -tagBytes)),
      decipher.final(),
    ]).toString();
    return JSON.parse(text) as Keys;
  } catch {
    throw new WrongPassphraseError();
  }
}

const deriveKey = (passphrase: string, salt: Buffer): Promise<Buffer> =>
  hashRaw(passphrase.normalize('NFC'), { ...kdf, salt });
