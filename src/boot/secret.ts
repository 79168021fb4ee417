import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { link, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config/env.ts';
import { makeDataDir } from './data-dir.ts';

/** AUTH_SECRET, or the one made at the first start and kept in DATA_DIR. */
export async function readAuthSecret(
  config: Pick<Config, 'AUTH_SECRET' | 'DATA_DIR'>,
): Promise<string> {
  return config.AUTH_SECRET ?? readKeptSecret(config.DATA_DIR, 'auth-secret');
}

/** The key that seals secrets at rest, from SECRETS_KEY or from one kept in DATA_DIR; read when it is first needed. */
export function sealKeyReader(
  config: Pick<Config, 'SECRETS_KEY' | 'DATA_DIR'>,
): () => Promise<Buffer> {
  let reading: Promise<Buffer> | null = null;
  const read = async () => {
    const secret = config.SECRETS_KEY ?? (await readKeptSecret(config.DATA_DIR, 'secrets-key'));
    return Buffer.from(hkdfSync('sha256', secret, '', 'toprung secrets at rest', 32));
  };
  return () =>
    (reading ??= read().catch((error: unknown) => {
      reading = null;
      throw error;
    }));
}

/** A secret in DATA_DIR, made when it is first asked for. */
async function readKeptSecret(dataDir: string, name: string): Promise<string> {
  const path = join(dataDir, name);
  const kept = await readFile(path, 'utf8').catch(() => '');
  if (kept.length >= 32) return kept;
  await makeDataDir(dataDir);
  const secret = randomBytes(32).toString('base64url');
  const unfinished = `${path}.${process.pid}`;
  const file = await open(unfinished, 'w', 0o600);
  try {
    await file.writeFile(secret);
    await file.sync();
  } finally {
    await file.close();
  }
  // Of several processes making one at once the first wins; a link never replaces.
  await link(unfinished, path).catch(() => undefined);
  await rm(unfinished, { force: true });
  return readFile(path, 'utf8');
}

/** Proves to the API that a forwarded address comes from our own web origin; both derive it from the same secret. */
export function gatewayKeyOf(authSecret: string): string {
  return createHmac('sha256', authSecret).update('toprung gateway').digest('base64url');
}
