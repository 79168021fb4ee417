import { randomBytes } from 'node:crypto';
import type { WebhookSecretsRow } from '#db/queries/webhooks/webhooks.ts';
import { invalid } from '#domain/base/errors.ts';
import { withoutTrailing } from '#lib/text.ts';
import { decrypt, DecryptionError, encrypt } from './encryption.ts';

export interface SigningKey {
  bytes: Buffer;
  /** Fewer than 24 bytes could be guessed. */
  strength: 'strong' | 'weak';
  /** The text to show once; null when the caller provided it. */
  shown: string | null;
}

const prefix = 'whsec_';
const strongBytes = 24;
const longestBytes = 64;
const oldSecretMs = 24 * 3_600_000;
export const oldSecretsMax = 10;

/**
 * Without input: 32 random bytes. `whsec_` and base64 of 24 to 64 bytes: those bytes. A text
 * without `whsec_`: its UTF-8 bytes. Throws invalid_request for any other text: receivers decode
 * what follows `whsec_`, and could verify nothing.
 */
export function readSecret(text: string | undefined): SigningKey {
  if (text === undefined) {
    const bytes = randomBytes(32);
    return { bytes, strength: 'strong', shown: prefix + bytes.toString('base64') };
  }
  const bytes = text.startsWith(prefix)
    ? decodeSecret(text.slice(prefix.length))
    : Buffer.from(text);
  return { bytes, strength: bytes.length < strongBytes ? 'weak' : 'strong', shown: null };
}

function decodeSecret(base64: string): Buffer {
  const bytes = Buffer.from(base64, 'base64');
  // Buffer skips invalid characters, so the text is base64 only when it encodes back unchanged.
  const isBase64 = withoutTrailing(bytes.toString('base64'), '=') === withoutTrailing(base64, '=');
  if (isBase64 && bytes.length >= strongBytes && bytes.length <= longestBytes) return bytes;
  throw invalid('secret', `after ${prefix}, base64 of ${strongBytes} to ${longestBytes} bytes`);
}

export function encryptSecret(key: Buffer, workspaceId: number, bytes: Buffer): Buffer {
  return encrypt(key, contextOf(workspaceId), bytes);
}

/**
 * The keys that sign at `now`, newest first. Old ones that were encrypted with a lost key are left
 * out, because a new secret must work at once. Throws DecryptionError for the current one.
 */
export function decryptSecrets(
  key: Buffer,
  workspaceId: number,
  row: WebhookSecretsRow,
  now: Date,
): Buffer[] {
  const context = contextOf(workspaceId);
  const old = row.oldSecrets
    .filter((secret) => new Date(secret.until) > now)
    .map((secret) => decryptUnlessLost(key, context, Buffer.from(secret.encrypted, 'base64')));
  return [decrypt(key, context, row.secret), ...old.filter((secret) => secret !== null)];
}

function decryptUnlessLost(key: Buffer, context: string, encrypted: Buffer): Buffer | null {
  try {
    return decrypt(key, context, encrypted);
  } catch (error) {
    if (error instanceof DecryptionError) return null;
    throw error;
  }
}

/** After a rotation the previous secret signs for another day, besides older valid ones. */
export function retainOldSecrets(
  row: WebhookSecretsRow,
  now: Date,
): WebhookSecretsRow['oldSecrets'] {
  const until = new Date(now.getTime() + oldSecretMs).toISOString();
  const live = row.oldSecrets.filter((secret) => new Date(secret.until) > now);
  return [{ encrypted: row.secret.toString('base64'), until }, ...live].slice(0, oldSecretsMax);
}

const contextOf = (workspaceId: number): string => `webhook secret of workspace ${workspaceId}`;
