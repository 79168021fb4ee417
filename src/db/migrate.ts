import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';
import type { Logger } from '../lib/logger.ts';

const folder = new URL('./migrations/', import.meta.url);
const lockKey = 7_470_731;
/** How long a statement waits for tables in use, and a process for the one that migrates, which may have years of rows to rewrite. */
const defaultLimits = { lockTimeoutMs: 30_000, turnTimeoutMs: 3_600_000 };

/** Brings the schema up to date. Any number of processes may call it at once; one runs, the others wait. */
export async function migrate(url: string, log: Logger, limits = defaultLimits): Promise<string[]> {
  const client = new pg.Client({
    connectionString: url,
    options: '-c timezone=UTC',
    connectionTimeoutMillis: 4_000,
  });
  // A server that stops meanwhile is told to the next statement; without a listener the process would end of it.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await takeTurn(client, log, limits.turnTimeoutMs);
    await limitLockWaits(client, limits.lockTimeoutMs);
    await client.query(
      'create table if not exists migrations (name text primary key, hash text not null, applied_at timestamptz not null default now())',
    );
    return await applyMissing(client, log);
  } finally {
    await client.end();
  }
}

async function takeTurn(client: pg.Client, log: Logger, timeoutMs: number): Promise<void> {
  const { rows } = await client.query<{ taken: boolean }>(
    'select pg_try_advisory_lock($1) as taken',
    [lockKey],
  );
  if (rows[0]?.taken) return;
  log.info({}, 'another process brings the schema up to date; waiting for it');
  await limitLockWaits(client, timeoutMs);
  await client.query('select pg_advisory_lock($1)', [lockKey]);
}

/** Advisory locks count among them. */
async function limitLockWaits(client: pg.Client, timeoutMs: number): Promise<void> {
  await client.query("select set_config('lock_timeout', $1, false)", [String(timeoutMs)]);
}

async function applyMissing(client: pg.Client, log: Logger): Promise<string[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  const { rows } = await client.query<{ name: string; hash: string }>(
    'select name, hash from migrations',
  );
  const applied = new Map(rows.map((row) => [row.name, row.hash]));
  const newer = [...applied.keys()].filter((name) => !files.includes(name));
  if (newer.length > 0)
    throw new Error(
      `The database was made by a newer version (${newer.join(', ')}). Start that version, or restore a backup.`,
    );
  const done: string[] = [];
  for (const name of files) {
    const text = await readFile(new URL(name, folder), 'utf8');
    const hash = createHash('sha256').update(text).digest('hex');
    const known = applied.get(name);
    if (known !== undefined) {
      if (known !== hash)
        throw new Error(
          `Migration ${name} was changed after it was applied. Migrations are only ever added.`,
        );
      continue;
    }
    await client.query('begin');
    try {
      await client.query(text);
      await client.query('insert into migrations (name, hash) values ($1, $2)', [name, hash]);
      await client.query('commit');
    } catch (error) {
      await client.query('rollback').catch(() => undefined);
      throw new Error(`Migration ${name} failed: ${(error as Error).message}`, { cause: error });
    }
    log.info({ migration: name }, 'migrated');
    done.push(name);
  }
  return done;
}
