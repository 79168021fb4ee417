import { rm, stat } from 'node:fs/promises';
import { dirname, extname, resolve } from 'node:path';
import { Tinypool } from 'tinypool';
import type { Config } from '#config/env.ts';
import type { BackupMaker, MadeBackup } from '#domain/base/ports.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import type { BackupTask } from './backup-thread.ts';
import { readKeys } from './instance-keys.ts';

export interface OwnBackupMaker extends BackupMaker {
  /** Ends a running backup; its file is not finished. */
  stop(): void;
}

/** Makes backups in a thread of its own, which ends after each. Null without BACKUP_DIR. */
export function openBackupMaker(config: Config, url: string): OwnBackupMaker | null {
  const { BACKUP_DIR: folder, BACKUP_AT: atMinutes, BACKUP_KEEP: keep } = config;
  if (folder === null) return null;
  const closing = new AbortController();
  const make = async (now: Date, signal: AbortSignal): Promise<MadeBackup> => {
    const pool = new Tinypool({
      filename: new URL(`./backup-thread${extname(import.meta.url)}`, import.meta.url).href,
      minThreads: 0,
      maxThreads: 1,
      execArgv: [],
    });
    const passphrase = config.BACKUP_PASSPHRASE;
    const keys = passphrase === null ? null : { secrets: await readKeys(config), passphrase };
    const task: BackupTask = { url, folder, now, product: packageJson.version, keys };
    try {
      return (await pool.run(task, {
        signal: AbortSignal.any([signal, closing.signal]),
      })) as MadeBackup;
    } finally {
      await pool.destroy();
    }
  };
  return {
    atMinutes,
    keep,
    make,
    remove: (file) => removeOwn(folder, file),
    isStopping: () => closing.signal.aborted,
    stop: () => closing.abort(new Error('the process is stopping')),
  };
}

/** Only in the directory of the settings, and only the file that was written. */
async function removeOwn(
  folder: string,
  { path, bytes }: { path: string; bytes: bigint },
): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  if (dirname(path) !== resolve(folder) || found?.isFile() !== true) return false;
  if (BigInt(found.size) !== bytes) return false;
  await rm(path);
  return true;
}
