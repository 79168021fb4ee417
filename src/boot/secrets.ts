import { createHmac, hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import { link, open, readFile, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '#config/env.ts';
import { SetupError } from '#lib/setup-error.ts';
import { createDataDir } from './create-data-dir.ts';

const longestWriteMs = 2_000;

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

/**
 * A secret in DATA_DIR, created when first needed. When several processes create it at once, the
 * first wins. Throws SetupError for a file that stays empty.
 */
export async function readStoredSecret(
  dataDir: string,
  name: string,
  linkFile: typeof link = link,
): Promise<string> {
  const path = join(dataDir, name);
  const kept = await readFile(path, 'utf8').catch(() => '');
  if (kept.length >= 32) return kept;
  await createDataDir(dataDir);
  const secret = randomBytes(32).toString('base64url');
  // Process ids of several containers may be equal.
  const unfinished = `${path}.${randomUUID()}`;
  try {
    await writeSecret(await open(unfinished, 'w', 0o600), secret);
    // A link never replaces a file, and appears with its content.
    await linkFile(unfinished, path).catch((error: unknown) => {
      // Some file systems have no hard links.
      if (!exists(error)) return createSecret(path, secret);
    });
  } finally {
    await rm(unfinished, { force: true });
  }
  return readFinished(path);
}

const exists = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EEXIST';

async function createSecret(path: string, secret: string): Promise<void> {
  const file = await open(path, 'wx', 0o600).catch((error: unknown) => {
    if (!exists(error)) throw error;
  });
  try {
    if (file) await writeSecret(file, secret);
  } catch (error) {
    // What could not be written to its end would be read as the secret.
    await rm(path, { force: true });
    throw error;
  }
}

async function writeSecret(file: FileHandle, secret: string): Promise<void> {
  try {
    await file.writeFile(secret);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Waits for the process that is writing it. */
async function readFinished(path: string): Promise<string> {
  for (const endsMs = performance.now() + longestWriteMs; ; await sleep(10)) {
    const secret = await readFile(path, 'utf8');
    if (secret !== '') return secret;
    if (performance.now() > endsMs)
      throw new SetupError(
        `${path} is empty. Write the secret into it, or delete it for a new one.`,
      );
  }
}

/**
 * The setup token without SETUP_TOKEN. Each start of an API stores it, so processes that share the
 * secret, and later starts, must show the same one.
 */
export function setupTokenOf(authSecret: string): string {
  const digest = createHmac('sha256', authSecret).update('toprung setup token').digest();
  return digest.subarray(0, 18).toString('base64url');
}

/**
 * A key that proves to the API that a forwarded address comes from our own web origin. Both derive
 * it from the same secret.
 */
export function gatewayKeyOf(authSecret: string): string {
  return createHmac('sha256', authSecret).update('toprung gateway').digest('base64url');
}
