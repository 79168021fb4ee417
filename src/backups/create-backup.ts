import { withDatabaseSnapshot, type DatabaseSnapshot } from '#db/backup/database-snapshot.ts';
import type { TableChoice } from '#db/backup/read-tables.ts';
import { CommandError } from '#lib/command-error.ts';
import { BackupWriter } from './backup-writer.ts';
import type { Manifest } from './manifest.ts';

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
 * Writes all rows of one moment into a new file, while the product runs. The file appears when it
 * is complete.
 */
export async function createBackup(options: BackupOptions): Promise<CreatedBackup> {
  const startedMs = performance.now();
  const work = async (snapshot: DatabaseSnapshot) => {
    const { manifest, bytes } = await writeFile(snapshot, options);
    return {
      path: options.path,
      bytes,
      rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
      tables: manifest.tables.length,
      databaseBytes: snapshot.databaseBytes,
      seconds: (performance.now() - startedMs) / 1_000,
    };
  };
  return withDatabaseSnapshot(options.url, work, options);
}

/** A full disk or a missing directory is nothing that a stack explains. */
function refuseWrite(error: NodeJS.ErrnoException): never {
  if (error.syscall === undefined || error.code === undefined) throw error;
  throw new CommandError(`The backup could not be written: ${error.message}`, { cause: error });
}

async function writeFile(
  snapshot: DatabaseSnapshot,
  { path, product, now, keys, signal, onTable }: BackupOptions,
): Promise<{ manifest: Manifest; bytes: number }> {
  const writer = await BackupWriter.create(path).catch(refuseWrite);
  try {
    for (const table of snapshot.tables) {
      await writer.addTable(table, snapshot.readRows(table), signal);
      onTable?.(table.name, snapshot.tables.length);
    }
    const { serverVersion: postgres, migrations, sequences, readers } = snapshot;
    const createdAt = now.toISOString();
    const facts = { product, createdAt, postgres, migrations, sequences, readers, keys };
    return await writer.finish(facts);
  } catch (error) {
    await writer.discard();
    return refuseWrite(error as NodeJS.ErrnoException);
  }
}
