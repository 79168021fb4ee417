import type pg from 'pg';
import { createDatabase } from '#db/create-database.ts';
import { startPostgres } from '#embedded-postgres/launch.ts';
import { clusterName } from '#embedded-postgres/server-location.ts';
import { listServerPids } from '#embedded-postgres/server-processes.ts';
import { openDatabase, openReadDatabase, type Db } from '#db/database.ts';
import { migrate } from '#db/migrate.ts';
import { openPool } from '#db/pool.ts';
import { silentLogger } from '#lib/logger.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '#tests/harness/cluster.ts';

export interface BenchDatabase {
  /** As superuser. */
  url: string;
  /** As superuser. */
  pool: pg.Pool;
  appDb: Db;
  readDb: Db;
  systemDb: Db;
  /** The processes of the server. */
  serverPids(): number[];
  close(): Promise<void>;
}

/**
 * A PostgreSQL of its own with the product's settings: measured writes are flushed to the disk. Its
 * files are those of `dataDir` and stay, or temporary ones.
 */
export async function openBenchDatabase(
  options: { dataDir?: string; flags?: Record<string, string> } = {},
): Promise<BenchDatabase> {
  const dataDir =
    options.dataDir ?? (await mkdtemp(join(tmpdir(), `toprung-bench-${process.pid}-`)));
  const server = await startPostgres({
    dataDir,
    log: silentLog,
    ...(options.flags && { flags: options.flags }),
  });
  const url = server.superuserUrl('toprung');
  await createDatabase(server.superuserUrl('postgres'), 'toprung', false);
  await migrate(url, silentLogger);
  const open = (role: 'app' | 'system' | 'owner') =>
    openPool({ url, role, max: 8, statementTimeoutMs: 600_000, log: silentLogger });
  const read = openPool({
    url,
    role: 'app',
    max: 8,
    statementTimeoutMs: 600_000,
    isReading: true,
    log: silentLogger,
  });
  const pools = { app: open('app'), read, system: open('system'), owner: open('owner') };
  return {
    url,
    pool: pools.owner,
    appDb: openDatabase(pools.app),
    readDb: openReadDatabase(pools.read),
    systemDb: openDatabase(pools.system),
    serverPids: () => listServerPids(join(server.home, clusterName)),
    close: async () => {
      await Promise.all(Object.values(pools).map((pool) => pool.end()));
      await server.stop();
      if (options.dataDir !== undefined) return;
      await rm(server.home, { recursive: true, force: true });
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
