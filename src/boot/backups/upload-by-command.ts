import { resolve } from 'node:path';
import { recordUpload } from '#db/backup/record-backup.ts';
import { NoInstanceError } from '#db/backup/database-snapshot.ts';
import type { Config } from '#config/env.ts';
import { CommandError } from '#lib/command-error.ts';
import { createLogger } from '#lib/logger.ts';
import { SetupError } from '#lib/setup-error.ts';
import type { ShutdownStack } from '#lib/shutdown-stack.ts';
import { bucketSettingsOf } from './bucket-settings.ts';
import { findInstanceDatabase, type UrlOf } from './instance-database.ts';

export interface UploadedByCommand {
  url: string;
  seconds: number;
  parts: number;
  continuedParts: number;
}

/** Uploads a backup that exists, and reports it to the instance of these settings. */
export async function uploadByCommand(
  config: Config,
  shutdownStack: ShutdownStack,
  { path, signal }: { path: string; signal: AbortSignal },
): Promise<UploadedByCommand> {
  if (config.BACKUP_S3_URL === null)
    throw new SetupError('BACKUP_S3_URL must name the bucket, such as s3://bucket/folder');
  const log = createLogger(config.LOG_LEVEL);
  const urlOf = await findInstanceDatabase(config, log, shutdownStack).catch((error: unknown) => {
    if (error instanceof NoInstanceError) return null;
    throw error;
  });
  return uploadAndRecord(config, config.BACKUP_S3_URL, urlOf, { path: resolve(path), signal });
}

/** After a failure the file is good all the same, and the message says how to continue. */
export async function uploadAndRecord(
  config: Config,
  folder: string,
  urlOf: UrlOf | null,
  { path, signal }: { path: string; signal?: AbortSignal },
): Promise<UploadedByCommand> {
  const { uploadBackup } = await import('#backups/bucket/upload-backup.ts');
  const settings = bucketSettingsOf(config);
  const uploaded = await uploadBackup({
    settings,
    folder,
    path,
    now: new Date(),
    ...(signal && { signal }),
  }).catch((error: Error) => {
    if (!(error instanceof CommandError)) throw error;
    throw new CommandError(
      `${path} was not uploaded. ${error.message} Then toprung upload ${path} continues.`,
    );
  });
  if (urlOf !== null) await recordUpload(urlOf(), { ...uploaded, path });
  return uploaded;
}
