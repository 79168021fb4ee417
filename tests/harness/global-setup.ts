import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { migrate } from '#db/migrate.ts';
import { silentLogger } from '#lib/logger.ts';
import { startTestCluster } from './cluster.ts';

declare module 'vitest' {
  interface ProvidedContext {
    clusterUrl: string;
  }
}

/** One PostgreSQL for the run, with a migrated template that every test file copies. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await startTestCluster();
  const admin = new pg.Client({ connectionString: cluster.url('postgres') });
  await admin.connect();
  await admin.query('drop database if exists toprung_template');
  await admin.query('create database toprung_template');
  await admin.query('drop database if exists toprung_demo');
  await admin.end();
  await migrate(cluster.url('toprung_template'), silentLogger);
  project.provide('clusterUrl', cluster.url('postgres'));
  return () => cluster.stop();
}
