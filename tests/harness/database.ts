import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { inject } from 'vitest';
import { openDatabase, openReadDatabase, type Db } from '#db/database.ts';
import { openPool } from '#db/pool.ts';
import { silentLogger } from '#lib/logger.ts';

export interface TestDatabase {
  /** As superuser. */
  url: string;
  /** Superuser pool for fixtures and checks. */
  pool: pg.Pool;
  appDb: Db;
  readDb: Db;
  systemDb: Db;
  drop(): Promise<void>;
}

/** A migrated database of its own, copied from the template in a few milliseconds. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const admin = new pg.Client({ connectionString: inject('clusterUrl') });
  admin.on('error', () => undefined);
  await admin.connect();
  // Copying files costs a third of logging each page, and no other session may use the template.
  await admin.query(`create database ${name} template toprung_template strategy file_copy`);
  // The database has the machine's time zone.
  await admin.query(`alter database ${name} set timezone = '${process.env.TZ}'`);
  const url = Object.assign(new URL(inject('clusterUrl')), { pathname: `/${name}` }).href;
  // A busy machine has needed more than the four seconds of the product.
  const shared = { url, max: 8, statementTimeoutMs: 30_000, connectTimeoutMs: 30_000 };
  const open = (role: 'app' | 'system' | 'owner') =>
    openPool({ ...shared, role, log: silentLogger });
  const read = openPool({ ...shared, role: 'app', isReading: true, log: silentLogger });
  const pools = { app: open('app'), read, system: open('system'), owner: open('owner') };
  return {
    url,
    pool: pools.owner,
    appDb: openDatabase(pools.app),
    readDb: openReadDatabase(pools.read),
    systemDb: openDatabase(pools.system),
    drop: async () => {
      await Promise.all(Object.values(pools).map((pool) => pool.end()));
      await dropDatabase(admin, name);
      await admin.end();
    },
  };
}

/**
 * Waits for connections to close: a pool that has ended has only sent its goodbye, and its clients
 * would throw the error of a forced drop. Connections that stay are terminated after a second.
 */
export async function dropDatabase(admin: pg.Client, name: string): Promise<void> {
  const isUsed = async () => {
    const select = 'select from pg_stat_activity where datname = $1 limit 1';
    return (await admin.query(select, [name])).rowCount === 1;
  };
  for (let attempt = 0; attempt < 100 && (await isUsed()); attempt += 1) await sleep(10);
  await admin.query(`drop database ${name} with (force)`);
}
