import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { withClient } from '../driver/with-client.ts';
import { quoteName } from './read-tables.ts';

const prefix = 'toprung_verify_';
const maxAgeSeconds = 86_400;

/**
 * Runs `work` on an empty database of the same server and drops it afterwards. An abort does not
 * wait for the work, which fails when its database is gone. Returns null when the role may not
 * create one. A killed process leaves its database to a later call.
 */
export async function withThrowAwayDatabase<T>(
  url: string,
  work: (url: string) => Promise<T>,
  signal?: AbortSignal,
): Promise<T | null> {
  const now = Math.floor(Date.now() / 1_000);
  const name = `${prefix}${now}_${randomBytes(4).toString('hex')}`;
  const created = await withClient(url, async (client) => {
    if (!(await mayCreate(client))) return false;
    await dropAbandoned(client, now);
    await client.query(`create database ${quoteName(name)} template template0 encoding 'UTF8'`);
    return true;
  });
  if (!created) return null;
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(signal?.reason);
  signal?.addEventListener('abort', onAbort);
  try {
    signal?.throwIfAborted();
    const working = work(Object.assign(new URL(url), { pathname: `/${name}` }).href);
    return await Promise.race([working, aborted.promise]);
  } finally {
    signal?.removeEventListener('abort', onAbort);
    await withClient(url, (client) =>
      client.query(`drop database if exists ${quoteName(name)} with (force)`),
    );
  }
}

async function mayCreate(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query(
    'select from pg_roles where rolname = current_user and (rolcreatedb or rolsuper)',
  );
  return rowCount === 1;
}

async function dropAbandoned(client: pg.Client, now: number): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select datname as name from pg_database d where datname ^@ $1
       and not exists (select from pg_stat_activity a where a.datname = d.datname)`,
    [prefix],
  );
  for (const { name } of rows) {
    const madeAt = Number(/^toprung_verify_(\d+)_/.exec(name)?.[1] ?? now);
    if (now - madeAt > maxAgeSeconds) await client.query(`drop database ${quoteName(name)}`);
  }
}
