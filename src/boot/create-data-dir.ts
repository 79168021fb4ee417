import { mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * Creates the data directory so that only its owner can read it. Its parents stay searchable, so
 * that the database's own user can reach it.
 */
export async function createDataDir(dataDir: string): Promise<void> {
  await mkdir(dirname(resolve(dataDir)), { recursive: true });
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
}
