import type { Setting } from './env.ts';
import { address, bucketAddress, flag, integer, text, timeOfDay } from './parsers.ts';

const minPassphraseLength = 12;

export const backupSettings = {
  BACKUP_DIR: {
    parse: text,
    fallback: null,
    meaning:
      'The directory of scheduled backups, preferably on another disk. Unset: none are made. ' +
      'With several workers each of them needs it.',
  },
  BACKUP_AT: {
    parse: timeOfDay,
    fallback: '01:00',
    meaning: 'UTC time at which a backup is made every day, when BACKUP_DIR is set.',
  },
  BACKUP_KEEP: {
    parse: integer(1, 3_650),
    fallback: '7',
    meaning:
      'The number of scheduled backups that are kept. Older ones are deleted once a new one has ' +
      'been read back; other files never.',
  },
  BACKUP_S3_URL: {
    parse: bucketAddress,
    fallback: null,
    meaning:
      'The bucket of S3-compatible storage that gets a copy of every backup, and a folder in it, ' +
      'such as s3://bucket/toprung. Scheduled ones also need BACKUP_DIR. Unset: none is uploaded.',
  },
  BACKUP_S3_ENDPOINT: {
    parse: address('http:', 'https:'),
    fallback: null,
    meaning: 'The address of the storage, such as https://s3.example.org. Unset: Amazon S3.',
  },
  BACKUP_S3_REGION: {
    parse: text,
    fallback: 'us-east-1',
    meaning: 'The region of the bucket; some storage asks for `auto` or another name.',
  },
  BACKUP_S3_ACCESS_KEY_ID: {
    parse: text,
    fallback: null,
    secret: true,
    meaning: 'The access key of the storage.',
  },
  BACKUP_S3_SECRET_ACCESS_KEY: {
    parse: text,
    fallback: null,
    secret: true,
    meaning: 'The secret of the access key.',
  },
  BACKUP_S3_PATH_STYLE: {
    parse: flag,
    fallback: 'true',
    meaning:
      'Whether requests name the bucket in their path (https://host/bucket). `false`: in the ' +
      'host (https://bucket.host).',
  },
  BACKUP_S3_KEEP: {
    parse: integer(1, 3_650),
    fallback: null,
    meaning:
      'The number of scheduled backups that are kept in the bucket. Older ones of this instance ' +
      'are deleted once a new one is there; other objects never. Unset: BACKUP_KEEP.',
  },
  BACKUP_PASSPHRASE: {
    parse: text,
    fallback: null,
    secret: true,
    meaning:
      'Encrypts the secrets of DATA_DIR; at least 12 characters. When it is set, scheduled ' +
      'backups contain them, which `toprung backup` does with --with-keys. Unset: backups ' +
      'contain no keys.',
  },
} as const satisfies Record<string, Setting<unknown>>;

interface BackupConfig {
  BACKUP_PASSPHRASE: string | null;
  BACKUP_S3_URL: string | null;
  BACKUP_S3_ACCESS_KEY_ID: string | null;
  BACKUP_S3_SECRET_ACCESS_KEY: string | null;
}

export function findBackupSettingErrors(config: BackupConfig): string[] {
  const { BACKUP_PASSPHRASE: passphrase, BACKUP_S3_URL: bucket } = config;
  const errors: string[] = [];
  if (passphrase !== null && passphrase.length < minPassphraseLength)
    errors.push(`BACKUP_PASSPHRASE must have at least ${minPassphraseLength} characters`);
  for (const name of ['BACKUP_S3_ACCESS_KEY_ID', 'BACKUP_S3_SECRET_ACCESS_KEY'] as const)
    if (bucket !== null && config[name] === null)
      errors.push(`${name} must be set with BACKUP_S3_URL`);
  return errors;
}
