import type pg from 'pg';
import type { Logger } from '#lib/logger.ts';
import { acquireMigrationLock, type Migration } from '../migrate.ts';
import { withBackupClient } from './backup-client.ts';
import { requireUnused } from './empty-database.ts';
import { prepareTables } from './prepare-tables.ts';
import type { TableChoice } from './read-tables.ts';
import { findMigrations, type StoredDatabase } from './restored-schema.ts';
import { refuseRows, writeRows } from './restored-rows.ts';
import { endRestore, recordDoneSteps, writeInSteps } from './write-in-steps.ts';

export interface WriteOptions extends TableChoice {
  /** Drops what the database contains. */
  replaces: boolean;
  log: Logger;
  /** Called with each table when it is complete, also when an earlier restore has written it. */
  onTable?: (table: string) => void;
  /** Called when every row is committed. Until it has succeeded, the same restore continues. */
  beforeEnd?: () => Promise<void>;
}

const lockTimeoutMs = 60_000;

/**
 * Writes a whole database, with the schema that it had. The rows of a database with data are
 * replaced in one transaction: after a kill before its commit it is what it was before. An empty
 * one is written table by table. After any other kill the same restore continues, and the product
 * refuses to start on the database until then. Returns the number of tables that an interrupted
 * restore had written. Throws RestoreRefusedError.
 */
export async function writeDatabase(
  url: string,
  stored: StoredDatabase,
  options: WriteOptions,
): Promise<number> {
  const migrations = await findMigrations(stored.migrations);
  return withBackupClient(url, async (client) => {
    await acquireMigrationLock(client, options.log, lockTimeoutMs);
    const { hasData } = await requireUnused(client, options);
    const write = hasData ? writeAtOnce : writeInSteps;
    const continued = await write(client, migrations, stored, options);
    await options.beforeEnd?.();
    await endRestore(client, stored);
    await client.query('analyze');
    return continued;
  });
}

async function writeAtOnce(
  client: pg.Client,
  migrations: readonly Migration[],
  stored: StoredDatabase,
  { onTable, ...choice }: WriteOptions,
): Promise<0> {
  await client.query('begin');
  try {
    const prepared = await prepareTables(client, migrations, stored, choice);
    for (const table of prepared.tables) {
      await writeRows(client, stored, table);
      onTable?.(table.name);
    }
    for (const statement of prepared.restore)
      await client.query(statement).catch(refuseRows('a table'));
    await recordDoneSteps(client, stored, prepared);
    await client.query('commit');
    return 0;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}
