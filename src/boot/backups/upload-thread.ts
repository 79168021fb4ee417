/** The entry of a thread that uploads a backup or removes one from the bucket. */
import type { BucketSettings } from '#backups/bucket/bucket.ts';
import { removeBackup, uploadBackup, type UploadOptions } from '#backups/bucket/upload-backup.ts';
import type { UploadedBackup } from '#domain/base/ports.ts';
import { priorities, setThreadPriority } from '../thread-priority.ts';

export type UploadTask = Omit<UploadOptions, 'signal'>;

export interface RemoveTask {
  settings: BucketSettings;
  url: string;
  sha256: string;
}

setThreadPriority(priorities.nightly);

export default async function upload(task: UploadTask): Promise<UploadedBackup> {
  const { url, bytes, sha256, seconds } = await uploadBackup(task);
  return { url, bytes, sha256, seconds };
}

export const remove = ({ settings, url, sha256 }: RemoveTask): Promise<boolean> =>
  removeBackup(settings, url, sha256);
