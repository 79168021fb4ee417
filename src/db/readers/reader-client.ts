import type pg from 'pg';
import { CommandError } from '#lib/command-error.ts';
import { applySettings } from '../driver/session-settings.ts';
import { withClient } from '../driver/with-client.ts';

/** A statement of ours waits this long for a busy table. */
const lockTimeoutMs = 10_000;
const migrated = "select where to_regclass('public.reader_logins') is not null";

/**
 * Runs `work` as the owner of the database, one command at a time. Throws CommandError when the
 * schema is older than this version.
 */
export async function withReaderClient<T>(
  url: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  return withClient(
    url,
    async (client) => {
      await applySettings(client, { timezone: 'UTC', lock_timeout: String(lockTimeoutMs) });
      if ((await client.query(migrated)).rowCount === 0)
        throw new CommandError(
          'The database has no schema of this version: run `toprung migrate`.',
        );
      return work(client);
    },
    { applicationName: 'toprung-readers' },
  );
}

/** Rows of workspaces are written in the role of the product; logins by the owner. */
export async function inReaderTransaction<T>(
  client: pg.Client,
  work: () => Promise<T>,
): Promise<T> {
  await client.query('begin');
  try {
    await client.query("select pg_advisory_xact_lock(hashtext('toprung readers'))");
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw explain(error);
  }
}

/** A statement in the role that sees every workspace. */
export async function asSystem<Row extends pg.QueryResultRow>(
  client: pg.Client,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  await client.query('set local role toprung_system');
  const { rows } = await client.query<Row>(text, values);
  await client.query('reset role');
  return rows;
}

function explain(error: unknown): unknown {
  return (error as { code?: string }).code === '55P03'
    ? new CommandError('The database is busy. Nothing was changed; run the command again.')
    : error;
}
