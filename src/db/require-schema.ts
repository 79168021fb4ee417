import { CommandError } from '#lib/command-error.ts';
import { readMigrations } from './backup/read-tables.ts';
import { requireFinishedRestore } from './backup/unfinished-restore.ts';
import { withClient } from './driver/with-client.ts';
import { listMissing, readMigrationFiles } from './migrate.ts';

/**
 * Changes nothing. Throws CommandError unless the database has exactly the schema of this version,
 * and while a restore into it is unfinished.
 */
export async function requireSchema(url: string): Promise<void> {
  await withClient(url, async (client) => {
    await requireFinishedRestore(client);
    const found = await client.query(`select where to_regclass('public.migrations') is not null`);
    if (found.rowCount === 0)
      throw new CommandError('The database has no schema yet. Start the product first.');
    const missing = listMissing(await readMigrationFiles(), await readMigrations(client));
    if (missing.length > 0)
      throw new CommandError(
        `The database has the schema of an older version: it lacks ${missing[0]!.name}. Start ` +
          'the product, or run toprung migrate, and then repeat the command.',
      );
  });
}
