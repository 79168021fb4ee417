/** The entry of a thread that makes a backup, so that requests do not wait for it. */
import { removeAbandonedDrafts } from '#backups/backup-paths.ts';
import { createBackup } from '#backups/create-backup.ts';
import { encryptKeys, type Keys } from '#backups/encrypt-keys.ts';
import type { MadeBackup } from '#domain/base/ports.ts';
import { priorities, setThreadPriority } from '../thread-priority.ts';

export interface BackupTask {
  url: string;
  /** Of a file that does not exist. */
  path: string;
  now: Date;
  product: string;
  keys: { secrets: Keys; passphrase: string } | null;
}

setThreadPriority(priorities.nightly);

export default async function makeBackup(task: BackupTask): Promise<MadeBackup> {
  const { url, path, now, product } = task;
  await removeAbandonedDrafts(path, now);
  const keys = task.keys && (await encryptKeys(task.keys.secrets, task.keys.passphrase));
  const { bytes, rows, databaseBytes, seconds } = await createBackup({
    url,
    path,
    product,
    now,
    keys,
  });
  return { path, bytes, rows, databaseBytes, seconds };
}
