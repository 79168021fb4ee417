import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { createBackup, type BackupOptions } from '#backups/create-backup.ts';
import { dropDatabase } from '../harness/database.ts';

export interface EmptyDatabase {
  url: string;
  pool: pg.Pool;
  drop(): Promise<void>;
}

/** An empty database on the server of the tests. */
export async function createEmptyDatabase(): Promise<EmptyDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onServer((admin) => admin.query(`create database ${name}`));
  const url = Object.assign(new URL(inject('clusterUrl')), { pathname: `/${name}` }).href;
  const pool = new pg.Pool({ connectionString: url, max: 4 });
  pool.on('error', () => undefined);
  return {
    url,
    pool,
    drop: async () => {
      await pool.end();
      await onServer((admin) => dropDatabase(admin, name));
    },
  };
}

async function onServer(work: (admin: pg.Client) => Promise<unknown>): Promise<void> {
  const admin = new pg.Client({ connectionString: inject('clusterUrl') });
  await admin.connect();
  try {
    await work(admin);
  } finally {
    await admin.end();
  }
}

export const backUp = (
  url: string,
  path: string,
  onTable?: BackupOptions['onTable'],
): ReturnType<typeof createBackup> =>
  createBackup({
    url,
    path,
    product: '0.4.0',
    now: new Date(),
    keys: null,
    ...(onTable && { onTable }),
  });
