import type pg from 'pg';
import { CommandError, PassingError } from '#lib/command-error.ts';
import type { Migration } from '../migrate.ts';
import { dropEverything } from './empty-database.ts';
import { prepareTables } from './prepare-tables.ts';
import { quoteName } from './read-tables.ts';
import { matchTables, type StoredDatabase } from './restored-schema.ts';
import { refuseRows, setSequences, writeRows } from './restored-rows.ts';
import { findUnfinishedRestore, restoreSchema } from './unfinished-restore.ts';
import type { WriteOptions } from './write-database.ts';

const steps = `${restoreSchema}.steps`;

/**
 * Writes an empty database in steps that are committed one by one: the schema, each table, each
 * index and foreign key. Continues an interrupted restore of the same backup, up to `endRestore`. A
 * damaged backup leaves the database empty. Returns the number of tables that were there already.
 */
export async function writeInSteps(
  client: pg.Client,
  migrations: readonly Migration[],
  stored: StoredDatabase,
  { onTable, log, ...choice }: WriteOptions,
): Promise<number> {
  // A step that a crash of the server loses is done again; the last one waits for the disk.
  await client.query('set synchronous_commit = off');
  try {
    const begun = await findUnfinishedRestore(client);
    if (begun === stored.sha256) log.info({}, 'the interrupted restore of this backup continues');
    else await inTransaction(client, () => begin(client, migrations, stored, choice));
    const continued = await writeTables(client, stored, { ...choice, ...(onTable && { onTable }) });
    await runStatements(client);
    return continued;
  } catch (error) {
    const isLasting = error instanceof CommandError && !(error instanceof PassingError);
    if (isLasting) await discardSteps(client).catch(() => undefined);
    throw error;
  }
}

/** Rows from before the first step are left as they are. */
async function discardSteps(client: pg.Client): Promise<void> {
  if ((await findUnfinishedRestore(client)) === null) return;
  await inTransaction(client, () => dropEverything(client));
}

async function begin(
  client: pg.Client,
  migrations: readonly Migration[],
  stored: StoredDatabase,
  choice: Omit<WriteOptions, 'log' | 'onTable'>,
): Promise<void> {
  await recordSteps(client, stored, await prepareTables(client, migrations, stored, choice));
}

/** Without rows in `migrations` no process takes the database for a whole one. */
async function recordSteps(
  client: pg.Client,
  stored: StoredDatabase,
  { tables, restore }: Awaited<ReturnType<typeof prepareTables>>,
): Promise<void> {
  await client.query(
    `create schema ${restoreSchema};
     create table ${restoreSchema}.restores (sha256 text not null);
     create table ${restoreSchema}.migrations as select * from migrations;
     truncate migrations;
     create table ${steps} (number int generated always as identity primary key,
       table_name text, statement text, done_at timestamptz)`,
  );
  await client.query(`insert into ${restoreSchema}.restores values ($1)`, [stored.sha256]);
  await client.query(`insert into ${steps} (table_name) select unnest($1::text[])`, [
    tables.map(({ name }) => name),
  ]);
  await client.query(`insert into ${steps} (statement) select unnest($1::text[])`, [restore]);
}

/** The hash of a table is compared before its step is committed. */
async function writeTables(
  client: pg.Client,
  stored: StoredDatabase,
  { onTable, ...choice }: Omit<WriteOptions, 'log'>,
): Promise<number> {
  const { rows } = await client.query<{ name: string }>(
    `select table_name as name from ${steps} where table_name is not null and done_at is not null`,
  );
  const done = new Set(rows.map(({ name }) => name));
  for (const table of await matchTables(client, stored, choice)) {
    if (!done.has(table.name))
      await inTransaction(client, async () => {
        // Rows of a table that is truncated here are not logged where wal_level is minimal.
        await client.query(`truncate ${quoteName(table.name)}`);
        await writeRows(client, stored, table);
        await client.query(`update ${steps} set done_at = now() where table_name = $1`, [
          table.name,
        ]);
      });
    onTable?.(table.name);
  }
  return done.size;
}

async function runStatements(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ number: number; statement: string }>(
    `select number, statement from ${steps} where statement is not null and done_at is null
     order by number`,
  );
  for (const { number, statement } of rows)
    await inTransaction(client, async () => {
      await client.query(statement).catch(refuseRows('a table'));
      await client.query(`update ${steps} set done_at = now() where number = $1`, [number]);
    });
}

/** For rows that were written in the caller's transaction: nothing is left but `endRestore`. */
export async function recordDoneSteps(
  client: pg.Client,
  stored: StoredDatabase,
  prepared: Awaited<ReturnType<typeof prepareTables>>,
): Promise<void> {
  await recordSteps(client, stored, prepared);
  await client.query(`update ${steps} set done_at = now()`);
}

/** Makes the database a whole one, on the disk. The same restore no longer continues. */
export function endRestore(client: pg.Client, { sequences }: StoredDatabase): Promise<void> {
  return inTransaction(client, async () => {
    await client.query('set local synchronous_commit = on');
    await setSequences(client, sequences);
    await client.query(`insert into migrations select * from ${restoreSchema}.migrations`);
    await client.query(`drop schema ${restoreSchema} cascade`);
  });
}

async function inTransaction(client: pg.Client, work: () => Promise<void>): Promise<void> {
  await client.query('begin');
  try {
    await work();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}
