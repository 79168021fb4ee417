import { mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** Makes the data directory for its owner alone; its parents stay passable, for the database's own user must get through. */
export async function makeDataDir(dataDir: string): Promise<void> {
  await mkdir(dirname(resolve(dataDir)), { recursive: true });
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
}
