import { writeDatabase, type WriteOptions } from '#db/backup/write-database.ts';
import { readBackup, type Backup } from './open-backup.ts';

/**
 * Replaces the contents of a database by those of a backup, in its schema; the next start migrates
 * it. All or nothing: see `writeDatabase`. Throws BackupFileError and RestoreRefusedError.
 */
export async function restoreBackup(
  url: string,
  backup: Backup,
  options: WriteOptions,
): Promise<void> {
  const { manifest, readRows } = backup;
  // A damaged file is found before the work that it would spoil.
  await readBackup(backup);
  const byName = new Map(manifest.tables.map((table) => [table.name, table]));
  await writeDatabase(
    url,
    {
      migrations: manifest.migrations,
      sequences: manifest.sequences,
      tables: manifest.tables,
      readRows: (name) => readRows(byName.get(name)!),
    },
    options,
  );
}
