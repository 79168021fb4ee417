import { open, readdir, readFile, rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Keys } from '#backups/encrypt-keys.ts';
import type { Config } from '#config/env.ts';
import { createDataDir } from '../create-data-dir.ts';

type KeySettings = Pick<Config, 'DATA_DIR' | 'AUTH_SECRET' | 'ENCRYPTION_KEY'>;

const names = { 'auth-secret': 'AUTH_SECRET', 'secrets-key': 'ENCRYPTION_KEY' } as const;
const files = Object.keys(names) as (keyof typeof names)[];

/** The secrets that this instance uses, from its settings or from DATA_DIR. */
export async function readKeys(config: KeySettings): Promise<Keys> {
  const found = await Promise.all(
    files.map(async (file) => [file, await readKey(config, file)] as const),
  );
  return Object.fromEntries(found.filter(([, secret]) => secret !== ''));
}

const readKey = async (config: KeySettings, file: keyof typeof names): Promise<string> =>
  config[names[file]] ?? (await readFile(join(config.DATA_DIR, file), 'utf8').catch(() => ''));

/**
 * Writes secrets into DATA_DIR; different ones that are there get another name. Returns the
 * settings that differ from the backup and count instead.
 */
export async function writeKeys(config: KeySettings, keys: Keys): Promise<string[]> {
  await createDataDir(config.DATA_DIR);
  const overriding: string[] = [];
  for (const file of files) {
    const secret = keys[file];
    if (secret === undefined) continue;
    const setting = config[names[file]];
    if (setting !== null && setting !== secret) overriding.push(names[file]);
    await replaceKey(join(config.DATA_DIR, file), secret);
  }
  return overriding;
}

async function replaceKey(path: string, secret: string): Promise<void> {
  const before = await readFile(path, 'utf8').catch(() => '');
  if (before === secret) return;
  if (before !== '') await rename(path, await findFreeName(`${path}.before-restore`));
  const draft = `${path}.${process.pid}`;
  const file = await open(draft, 'w', 0o600);
  try {
    await file.writeFile(secret);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
}

/** `path`, or with a number: a key that an earlier restore kept is not replaced. */
async function findFreeName(path: string): Promise<string> {
  const names = new Set(await readdir(dirname(path)));
  let free = path;
  for (let number = 2; names.has(basename(free)); number += 1) free = `${path}-${number}`;
  return free;
}
