import type pg from 'pg';
import {
  applyMigration,
  createMigrationsTable,
  readMigrationFiles,
  type Migration,
} from '../migrate.ts';
import { describeStores } from '../sync-stores.ts';
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

/** The rows of a backup, to be written into a database. */
export interface StoredDatabase {
  /** Identifies the backup. */
  sha256: string;
  migrations: readonly AppliedMigration[];
  sequences: readonly StoredSequence[];
  tables: readonly (Omit<StoredTable, 'isPartitioned'> & { rows: number })[];
  /** Lines of COPY's text format. Throws when they are not those that were written. */
  readRows(table: string): AsyncIterable<Buffer>;
}

/** The file's migrations among ours. Throws for one that this version does not know. */
export async function findMigrations(applied: readonly AppliedMigration[]): Promise<Migration[]> {
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

/** Rows that migrations write are in the backup, too. */
export async function createSchema(
  client: pg.Client,
  migrations: readonly Migration[],
): Promise<void> {
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

export interface TableToWrite extends StoredTable {
  rows: number;
}

/** Throws unless the file has exactly the tables and columns of its schema. */
export async function matchTables(
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
export async function createPartitions(client: pg.Client, table: StoredTable): Promise<void> {
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

/** Throws unless the schema has all sequences of the file. */
export async function matchSequences(
  client: pg.Client,
  stored: readonly StoredSequence[],
  choice: TableChoice,
): Promise<void> {
  const own = await readSequences(client, choice);
  if (stored.some(({ name }) => !own.some((sequence) => sequence.name === name)))
    throw new RestoreRefusedError('The backup has a sequence that its schema does not know.');
}
