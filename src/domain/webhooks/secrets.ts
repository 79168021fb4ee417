import { randomBytes } from 'node:crypto';
import type { WebhookSecretsRow } from '../../db/queries/webhooks.ts';
import { seal, unseal } from './seal.ts';

export interface SigningKey {
  bytes: Buffer;
  /** Below 24 bytes it could be guessed. */
  strength: 'strong' | 'weak';
  /** The text to show once; null when its owner brought it. */
  shown: string | null;
}

const prefix = 'whsec_';
const strongBytes = 24;
const longestBytes = 64;
export const oldSecretMs = 24 * 3_600_000;
export const oldSecretsMax = 10;

/** None given: 32 random bytes. `whsec_` and base64 of 24 to 64 bytes: those bytes. Any other text: its UTF-8 bytes. */
export function readSecret(text: string | undefined): SigningKey {
  if (text === undefined) {
    const bytes = randomBytes(32);
    return { bytes, strength: 'strong', shown: prefix + bytes.toString('base64') };
  }
  const bytes = decodeSecret(text) ?? Buffer.from(text);
  return { bytes, strength: bytes.length < strongBytes ? 'weak' : 'strong', shown: null };
}

function decodeSecret(text: string): Buffer | null {
  const base64 = text.startsWith(prefix) ? text.slice(prefix.length) : '';
  const bytes = Buffer.from(base64, 'base64');
  // Buffer reads past what is no base64: only what comes back as it was given counts.
  const isBase64 = bytes.toString('base64').replace(/=+$/, '') === base64.replace(/=+$/, '');
  return isBase64 && bytes.length >= strongBytes && bytes.length <= longestBytes ? bytes : null;
}

export function sealSecret(key: Buffer, workspaceId: number, bytes: Buffer): Buffer {
  return seal(key, contextOf(workspaceId), bytes);
}

/** The keys that sign at `now`, the newest first. Throws SealedElsewhere. */
export function openSecrets(
  key: Buffer,
  workspaceId: number,
  row: WebhookSecretsRow,
  now: Date,
): Buffer[] {
  const old = row.oldSecrets
    .filter((secret) => new Date(secret.until) > now)
    .map((secret) => Buffer.from(secret.sealed, 'base64'));
  return [row.secret, ...old].map((sealed) => unseal(key, contextOf(workspaceId), sealed));
}

/** After a change of secret: the one so far signs for a day more, beside those that still do. */
export function keepOldSecrets(row: WebhookSecretsRow, now: Date): WebhookSecretsRow['oldSecrets'] {
  const until = new Date(now.getTime() + oldSecretMs).toISOString();
  const live = row.oldSecrets.filter((secret) => new Date(secret.until) > now);
  return [{ sealed: row.secret.toString('base64'), until }, ...live].slice(0, oldSecretsMax);
}

const contextOf = (workspaceId: number): string => `webhook secret of workspace ${workspaceId}`;
