import { withDatabaseSnapshot, type DatabaseSnapshot } from '#db/backup/database-snapshot.ts';
import { migrate } from '#db/migrate.ts';
import type { Logger } from '#lib/logger.ts';
import { BackupFileError } from './backup-file-error.ts';
import { RowMeter } from './row-meter.ts';
import type { Backup } from './open-backup.ts';
import { restoreBackup, type RestoreOptions } from './restore-backup.ts';

/**
 * Restores a backup into an empty database, reads every table back and compares counts and hashes,
 * and brings the schema up to date. Throws BackupFileError.
 */
export async function verifyBackup(
  url: string,
  backup: Backup,
  log: Logger,
  options: Omit<RestoreOptions, 'replaces' | 'log'> = {},
): Promise<void> {
  await restoreBackup(url, backup, { ...options, replaces: false, log });
  const compare = async (snapshot: DatabaseSnapshot) => {
    for (const table of snapshot.tables) {
      const meter = new RowMeter();
      for await (const chunk of snapshot.readRows(table)) meter.add(chunk);
      const { rows, sha256 } = meter.finish();
      const expected = backup.manifest.tables.find(({ name }) => name === table.name);
      if (expected?.rows !== rows || expected.sha256 !== sha256)
        throw new BackupFileError(
          `does not restore to what was backed up: ${table.name} has ${rows} rows of ` +
            `${expected?.rows ?? 0}, or other values`,
        );
    }
  };
  await withDatabaseSnapshot(url, compare, options);
  await migrate(url, log);
}
