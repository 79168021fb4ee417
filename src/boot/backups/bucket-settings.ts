import type { BucketSettings } from '#backups/bucket/bucket.ts';
import type { Config } from '#config/env.ts';

/** How the storage of the settings is reached, and with which key. */
export const bucketSettingsOf = (config: Config): BucketSettings => ({
  endpoint: config.BACKUP_S3_ENDPOINT,
  region: config.BACKUP_S3_REGION,
  accessKeyId: config.BACKUP_S3_ACCESS_KEY_ID,
  secretAccessKey: config.BACKUP_S3_SECRET_ACCESS_KEY,
  hasPathStyle: config.BACKUP_S3_PATH_STYLE,
});
