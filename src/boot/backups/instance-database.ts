import { resolve } from 'node:path';
import type { Config } from '#config/env.ts';
import { createDatabase } from '#db/create-database.ts';
import { NoInstanceError } from '#db/backup/database-snapshot.ts';
import { DataDirInUseError, startPostgres } from '#embedded-postgres/launch.ts';
import { findRunningServer, hasCluster } from '#embedded-postgres/running-server.ts';
import type { Logger } from '#lib/logger.ts';
import type { ShutdownStack } from '#lib/shutdown-stack.ts';
import { databaseName } from '../database-name.ts';
import { createDataDir } from '../create-data-dir.ts';
import { restoreFlags } from './restore-flags.ts';
import { createRowMover } from './row-mover.ts';

type Location = Pick<Config, 'DATABASE_URL' | 'DATA_DIR'>;

/** The address of a database of the instance's server, as its owner. */
export type UrlOf = (database?: string) => string;

/**
 * The database of the instance: the one of DATABASE_URL, the embedded one that the running product
 * serves, or the embedded one started for this command. Throws NoInstanceError without one.
 */
export async function findInstanceDatabase(
  config: Location,
  log: Logger,
  shutdownStack: ShutdownStack,
): Promise<UrlOf> {
  const { DATABASE_URL: url, DATA_DIR: dataDir } = config;
  if (url !== null) return () => url;
  if (!(await hasCluster(dataDir)))
    throw new NoInstanceError(
      `There is no database in the data directory ${resolve(dataDir)}. Set DATA_DIR to the one ` +
        'of the instance, or start the product first.',
    );
  try {
    return await startEmbedded(dataDir, log, shutdownStack);
  } catch (error) {
    if (!(error instanceof DataDirInUseError)) throw error;
    const urlOf = await findRunningServer(dataDir);
    return (database = databaseName) => urlOf(database);
  }
}

/**
 * The database to restore into, which is created if needed. Throws DataDirInUseError while the
 * product runs.
 */
export async function createInstanceDatabase(
  config: Location,
  log: Logger,
  shutdownStack: ShutdownStack,
): Promise<UrlOf> {
  const { DATABASE_URL: url, DATA_DIR: dataDir } = config;
  if (url !== null) return () => url;
  await createDataDir(dataDir);
  return startEmbedded(dataDir, log, shutdownStack, restoreFlags);
}

async function startEmbedded(
  dataDir: string,
  log: Logger,
  shutdownStack: ShutdownStack,
  flags: Record<string, string> = {},
): Promise<UrlOf> {
  const mover = createRowMover(log, (line) => log.info({}, line));
  const server = await startPostgres({ dataDir, log, flags, mover });
  shutdownStack.add(() => server.stop());
  await createDatabase(server.superuserUrl('postgres'), databaseName, false);
  return (database = databaseName) => server.superuserUrl(database);
}
