import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { link, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '#config/env.ts';
import { createDataDir } from './create-data-dir.ts';

/** AUTH_SECRET, or the one that was created at the first start and stored in DATA_DIR. */
export async function readAuthSecret(
  config: Pick<Config, 'AUTH_SECRET' | 'DATA_DIR'>,
): Promise<string> {
  return config.AUTH_SECRET ?? readStoredSecret(config.DATA_DIR, 'auth-secret');
}

/**
 * The key that encrypts stored secrets, from ENCRYPTION_KEY or from DATA_DIR; read when first
 * needed.
 */
export function encryptionKeyReader(
  config: Pick<Config, 'ENCRYPTION_KEY' | 'DATA_DIR'>,
): () => Promise<Buffer> {
  let reading: Promise<Buffer> | null = null;
  const read = async () => {
    const secret =
      config.ENCRYPTION_KEY ?? (await readStoredSecret(config.DATA_DIR, 'secrets-key'));
    return Buffer.from(hkdfSync('sha256', secret, '', 'toprung secrets at rest', 32));
  };
  return () =>
    (reading ??= read().catch((error: unknown) => {
      reading = null;
      throw error;
    }));
}

/** A secret in DATA_DIR, created when first needed. */
async function readStoredSecret(dataDir: string, name: string): Promise<string> {
  const path = join(dataDir, name);
  const kept = await readFile(path, 'utf8').catch(() => '');
  if (kept.length >= 32) return kept;
  await createDataDir(dataDir);
  const secret = randomBytes(32).toString('base64url');
  const unfinished = `${path}.${process.pid}`;
  const file = await open(unfinished, 'w', 0o600);
  try {
    await file.writeFile(secret);
    await file.sync();
  } finally {
    await file.close();
  }
  // When several processes create it at once, the first wins, because a link never replaces a file.
  await link(unfinished, path).catch(() => undefined);
  await rm(unfinished, { force: true });
  return readFile(path, 'utf8');
}

/**
 * A key that proves to the API that a forwarded address comes from our own web origin. Both derive
 * it from the same secret.
 */
export function gatewayKeyOf(authSecret: string): string {
  return createHmac('sha256', authSecret).update('toprung gateway').digest('base64url');
}
