import { chooseBackupPath, removeAbandonedDrafts } from '#backups/backup-paths.ts';
import { createBackup, type BackupOptions, type CreatedBackup } from '#backups/create-backup.ts';
import { encryptKeys } from '#backups/encrypt-keys.ts';
import type { Config } from '#config/env.ts';
import { recordBackup } from '#db/backup/record-backup.ts';
import { createLogger } from '#lib/logger.ts';
import type { ShutdownStack } from '#lib/shutdown-stack.ts';
import { findInstanceDatabase } from './instance-database.ts';
import { readKeys } from './instance-keys.ts';
import { uploadAndRecord, type UploadedByCommand } from './upload-by-command.ts';

export interface BackUpOptions extends Pick<BackupOptions, 'onTable' | 'signal' | 'product'> {
  /** A directory, or a file that does not exist. */
  target: string;
  /** Encrypts the keys of the instance, which are left out without it. */
  passphrase: string | null;
  /** False leaves the bucket of the settings out. */
  uploads: boolean;
}

export interface BackedUpInstance {
  created: CreatedBackup;
  /** Null without a bucket. */
  uploaded: UploadedByCommand | null;
}

/**
 * Backs up the instance of these settings, whether it runs or not, reads the file back, and uploads
 * it to the bucket of the settings.
 */
export async function backUpInstance(
  config: Config,
  shutdownStack: ShutdownStack,
  { target, passphrase, uploads, ...options }: BackUpOptions,
): Promise<BackedUpInstance> {
  const log = createLogger(config.LOG_LEVEL);
  const now = new Date();
  const path = await chooseBackupPath(target, now);
  const keys = passphrase === null ? null : await encryptKeys(await readKeys(config), passphrase);
  const urlOf = await findInstanceDatabase(config, log, shutdownStack);
  await removeAbandonedDrafts(path, now);
  const created = await createBackup({ url: urlOf(), path, now, keys, ...options });
  await recordBackup(urlOf(), { ...created, startedAt: now });
  const folder = uploads ? config.BACKUP_S3_URL : null;
  const { signal } = options;
  const file = { path, ...(signal && { signal }) };
  const uploaded = folder === null ? null : await uploadAndRecord(config, folder, urlOf, file);
  return { created, uploaded };
}
