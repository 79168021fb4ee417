import { decryptKeys, type Keys } from '#backups/encrypt-keys.ts';
import { BackupFileError } from '#backups/backup-file-error.ts';
import { isObjectAddress } from '#backups/bucket/object-address.ts';
import type { Backup } from '#backups/open-backup.ts';
import { restoreBackup } from '#backups/restore-backup.ts';
import type { Config } from '#config/env.ts';
import { allowRoleLogins } from '#db/create-database.ts';
import { migrate } from '#db/migrate.ts';
import { restoreReaders, type RestoredReaders } from '#db/readers/restore-readers.ts';
import type { StoredReader } from '#db/readers/stored-readers.ts';
import { createLogger } from '#lib/logger.ts';
import type { ShutdownStack } from '#lib/shutdown-stack.ts';
import { createInstanceDatabase } from './instance-database.ts';
import { writeKeys } from './instance-keys.ts';
import { openLocation } from './open-location.ts';

export interface RestoreOptions {
  replaces: boolean;
  /** Asked for the passphrase when the keys are restored, too. */
  readPassphrase: (() => Promise<string>) | null;
  onTable: (table: string, tables: number) => void;
}

export interface RestoredInstance {
  manifest: Backup['manifest'];
  /** The number of tables that an interrupted restore had written. */
  continuedTables: number;
  /** Migrations that brought the schema up to date. */
  migrated: string[];
  hasKeys: boolean;
  /** Settings that hold other secrets than the backup. */
  overriding: string[];
  readers: RestoredReaders;
}

/**
 * Restores a backup, from a file or from `s3://…`, into the instance of these settings and brings
 * its schema up to date. Throws BackupFileError, RestoreRefusedError and WrongPassphraseError;
 * nothing is changed then, but the damage of an object is found on the way and leaves an empty
 * database empty. After a BucketError or a kill the same call continues.
 */
export async function restoreInstance(
  config: Config,
  shutdownStack: ShutdownStack,
  location: string,
  { replaces, readPassphrase, onTable }: RestoreOptions,
): Promise<RestoredInstance> {
  const log = createLogger(config.LOG_LEVEL);
  const backup = await openLocation(config, location);
  const { manifest } = backup;
  const keys = readPassphrase && (await readStoredKeys(backup, readPassphrase));
  const urlOf = await createInstanceDatabase(config, log, shutdownStack);
  let overriding: string[] = [];
  const continuedTables = await restoreBackup(urlOf(), backup, {
    replaces,
    readsFirst: !isObjectAddress(location),
    log,
    onTable: (table) => onTable(table, manifest.tables.length),
    // Any earlier they would replace those of an instance that stays when its restore fails.
    beforeEnd: async () => {
      if (keys) overriding = await writeKeys(config, keys);
    },
  });
  const migrated = await migrate(urlOf(), log);
  if (config.DATABASE_URL === null) await allowRoleLogins(urlOf());
  const readers = await restoreReaders(urlOf(), withoutVerifiers(manifest.readers));
  const hasKeys = manifest.keys !== null;
  return { manifest, continuedTables, migrated, hasKeys, overriding, readers };
}

/** Whoever made a file with a verifier would know the password. */
const withoutVerifiers = (readers: Backup['manifest']['readers']): StoredReader[] =>
  readers.map((reader) => ({ ...reader, verifier: null }));

async function readStoredKeys(
  { manifest: { keys } }: Backup,
  readPassphrase: () => Promise<string>,
): Promise<Keys> {
  if (keys === null) throw new BackupFileError('has no keys; restore it without --with-keys');
  return decryptKeys(keys, await readPassphrase());
}
