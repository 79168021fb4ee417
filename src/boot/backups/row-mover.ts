import { createBackup } from '#backups/create-backup.ts';
import { openBackup } from '#backups/open-backup.ts';
import { verifyBackup } from '#backups/verify-backup.ts';
import { NoInstanceError } from '#db/backup/database-snapshot.ts';
import { createDatabase } from '#db/create-database.ts';
import { restoreReaders } from '#db/readers/restore-readers.ts';
import type { RowMover } from '#embedded-postgres/move-rows.ts';
import { systemClock } from '#lib/clock.ts';
import type { Logger } from '#lib/logger.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import { databaseName } from '../database-name.ts';
import { restoreFlags } from './restore-flags.ts';

const noDatabase = '3D000';
const progressIntervalMs = 5_000;

/**
 * Moves rows from one major version of PostgreSQL to the next by a backup that is restored and
 * compared. The list of backups and the logins of readers move with them, because the instance
 * stays the same.
 */
export function createRowMover(log: Logger, report: (line: string) => void): RowMover {
  return {
    flags: restoreFlags,
    report,
    dump: async (urlOf, file) => {
      try {
        await createBackup({
          url: urlOf(databaseName),
          path: file,
          product: packageJson.version,
          now: systemClock.now(),
          keys: null,
          isSameInstance: true,
          onTable: countTables(report),
        });
      } catch (error) {
        if (isEmpty(error)) return false;
        throw error;
      }
      return true;
    },
    load: async (urlOf, file) => {
      await createDatabase(urlOf('postgres'), databaseName, true);
      const backup = await openBackup(file);
      const count = countTables(report);
      const onTable = (table: string) => count(table, backup.manifest.tables.length);
      const options = { isSameInstance: true, onTable };
      await verifyBackup(urlOf(databaseName), backup, log, options);
      await restoreReaders(urlOf(databaseName), backup.manifest.readers);
    },
  };
}

/** A first start that was killed left no schema, and perhaps no database. */
const isEmpty = (error: unknown): boolean =>
  error instanceof NoInstanceError || (error as { code?: string }).code === noDatabase;

/** Reports progress every five seconds, for large databases. */
function countTables(report: (line: string) => void): (table: string, tables: number) => void {
  let done = 0;
  let reportedMs = performance.now();
  return (table, tables) => {
    done += 1;
    if (performance.now() - reportedMs < progressIntervalMs) return;
    reportedMs = performance.now();
    report(`  ${done} of ${tables} tables: ${table}`);
  };
}
