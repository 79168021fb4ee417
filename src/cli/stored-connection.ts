import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { configFolder } from '#config/user-environment.ts';
import { SetupError } from '#lib/setup-error.ts';
import type { InstanceConnection } from './instance-connection.ts';

const stored = z.strictObject({ url: z.string().min(1), token: z.string().min(1) });

/** The file in which `toprung login` keeps the address and the token of an instance. */
const connectionFile = (): string => join(configFolder(), 'connection.json');

/** Null without a login. Throws SetupError for a file that this program has not written. */
export async function readStoredConnection(): Promise<InstanceConnection | null> {
  const file = connectionFile();
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw new SetupError(`${file} cannot be read (${code}). Check its access.`);
  }
  try {
    return stored.parse(JSON.parse(text));
  } catch {
    // The text may hold a token, so it is not printed.
    throw new SetupError(`${file} is damaged. Run toprung login again.`);
  }
}

/** Replaces the file at once, so that an interruption leaves the old one or the new one. */
export async function storeConnection(connection: InstanceConnection): Promise<string> {
  const file = connectionFile();
  await mkdir(configFolder(), { recursive: true, mode: 0o700 });
  await chmod(configFolder(), 0o700);
  const made = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    const handle = await open(made, 'wx', 0o600);
    try {
      await handle.writeFile(`${JSON.stringify(connection, null, 2)}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(made, file);
  } catch (error) {
    await rm(made, { force: true });
    throw error;
  }
  return file;
}

/** False when there was none. */
export async function removeStoredConnection(): Promise<boolean> {
  try {
    await rm(connectionFile());
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
