import { basename } from 'node:path';
import { isBackupName } from '../backup-paths.ts';
import { openBackup } from '../open-backup.ts';
import type { BucketError } from './bucket-error.ts';
import { Bucket, type BucketSettings } from './bucket.ts';
import {
  formatObjectAddress,
  objectIn,
  parseObjectAddress,
  type ObjectAddress,
} from './object-address.ts';
import { openObjectSource } from './object-source.ts';
import { uploadFile, type UploadedFile } from './upload-file.ts';

/** Uploads go on for twelve hours at most, and are continued within minutes. */
const abandonedAfterMs = 86_400_000;

export interface UploadOptions {
  settings: BucketSettings;
  /** The bucket and the folder in it, such as `s3://bucket/folder`. */
  folder: string;
  path: string;
  now: Date;
  signal?: AbortSignal;
}

/**
 * Uploads a backup under its name, or continues to, reads its manifest there, and aborts uploads
 * that nobody continued for a day. Throws BucketError and BackupFileError.
 */
export async function uploadBackup({
  settings,
  folder,
  path,
  now,
  signal,
}: UploadOptions): Promise<UploadedFile & { url: string }> {
  await openBackup(path);
  const parent = parseObjectAddress(folder);
  const address = objectIn(parent, basename(path));
  const bucket = new Bucket(settings, address.bucket, signal);
  try {
    const uploaded = await uploadFile(bucket, address.key, path);
    await openBackup(await openObjectSource(bucket, address.key));
    await abortAbandonedUploads(bucket, parent, now);
    return { ...uploaded, url: formatObjectAddress(address) };
  } finally {
    bucket.close();
  }
}

/** Those of backups in this folder; other programs may upload there, too. */
async function abortAbandonedUploads(
  bucket: Bucket,
  folder: ObjectAddress,
  now: Date,
): Promise<void> {
  const prefix = objectIn(folder, '').key;
  for (const { key, uploadId, begunAt } of await bucket.listUploads(prefix)) {
    const isOurs = isBackupName(key.slice(prefix.length));
    const isOld = begunAt !== null && now.getTime() - begunAt.getTime() > abandonedAfterMs;
    if (isOurs && isOld)
      await bucket.abortUpload(key, uploadId).catch((error: BucketError) => {
        if (error.code !== 'NoSuchUpload') throw error;
      });
  }
}

/** Deletes an object if it has these contents. False when it is not there, or another one. */
export async function removeBackup(
  settings: BucketSettings,
  url: string,
  sha256: string,
): Promise<boolean> {
  const { bucket: name, key } = parseObjectAddress(url);
  const bucket = new Bucket(settings, name);
  try {
    if ((await bucket.findObject(key))?.sha256 !== sha256) return false;
    await bucket.deleteObject(key);
    return true;
  } finally {
    bucket.close();
  }
}
