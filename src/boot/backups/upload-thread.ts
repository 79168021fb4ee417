/** The entry of a thread that uploads a backup or removes one from the bucket. */
import { setPriority } from 'node:os';
import type { BucketSettings } from '#backups/bucket/bucket.ts';
import { removeBackup, uploadBackup, type UploadOptions } from '#backups/bucket/upload-backup.ts';
import type { UploadedBackup } from '#domain/base/ports.ts';

export type UploadTask = Omit<UploadOptions, 'signal'>;

export interface RemoveTask {
  settings: BucketSettings;
  url: string;
  sha256: string;
}

const threadPriority = 15;

// On Linux this is the priority of the thread alone.
if (process.platform === 'linux') setPriority(threadPriority);

export default async function upload(task: UploadTask): Promise<UploadedBackup> {
  const { url, bytes, sha256, seconds } = await uploadBackup(task);
  return { url, bytes, sha256, seconds };
}

export const remove = ({ settings, url, sha256 }: RemoveTask): Promise<boolean> =>
  removeBackup(settings, url, sha256);
