import pg from 'pg';
import { startPostgres } from '#embedded-postgres/launch.ts';
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
  close(): Promise<void>;
}

/** A PostgreSQL of its own with the product's settings: measured writes are flushed to the disk. */
export async function openBenchDatabase(): Promise<BenchDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), `toprung-bench-${process.pid}-`));
  const server = await startPostgres({ dataDir, log: silentLog });
  const url = server.superuserUrl('bench');
  const admin = new pg.Client({ connectionString: server.superuserUrl('postgres') });
  await admin.connect();
  await admin.query('create database bench');
  await admin.end();
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
    close: async () => {
      await Promise.all(Object.values(pools).map((pool) => pool.end()));
      await server.stop();
      await rm(server.home, { recursive: true, force: true });
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
