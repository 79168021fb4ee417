import type pg from 'pg';
import type { Logger } from '#lib/logger.ts';
import { copyIn } from '../driver/copy-in.ts';
import {
  acquireMigrationLock,
  applyMigration,
  createMigrationsTable,
  readMigrationFiles,
  type Migration,
} from '../migrate.ts';
import { describeStores } from '../sync-stores.ts';
import { withBackupClient } from './backup-client.ts';
import { dropEverything, requireUnused } from './empty-database.ts';
import {
  quoteName,
  readSequences,
  readTables,
  type AppliedMigration,
  type StoredSequence,
  type StoredTable,
  type TableChoice,
} from './read-tables.ts';
import { RestoreRefusedError } from './restore-refused-error.ts';
import { suspendConstraints } from './suspend-constraints.ts';

/** The rows of a backup, to be written into a database. */
export interface StoredDatabase {
  migrations: readonly AppliedMigration[];
  sequences: readonly StoredSequence[];
  tables: readonly (Omit<StoredTable, 'isPartitioned'> & { rows: number })[];
  /** Lines of COPY's text format. Throws when they are not those that were written. */
  readRows(table: string): AsyncIterable<Buffer>;
}

export interface WriteOptions extends TableChoice {
  /** Drops what the database contains. */
  replaces: boolean;
  log: Logger;
  /** Called with each table when it is complete. */
  onTable?: (table: string) => void;
}

/**
 * Writes a whole database in one transaction, with the schema that it had: after a kill at any
 * moment the database is what it was before. Throws RestoreRefusedError.
 */
export async function writeDatabase(
  url: string,
  stored: StoredDatabase,
  options: WriteOptions,
): Promise<void> {
  const migrations = await findMigrations(stored.migrations);
  await withBackupClient(url, async (client) => {
    await acquireMigrationLock(client, options.log, lockTimeoutMs);
    await client.query('begin');
    try {
      await requireUnused(client, options);
      await dropEverything(client);
      await createSchema(client, migrations);
      await writeTables(client, stored, options);
      await client.query('commit');
    } catch (error) {
      await client.query('rollback').catch(() => undefined);
      throw error;
    }
    await client.query('analyze');
  });
}

const lockTimeoutMs = 60_000;

/** The file's migrations among ours. Throws for one that this version does not know. */
async function findMigrations(applied: readonly AppliedMigration[]): Promise<Migration[]> {
  const files = await readMigrationFiles();
  const newer = applied.filter(({ name }) => !files.some((file) => file.name === name));
  if (newer.length > 0)
    throw new RestoreRefusedError(
      `The backup was made by a newer version (${newer.map(({ name }) => name).join(', ')}). ` +
        'Restore it with that version.',
    );
  const used = files.filter((file) => applied.some(({ name }) => name === file.name));
  const changed = used.find(
    (file) => applied.find(({ name }) => name === file.name)?.hash !== file.hash,
  );
  if (changed)
    throw new RestoreRefusedError(
      `The schema of the backup is not that of a release: its ${changed.name} is another one.`,
    );
  return used;
}

/** What migrations write into tables is in the backup, too. */
async function createSchema(client: pg.Client, migrations: readonly Migration[]): Promise<void> {
  await createMigrationsTable(client);
  await describeStores(client);
  for (const migration of migrations)
    await applyMigration(client, migration).catch((cause: Error) => {
      throw new RestoreRefusedError(`The backup has a schema of its own: ${cause.message}`, {
        cause,
      });
    });
  await dropPartitions(client);
  // Those that no backup contains refer to others, and truncate requires them too.
  const all = await readTables(client, { isSameInstance: true });
  const names = all.map(({ name }) => quoteName(name));
  if (names.length > 0) await client.query(`truncate ${names.join(', ')}`);
}

/** Those that migrations make depend on today; the file has its own. */
async function dropPartitions(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace
       and relkind = 'r' and relispartition and pg_get_expr(relpartbound, oid) <> 'DEFAULT'`,
  );
  for (const { name } of rows) await client.query(`drop table ${quoteName(name)}`);
}

async function writeTables(
  client: pg.Client,
  stored: StoredDatabase,
  { onTable, ...choice }: WriteOptions,
): Promise<void> {
  const tables = await matchTables(client, stored, choice);
  const sequences = await readSequences(client, choice);
  for (const table of tables) await createPartitions(client, table);
  const restoreConstraints = await suspendConstraints(client);
  for (const table of tables) {
    const rows = await copyIn(client, copyStatement(table), stored.readRows(table.name)).catch(
      refuseRows(table.name),
    );
    if (rows !== table.rows)
      throw new RestoreRefusedError(`${table.name} got ${rows} of ${table.rows} rows.`);
    onTable?.(table.name);
  }
  await setSequences(client, sequences, stored.sequences);
  await restoreConstraints().catch(refuseRows('a table'));
}

/** Values that break a rule of the schema were not written by a backup. */
const refuseRows = (table: string) => (error: Error & { code?: string }) => {
  if (!/^2[23]/.test(error.code ?? '')) throw error;
  throw new RestoreRefusedError(`The backup has rows that do not fit ${table}: ${error.message}.`, {
    cause: error,
  });
};

interface TableToWrite extends StoredTable {
  rows: number;
}

/** Throws unless the file has exactly the tables and columns of its schema. */
async function matchTables(
  client: pg.Client,
  stored: StoredDatabase,
  choice: TableChoice,
): Promise<TableToWrite[]> {
  const expected = await readTables(client, choice);
  const unknown = stored.tables.find(({ name }) => !expected.some((own) => own.name === name));
  if (unknown)
    throw new RestoreRefusedError(`The backup has a table that its schema does not know.`);
  return expected.map((own) => {
    const found = stored.tables.find(({ name }) => name === own.name);
    if (!found) throw new RestoreRefusedError(`The backup lacks the table ${own.name}.`);
    if (found.columns.join() !== own.columns.join())
      throw new RestoreRefusedError(
        `The backup has other columns of the table ${own.name} than its schema.`,
      );
    return { ...own, rows: found.rows, partitions: found.partitions };
  });
}

/** The same partitions take the same rows, so that they are read in the same order. */
async function createPartitions(client: pg.Client, table: StoredTable): Promise<void> {
  for (const { name, from, to } of table.partitions)
    await client
      .query(
        `create table ${quoteName(name)} partition of ${quoteName(table.name)}
         for values from (${quoteText(from)}) to (${quoteText(to)})`,
      )
      .catch((cause: Error) => {
        throw new RestoreRefusedError(
          `The backup has a partition that does not fit ${table.name}: ${cause.message}.`,
          { cause },
        );
      });
}

const quoteText = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Rows of a table that was made in this transaction are visible to all: they need no freezing. */
function copyStatement({ name, columns, isPartitioned }: StoredTable): string {
  const list = columns.map(quoteName).join(', ');
  return `copy ${quoteName(name)} (${list}) from stdin${isPartitioned ? '' : ' (freeze)'}`;
}

async function setSequences(
  client: pg.Client,
  own: readonly StoredSequence[],
  stored: readonly StoredSequence[],
): Promise<void> {
  for (const { name, lastValue } of stored) {
    if (!own.some((sequence) => sequence.name === name))
      throw new RestoreRefusedError('The backup has a sequence that its schema does not know.');
    if (lastValue !== null)
      await client.query('select setval($1::regclass, $2::bigint)', [quoteName(name), lastValue]);
  }
}
