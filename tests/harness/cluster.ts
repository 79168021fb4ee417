import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres, type BootLog } from '#embedded-postgres/launch.ts';

export interface TestCluster {
  /** Address of a database of the cluster, as superuser. */
  url(database: string): string;
  stop(): Promise<void>;
}

/**
 * Fast and not durable: a kill of the server may lose the last half second. A test of kills needs
 * synchronous_commit. Connections of tests are short-lived: planning each statement five times
 * before a plan is kept would take a third of the server's time.
 */
export const carelessFlags = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  plan_cache_mode: 'force_generic_plan',
  // The kernel copies the files of a template.
  file_copy_method: 'clone',
};

/** Databases of tests live for seconds; those of long forms grow like those of the product. */
const vacuumFlags: Record<string, string> = process.env.TORTURE ? {} : { autovacuum: 'off' };

/** Parallel files hold several pools each; idle connections are closed after half a minute. */
const manyConnections = '300';

export const silentLog: BootLog = { info: () => {}, warn: () => {}, error: () => {} };

/**
 * A PostgreSQL in a directory of its own, or the one that TEST_DATABASE_URL names. `fill` puts a
 * prepared cluster into the directory.
 */
export async function startTestCluster(
  fill?: (dataDir: string) => Promise<void>,
): Promise<TestCluster> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return { url: (database) => withDatabase(given, database), stop: async () => {} };
  const dataDir = await mkdtemp(join(tmpdir(), `toprung-test-${process.pid}-`));
  await fill?.(dataDir);
  const server = await startPostgres({
    dataDir,
    log: silentLog,
    flags: { ...carelessFlags, ...vacuumFlags, max_connections: manyConnections },
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
