import { rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { backupNameAt, chooseBackupPath } from '#backups/backup-paths.ts';
import { openBackup } from '#backups/open-backup.ts';
import type { Config } from '#config/env.ts';
import type { BackupMaker, MadeBackup } from '#domain/base/ports.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import type { BackupTask } from './backup-thread.ts';
import { readKeys } from './instance-keys.ts';
import { openUploader } from './open-uploader.ts';
import { runInThread } from './run-in-thread.ts';

export interface OwnBackupMaker extends BackupMaker {
  /** Ends a running backup, whose file is not finished, and a running upload. */
  stop(): void;
}

/** Makes and uploads backups in threads that end after each. Null without BACKUP_DIR. */
export function openBackupMaker(config: Config, url: string): OwnBackupMaker | null {
  const { BACKUP_DIR: folder, BACKUP_AT: atMinutes, BACKUP_KEEP: keep } = config;
  if (folder === null) return null;
  const closing = new AbortController();
  const make = async (now: Date, signal: AbortSignal): Promise<MadeBackup> => {
    const passphrase = config.BACKUP_PASSPHRASE;
    const keys = passphrase === null ? null : { secrets: await readKeys(config), passphrase };
    const path = await chooseBackupPath(`${folder}/`, now);
    const task: BackupTask = { url, path, now, product: packageJson.version, keys };
    const ended = AbortSignal.any([signal, closing.signal]);
    try {
      return await runInThread<MadeBackup>('backup-thread', task, { signal: ended });
    } catch (error) {
      // It may have got its name at last, and no row would name it.
      if (ended.aborted) await removeAttempt(folder, now);
      throw error;
    }
  };
  return {
    atMinutes,
    keep,
    uploader: openUploader(config, folder, closing.signal),
    make,
    remove: (file) => removeOwn(folder, file),
    removeAttempt: (startedAt) => removeAttempt(folder, startedAt),
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
  // A process that shares the directory may be faster.
  await rm(path, { force: true });
  return true;
}

/** Another instance may have made one in the same second in this directory. */
async function removeAttempt(folder: string, startedAt: Date): Promise<void> {
  const path = join(folder, backupNameAt(startedAt));
  const found = await openBackup(path).catch(() => null);
  if (found?.manifest.createdAt === startedAt.toISOString()) await rm(path, { force: true });
}
