import { isObjectAddress, parseObjectAddress } from '#backups/bucket/object-address.ts';
import { openBackup, type Backup } from '#backups/open-backup.ts';
import type { Config } from '#config/env.ts';
import { CommandError } from '#lib/command-error.ts';
import { bucketSettingsOf } from './bucket-settings.ts';

/**
 * Opens a backup by its path, or by its address such as `s3://bucket/folder/name` with the
 * settings of the storage. Throws BackupFileError and BucketError.
 */
export async function openLocation(config: Config, location: string): Promise<Backup> {
  if (!isObjectAddress(location)) return openBackup(location);
  const { bucket: name, key } = parseObjectAddress(location);
  if (key === '') throw new CommandError(`${location} is a bucket. Name an object in it.`);
  const { Bucket } = await import('#backups/bucket/bucket.ts');
  const { openObjectSource } = await import('#backups/bucket/object-source.ts');
  return openBackup(await openObjectSource(new Bucket(bucketSettingsOf(config), name), key));
}
