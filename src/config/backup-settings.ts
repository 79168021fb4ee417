import type { Setting } from './env.ts';
import { integer, text, timeOfDay } from './parsers.ts';

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

export function findBackupSettingErrors(settings: { BACKUP_PASSPHRASE: string | null }): string[] {
  const { BACKUP_PASSPHRASE: passphrase } = settings;
  return passphrase !== null && passphrase.length < minPassphraseLength
    ? [`BACKUP_PASSPHRASE must have at least ${minPassphraseLength} characters`]
    : [];
}
