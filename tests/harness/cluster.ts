import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres, type BootLog } from '#embedded-postgres/launch.ts';
import { stopOrphans } from '#embedded-postgres/server-processes.ts';

export interface TestCluster {
  /** Address of a database of the cluster, as superuser. */
  url(database: string): string;
  stop(): Promise<void>;
}

/**
 * Fast and not durable: a kill of the server may lose the last half second. A test of kills needs
 * synchronous_commit.
 */
export const carelessFlags = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' };

/** Parallel files hold several pools each; idle connections are closed after half a minute. */
const manyConnections = '300';

export const silentLog: BootLog = { info: () => {}, warn: () => {}, error: () => {} };

const prefix = 'toprung-test-';

/** A PostgreSQL of its own in a directory of its own, or the one of TEST_DATABASE_URL. */
export async function startTestCluster(): Promise<TestCluster> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return { url: (database) => withDatabase(given, database), stop: async () => {} };
  await removeAbandonedClusters();
  const dataDir = await mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`));
  const server = await startPostgres({
    dataDir,
    log: silentLog,
    flags: { ...carelessFlags, max_connections: manyConnections },
  });
  return {
    url: (database) => server.superuserUrl(database),
    stop: async () => {
      await server.stop();
      await rm(server.home, { recursive: true, force: true });
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function withDatabase(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${encodeURIComponent(database)}`;
  return url.href;
}

/** A killed test run stops nothing; the next run cleans up, except what a live process uses. */
async function removeAbandonedClusters(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = name.startsWith(prefix) ? Number.parseInt(name.slice(prefix.length), 10) : 0;
    if (!pid || (await isRunning(pid))) continue;
    await stopOrphans(join(tmpdir(), name, 'pgdata'));
    await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => undefined);
  }
}

async function isRunning(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
    const command = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => 'node');
    return /node|vitest|MainThread/i.test(command);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
