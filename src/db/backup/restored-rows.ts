import type pg from 'pg';
import { copyIn } from '../driver/copy-in.ts';
import { quoteName, type StoredSequence, type StoredTable } from './read-tables.ts';
import { RestoreRefusedError } from './restore-refused-error.ts';
import type { StoredDatabase, TableToWrite } from './restored-schema.ts';

/** Copies the rows of a table that was made or truncated in the caller's transaction. */
export async function writeRows(
  client: pg.Client,
  stored: StoredDatabase,
  table: TableToWrite,
): Promise<void> {
  const rows = await copyIn(client, copyStatement(table), stored.readRows(table.name)).catch(
    refuseRows(table.name),
  );
  if (rows !== table.rows)
    throw new RestoreRefusedError(`${table.name} got ${rows} of ${table.rows} rows.`);
}

/** Values that break a rule of the schema were not written by a backup. */
export const refuseRows =
  (table: string) =>
  (error: Error & { code?: string }): never => {
    if (!/^2[23]/.test(error.code ?? '')) throw error;
    throw new RestoreRefusedError(
      `The backup has rows that do not fit ${table}: ${error.message}.`,
      {
        cause: error,
      },
    );
  };

/** Rows of a table that was made in this transaction are visible to all: they need no freezing. */
function copyStatement({ name, columns, isPartitioned }: StoredTable): string {
  const list = columns.map(quoteName).join(', ');
  return `copy ${quoteName(name)} (${list}) from stdin${isPartitioned ? '' : ' (freeze)'}`;
}

export async function setSequences(
  client: pg.Client,
  stored: readonly StoredSequence[],
): Promise<void> {
  for (const { name, lastValue } of stored)
    if (lastValue !== null)
      await client.query('select setval($1::regclass, $2::bigint)', [quoteName(name), lastValue]);
}
