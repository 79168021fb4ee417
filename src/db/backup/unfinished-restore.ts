import type pg from 'pg';
import { CommandError } from '#lib/command-error.ts';

// A restore into an empty database keeps its steps in this schema, which the last step drops.
export const restoreSchema = 'toprung_restore';

/** The backup whose restore was interrupted in this database; null without one. */
export async function findUnfinishedRestore(client: pg.ClientBase): Promise<string | null> {
  const { rowCount } = await client.query('select from pg_namespace where nspname = $1', [
    restoreSchema,
  ]);
  if (rowCount === 0) return null;
  const { rows } = await client.query<{ sha256: string }>(
    `select sha256 from ${restoreSchema}.restores`,
  );
  return rows[0]?.sha256 ?? '';
}

/** Throws for a database that has only a part of a backup. */
export async function requireFinishedRestore(client: pg.ClientBase): Promise<void> {
  if ((await findUnfinishedRestore(client)) !== null)
    throw new CommandError(
      'A restore into this database was interrupted. Run toprung restore again with the same ' +
        'backup: it continues; with another one it begins anew.',
    );
}
