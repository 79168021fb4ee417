import type pg from 'pg';
import type { Migration } from '../migrate.ts';
import { dropEverything } from './empty-database.ts';
import type { TableChoice } from './read-tables.ts';
import {
  createPartitions,
  createSchema,
  matchSequences,
  matchTables,
  type StoredDatabase,
} from './restored-schema.ts';
import { planConstraints } from './suspend-constraints.ts';

/**
 * Replaces whatever the database contains by the empty tables of a backup, in the caller's
 * transaction. `restore` brings constraints and indexes back once the rows are there. Throws
 * RestoreRefusedError.
 */
export async function prepareTables(
  client: pg.Client,
  migrations: readonly Migration[],
  stored: StoredDatabase,
  choice: TableChoice,
): Promise<{ tables: Awaited<ReturnType<typeof matchTables>>; restore: string[] }> {
  await dropEverything(client);
  await createSchema(client, migrations);
  const tables = await matchTables(client, stored, choice);
  await matchSequences(client, stored.sequences, choice);
  for (const table of tables) await createPartitions(client, table);
  const { suspend, restore } = await planConstraints(client);
  for (const statement of suspend) await client.query(statement);
  return { tables, restore };
}
