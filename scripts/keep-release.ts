/**
 * `npm run keep-release`: writes the data directory of this version with rows in every table into
 * `tests/releases`, where a test starts every later version on it. For the commit of a release.
 */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { openDatabaseServer } from '#boot/database.ts';
import { encryptionKeyReader, readAuthSecret } from '#boot/secrets.ts';
import { seedDemo } from '#boot/seed-demo.ts';
import { createRuntime } from '#boot/services.ts';
import { demoEmail, planDemo } from '#cli/demo-plan.ts';
import { readConfig } from '#config/env.ts';
import { everyPace } from '#config/pace-settings.ts';
import { readMigrationFiles } from '#db/migrate.ts';
import { findBinaryPackage } from '#embedded-postgres/binaries.ts';
import { TestClock } from '#lib/clock.ts';
import { addDays, utcDayOf } from '#lib/dates.ts';
import { formatBytes } from '#lib/format-bytes.ts';
import { silentLogger } from '#lib/logger.ts';
import { ShutdownStack } from '#lib/shutdown-stack.ts';
import { startSimulator } from '#simulator/server.ts';
import { fillEveryTable } from '#tests/backups/every-table.fixtures.ts';
import {
  archivePath,
  factsPath,
  packDataDir,
  readTableContents,
  type KeptRelease,
} from '#tests/boot/releases.fixtures.ts';
import packageJson from '../package.json' with { type: 'json' };
import { root } from './rules/source-tree.ts';

const historyDays = 14;
/** The write-ahead log would make up most of the archive. */
const flags = { fsync: 'off', full_page_writes: 'off', wal_recycle: 'off' };

const insertBackup = `
  insert into backups (state, started_at, finished_at, path, bytes, rows, database_bytes, seconds)
  values ('succeeded', now(), now(), '/backups/one.backup', 9223372036854775807, 1, 1, 1)`;

const { version } = packageJson;
if (existsSync(archivePath(version)))
  throw new Error(`${archivePath(version)} exists. What a release left behind is never changed.`);
const dataDir = await mkdtemp(join(tmpdir(), 'toprung-release-'));
try {
  const password = randomBytes(12).toString('base64url');
  const tables = await fillDataDir(password);
  await packDataDir(dataDir, archivePath(version));
  const facts: KeptRelease = {
    version,
    commit: execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim(),
    schema: (await readMigrationFiles()).at(-1)!.name,
    postgres: (await findBinaryPackage()).version,
    account: { email: demoEmail, password },
    tables,
  };
  await writeFile(factsPath(version), `${JSON.stringify(facts, null, 2)}\n`);
  const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0);
  const bytes = formatBytes(statSync(archivePath(version)).size);
  console.log(`${archivePath(version)}: ${rows} rows, ${bytes}. Commit it with the release.`);
} finally {
  await rm(dataDir, { recursive: true, force: true });
}

/** Runs the product against simulated stores, then fills what that leaves empty. */
async function fillDataDir(password: string): Promise<KeptRelease['tables']> {
  const stack = new ShutdownStack();
  const simulator = await startSimulator({
    compress: false,
    world: { androidMode: 'web30', detail: 'lean', apps: 200, resultsPerSearch: 20 },
  });
  stack.add(() => simulator.close());
  const environment = { STORE_BASE_URL: simulator.baseUrl, ...everyPace('1000000') };
  const config = { ...readConfig(environment), DATA_DIR: dataDir };
  try {
    const database = await openDatabaseServer(config, silentLogger, stack, { flags });
    await Promise.all([readAuthSecret(config), encryptionKeyReader(config)()]);
    const today = utcDayOf(new Date());
    const clock = new TestClock(`${addDays(today, -historyDays)}T00:00:00Z`);
    const runtime = await createRuntime({
      config,
      database,
      log: silentLogger,
      clock,
      wrapPacer: (pacer) => ({ ...pacer, refused: async () => undefined }),
    });
    stack.add(runtime.close);
    const controls = {
      setNow: async (now: Date) => simulator.setNow(now),
      setFaults: async (rules: object[]) => simulator.setFaults(rules as never),
    };
    const days = { today, historyDays, dailyDays: historyDays };
    const plan = planDemo({ simulator: controls, password, ...days, afterDay: () => {} });
    await seedDemo(runtime, clock, plan);
    return await fillEmptyTables(database.urlOf('owner'));
  } finally {
    await stack.close();
  }
}

async function fillEmptyTables(url: string): Promise<KeptRelease['tables']> {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  try {
    await fillEveryTable(pool);
    await pool.query(insertBackup);
    await pool.query('vacuum full');
    for (const statement of ['checkpoint', 'select pg_switch_wal()', 'checkpoint'])
      await pool.query(statement);
    const tables = await readTableContents(pool);
    const empty = Object.keys(tables).filter((name) => tables[name]!.rows === 0);
    if (empty.length > 0) throw new Error(`These tables are empty: ${empty.join(', ')}.`);
    return tables;
  } finally {
    await pool.end();
  }
}
