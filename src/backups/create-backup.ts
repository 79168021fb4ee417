import { withDatabaseSnapshot, type DatabaseSnapshot } from '#db/backup/database-snapshot.ts';
import type { TableChoice } from '#db/backup/read-tables.ts';
import { CommandError } from '#lib/command-error.ts';
import { BackupWriter } from './backup-writer.ts';
import type { Manifest } from './manifest.ts';
import { openBackup, readBackup } from './open-backup.ts';

export interface BackupOptions extends TableChoice {
  /** The address of the database, as its owner. */
  url: string;
  path: string;
  product: string;
  now: Date;
  keys: Manifest['keys'];
  signal?: AbortSignal;
  /** Called with each table when it is complete. */
  onTable?: (table: string, tables: number) => void;
}

export interface CreatedBackup {
  path: string;
  bytes: number;
  rows: number;
  tables: number;
  /** The size of the database on disk. */
  databaseBytes: number;
  seconds: number;
}

/**
 * Writes all rows of one moment into a new file, while the product runs, and reads the file back.
 * It appears under its name when that has succeeded. Throws CommandError and BackupFileError.
 */
export async function createBackup(options: BackupOptions): Promise<CreatedBackup> {
  const startedMs = performance.now();
  const { url, path } = options;
  const writer = await BackupWriter.create(path).catch(refuseWrite);
  try {
    const written = await withDatabaseSnapshot(
      url,
      (snapshot) => writeRows(writer, snapshot, options),
      options,
    );
    await readBackup(await openBackup(writer.draft), options.signal);
    await writer.publish();
    return { path, ...written, seconds: (performance.now() - startedMs) / 1_000 };
  } catch (error) {
    await writer.discard();
    return refuseWrite(error as NodeJS.ErrnoException);
  }
}

async function writeRows(
  writer: BackupWriter,
  snapshot: DatabaseSnapshot,
  { product, now, keys, signal, onTable }: BackupOptions,
): Promise<Omit<CreatedBackup, 'path' | 'seconds'>> {
  for (const table of snapshot.tables) {
    await writer.addTable(table, snapshot.readRows(table), signal);
    onTable?.(table.name, snapshot.tables.length);
  }
  const { serverVersion: postgres, migrations, sequences, readers, databaseBytes } = snapshot;
  const createdAt = now.toISOString();
  const facts = { product, createdAt, postgres, migrations, sequences, readers, keys };
  const { manifest, bytes } = await writer.finish(facts);
  return {
    bytes,
    rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
    tables: manifest.tables.length,
    databaseBytes,
  };
}

/** A full disk or a missing directory is nothing that a stack explains. */
function refuseWrite(error: NodeJS.ErrnoException): never {
  if (error.syscall === undefined || error.code === undefined) throw error;
  throw new CommandError(`The backup could not be written: ${error.message}`, { cause: error });
}
