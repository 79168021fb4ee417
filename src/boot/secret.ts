import { randomBytes } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config/env.ts';
import { makeDataDir } from './data-dir.ts';

/** AUTH_SECRET, or the one made at the first start and kept in DATA_DIR. */
export async function readAuthSecret(config: Pick<Config, 'AUTH_SECRET' | 'DATA_DIR'>): Promise<string> {
  if (config.AUTH_SECRET !== null) return config.AUTH_SECRET;
  const path = join(config.DATA_DIR, 'auth-secret');
  const kept = await readFile(path, 'utf8').catch(() => '');
  if (kept.length >= 32) return kept;
  await makeDataDir(config.DATA_DIR);
  const secret = randomBytes(32).toString('base64url');
  const file = await open(path, 'w', 0o600);
  try {
    await file.writeFile(secret);
    await file.sync();
  } finally {
    await file.close();
  }
  return secret;
}
