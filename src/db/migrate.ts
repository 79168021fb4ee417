import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type pg from 'pg';
import { CommandError } from '#lib/command-error.ts';
import type { Logger } from '#lib/logger.ts';
import { resolveSource } from '#lib/resolve-source.ts';
import { applySettings } from './driver/session-settings.ts';
import { withClient } from './driver/with-client.ts';
import { readMigrations, type AppliedMigration } from './backup/read-tables.ts';
import { requireFinishedRestore } from './backup/unfinished-restore.ts';
import { describeStores, syncStores } from './sync-stores.ts';

const folder = dirname(resolveSource('#db/migrations/hashes.json'));
const lockKey = 7_470_731;
/**
 * A statement waits 30 s for locked tables. A process waits an hour for another one that is
 * migrating, because that one may have to rewrite years of rows.
 */
const defaultLimits = { lockTimeoutMs: 30_000, migrationLockTimeoutMs: 3_600_000 };

/**
 * Brings the schema up to date and returns the names of the migrations that ran. When several
 * processes call it at once, one migrates and the others wait. Throws when the database is newer
 * than this version, or when an applied migration was changed.
 */
export async function migrate(url: string, log: Logger, limits = defaultLimits): Promise<string[]> {
  return withClient(url, async (client) => {
    await applySettings(client, { timezone: 'UTC' });
    await acquireMigrationLock(client, log, limits.migrationLockTimeoutMs);
    await requireFinishedRestore(client);
    await setLockTimeout(client, limits.lockTimeoutMs);
    await createMigrationsTable(client);
    await describeStores(client);
    const applied = await applyMissing(client, log);
    await syncStores(client);
    await createMonths(client);
    return applied;
  });
}

/**
 * The partitions of this month and the next ones exist before the first write of a start. The daily
 * retention creates those of later months; rows of others are stored, too.
 */
async function createMonths(client: pg.Client): Promise<void> {
  await client.query(`select create_month_partitions((now() at time zone 'UTC')::date, 2)`);
}

/** The list of applied migrations. */
export async function createMigrationsTable(client: pg.ClientBase): Promise<void> {
  await client.query(
    'create table if not exists migrations (name text primary key, hash text not null, ' +
      'applied_at timestamptz not null default now())',
  );
}

/** Waits for a process that migrates or restores. The lock ends with the connection. */
export async function acquireMigrationLock(
  client: pg.Client,
  log: Logger,
  timeoutMs: number,
): Promise<void> {
  const { rows } = await client.query<{ taken: boolean }>(
    'select pg_try_advisory_lock($1) as taken',
    [lockKey],
  );
  if (rows[0]?.taken) return;
  log.info({}, 'another process is migrating the schema; waiting for it');
  await setLockTimeout(client, timeoutMs);
  await client.query('select pg_advisory_lock($1)', [lockKey]);
}

/** The limit applies to advisory locks, too. */
async function setLockTimeout(client: pg.Client, timeoutMs: number): Promise<void> {
  await client.query("select set_config('lock_timeout', $1, false)", [String(timeoutMs)]);
}

export interface Migration {
  name: string;
  text: string;
  hash: string;
}

/** The migrations of this version, in their order. */
export async function readMigrationFiles(): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, name), 'utf8');
      return { name, text, hash: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

async function applyMissing(client: pg.Client, log: Logger): Promise<string[]> {
  const files = await readMigrationFiles();
  const missing = listMissing(files, await readMigrations(client));
  for (const file of missing) {
    await client.query('begin');
    try {
      await applyMigration(client, file);
      await client.query('commit');
    } catch (error) {
      await client.query('rollback').catch(() => undefined);
      throw error;
    }
    log.info({ migration: file.name }, 'migrated');
  }
  return missing.map(({ name }) => name);
}

/**
 * The migrations that a database lacks. Throws when it is newer than this version, or when an
 * applied migration was changed.
 */
export function listMissing(
  files: readonly Migration[],
  applied: readonly AppliedMigration[],
): Migration[] {
  const known = new Map(files.map((file) => [file.name, file]));
  const newer = applied.filter(({ name }) => !known.has(name)).map(({ name }) => name);
  if (newer.length > 0)
    throw new CommandError(
      `The database was made by a newer version (${newer.join(', ')}). Start that version, ` +
        'or restore a backup.',
    );
  const changed = applied.find(({ name, hash }) => known.get(name)!.hash !== hash);
  if (changed)
    throw new CommandError(
      `Migration ${changed.name} was changed after it was applied. Migrations are only ever ` +
        'added.',
    );
  const names = new Set(applied.map(({ name }) => name));
  return files.filter(({ name }) => !names.has(name));
}

/** Inside the caller's transaction. */
export async function applyMigration(client: pg.ClientBase, file: Migration): Promise<void> {
  try {
    await client.query(file.text);
    await client.query('insert into migrations (name, hash) values ($1, $2)', [
      file.name,
      file.hash,
    ]);
  } catch (error) {
    throw new Error(`Migration ${file.name} failed: ${(error as Error).message}`, { cause: error });
  }
}
