import type pg from 'pg';
import { CommandError } from '#lib/command-error.ts';
import { copyOut } from '../driver/copy-out.ts';
import { readReaders, readVerifiers, type StoredReader } from '../readers/stored-readers.ts';
import { withBackupClient } from './backup-client.ts';
import {
  quoteName,
  readMigrations,
  readPartitionedTables,
  readSequences,
  readTables,
  type AppliedMigration,
  type StoredSequence,
  type StoredTable,
  type TableChoice,
} from './read-tables.ts';
import { requireFinishedRestore } from './unfinished-restore.ts';

/** A database as it is at one moment, whatever is written meanwhile. */
export interface DatabaseSnapshot {
  tables: StoredTable[];
  sequences: StoredSequence[];
  migrations: AppliedMigration[];
  /** With verifiers of their passwords only for rows that stay in their instance. */
  readers: StoredReader[];
  /** Such as `18.4`. */
  serverVersion: string;
  databaseBytes: number;
  /** The rows of a table as lines of COPY's text format. */
  readRows(table: StoredTable): AsyncIterable<Buffer>;
}

/** There is no database, or it has no schema of Toprung. */
export class NoInstanceError extends CommandError {
  constructor(message = 'The database is empty: there is nothing to back up.') {
    super(message);
    this.name = 'NoInstanceError';
  }
}

/**
 * Passes on a snapshot of the whole database. It reads in the system role, which sees every
 * workspace, and locks nothing but the change of a table. Throws NoInstanceError.
 */
export function withDatabaseSnapshot<T>(
  url: string,
  work: (snapshot: DatabaseSnapshot) => Promise<T>,
  choice: TableChoice = {},
): Promise<T> {
  return withBackupClient(url, async (client) => {
    const partitioned = await readPartitionedTables(client);
    await client.query('begin isolation level repeatable read read only');
    await lockTables(client, partitioned);
    await requireInstance(client);
    const verifiers = choice.isSameInstance ? await readVerifiers(client) : new Map();
    await client.query('set local role toprung_system');
    await requireEveryRow(client);
    const { rows } = await client.query<{ version: string; bytes: string }>(
      `select current_setting('server_version') as version,
         pg_database_size(current_database())::text as bytes`,
    );
    return work({
      tables: await readTables(client, choice),
      sequences: await readSequences(client, choice),
      migrations: await readMigrations(client),
      readers: await readReaders(client, verifiers),
      serverVersion: /^[\d.]+/.exec(rows[0]!.version)?.[0] ?? '',
      databaseBytes: Number(rows[0]!.bytes),
      readRows: (table) => copyOut(client, copyStatement(table)),
    });
  });
}

/**
 * A lock takes no snapshot, so no partition is dropped after the snapshot of the first select: its
 * rows would be in the snapshot and nowhere on the disk. Partitions can still be created.
 */
async function lockTables(client: pg.ClientBase, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const list = names.map((name) => `only ${quoteName(name)}`).join(', ');
  await client.query(`lock table ${list} in access share mode`);
}

async function requireInstance(client: pg.ClientBase): Promise<void> {
  const { rowCount } = await client.query(
    `select where to_regclass('public.migrations') is not null
       and exists (select from pg_roles where rolname = 'toprung_system')`,
  );
  if (rowCount === 0) throw new NoInstanceError();
  await requireFinishedRestore(client);
}

/** Row-level security would leave rows out without an error. */
async function requireEveryRow(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class c
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relrowsecurity
       and not exists (select from pg_policies p where p.schemaname = 'public'
         and p.tablename = c.relname and 'toprung_system' = any(p.roles) and p.qual = 'true')`,
  );
  if (rows.length > 0)
    throw new Error(
      `The system role may not see every row of ${rows.map(({ name }) => name).join(', ')}.`,
    );
}

/** COPY does not accept a partitioned table itself. */
function copyStatement({ name, columns, isPartitioned }: StoredTable): string {
  const list = columns.map(quoteName).join(', ');
  const source = isPartitioned
    ? `(select ${list} from ${quoteName(name)})`
    : `${quoteName(name)} (${list})`;
  return `copy ${source} to stdout`;
}
