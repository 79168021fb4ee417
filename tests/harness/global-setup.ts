import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { migrate } from '#db/migrate.ts';
import { openPool } from '#db/pool.ts';
import { silentLogger } from '#lib/logger.ts';
import { openQueueStore } from '#queue/queue.ts';
import { startTestCluster } from './cluster.ts';
import { copyDataDir, initializeDataDir } from './prepared-data-dir.ts';
import { createRunFolder } from './run-folder.ts';

declare module 'vitest' {
  interface ProvidedContext {
    clusterUrl: string;
    /** The folder of everything that the run writes. */
    runFolder: string;
  }
}

/** One PostgreSQL for the run, with a migrated template that every test file copies. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await createRunFolder();
  const initialized = join(folder.path, 'initialized');
  // With a server of one's own, only tests of the embedded one need this.
  await initializeDataDir(initialized).catch((error: unknown) => {
    if (!process.env.TEST_DATABASE_URL) throw error;
  });
  const cluster = await startTestCluster((dataDir) => copyDataDir(initialized, dataDir));
  const admin = new pg.Client({ connectionString: cluster.url('postgres') });
  await admin.connect();
  await admin.query('drop database if exists toprung_template');
  await admin.query('create database toprung_template');
  const { rows } = await admin.query(
    "select datname from pg_database where datname ^@ 'toprung_demo'",
  );
  for (const { datname } of rows) await admin.query(`drop database ${datname}`);
  const template = cluster.url('toprung_template');
  await migrate(template, silentLogger);
  await migrateQueue(template);
  // For tests that read the schema: a template with sessions cannot be copied.
  await admin.query('drop database if exists toprung_schema');
  await admin.query('create database toprung_schema template toprung_template');
  await admin.end();
  project.provide('clusterUrl', cluster.url('postgres'));
  project.provide('runFolder', folder.path);
  return async () => {
    await cluster.stop();
    folder.remove();
  };
}

/** As the first start does, so that the tests that run the product need not wait for it. */
async function migrateQueue(url: string): Promise<void> {
  const pool = openPool({
    url,
    role: 'owner',
    max: 1,
    statementTimeoutMs: 30_000,
    searchPath: 'bullmq',
    log: silentLogger,
  });
  const queues = openQueueStore({ queueUrl: null, pool, log: silentLogger });
  await queues.migrate();
  await queues.close();
  await pool.end();
}
