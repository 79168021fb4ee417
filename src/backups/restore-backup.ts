import { writeDatabase, type WriteOptions } from '#db/backup/write-database.ts';
import { readBackup, type Backup } from './open-backup.ts';

export interface RestoreOptions extends WriteOptions {
  /** Finds damage before the work that it would spoil, at the price of reading all of it twice. */
  readsFirst?: boolean;
}

/**
 * Replaces the contents of a database by those of a backup, in its schema; the next start migrates
 * it. See `writeDatabase` for what a kill leaves. Returns the number of tables that an interrupted
 * restore had written. Throws BackupFileError, BucketError and RestoreRefusedError.
 */
export async function restoreBackup(
  url: string,
  backup: Backup,
  { readsFirst = true, ...options }: RestoreOptions,
): Promise<number> {
  const { manifest, readRows, sha256 } = backup;
  if (readsFirst) await readBackup(backup);
  const byName = new Map(manifest.tables.map((table) => [table.name, table]));
  return writeDatabase(
    url,
    {
      sha256,
      migrations: manifest.migrations,
      sequences: manifest.sequences,
      tables: manifest.tables,
      readRows: (name) => readRows(byName.get(name)!),
    },
    options,
  );
}
