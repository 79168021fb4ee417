import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Config } from '#config/env.ts';
import type { BackupUploader, UploadedBackup } from '#domain/base/ports.ts';
import { systemClock } from '#lib/clock.ts';
import { bucketSettingsOf } from './bucket-settings.ts';
import { runInThread } from './run-in-thread.ts';
import type { RemoveTask, UploadTask } from './upload-thread.ts';

/** Null without BACKUP_S3_URL. The client of the storage is loaded in threads only. */
export function openUploader(
  config: Config,
  folder: string,
  closing: AbortSignal,
): BackupUploader | null {
  const { BACKUP_S3_URL: address, BACKUP_S3_KEEP: keep } = config;
  if (address === null) return null;
  const settings = bucketSettingsOf(config);
  return {
    address,
    keep: keep ?? config.BACKUP_KEEP,
    hasFile: async ({ path, bytes }) => {
      if (dirname(path) !== resolve(folder)) return false;
      const found = await stat(path).catch(() => null);
      return found?.isFile() === true && BigInt(found.size) === bytes;
    },
    upload: (path, signal) => {
      const task: UploadTask = { settings, folder: address, path, now: systemClock.now() };
      const options = { signal: AbortSignal.any([signal, closing]) };
      return runInThread<UploadedBackup>('upload-thread', task, options);
    },
    remove: async ({ url, sha256 }) => {
      if (!url.startsWith(`${address}/`)) return false;
      const task: RemoveTask = { settings, url, sha256 };
      return runInThread<boolean>('upload-thread', task, { signal: closing, name: 'remove' });
    },
  };
}
