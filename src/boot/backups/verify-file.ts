import { existsSync } from 'node:fs';
import { rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isObjectAddress } from '#backups/bucket/object-address.ts';
import type { Backup } from '#backups/open-backup.ts';
import { verifyBackup } from '#backups/verify-backup.ts';
import type { Config } from '#config/env.ts';
import { NoInstanceError } from '#db/backup/database-snapshot.ts';
import { withThrowAwayDatabase } from '#db/backup/throw-away-database.ts';
import { createDatabase } from '#db/create-database.ts';
import { startPostgres } from '#embedded-postgres/launch.ts';
import { createLogger, type Logger } from '#lib/logger.ts';
import type { ShutdownStack } from '#lib/shutdown-stack.ts';
import { createDataDir } from '../create-data-dir.ts';
import { databaseName } from '../database-name.ts';
import { findInstanceDatabase } from './instance-database.ts';
import { openLocation } from './open-location.ts';
import { restoreFlags } from './restore-flags.ts';
import { createRowMover } from './row-mover.ts';

/**
 * Restores a backup, from a file or from `s3://…`, into a database that is dropped afterwards, and
 * compares. The database is on the instance's server, or on a temporary embedded one where the role
 * may not create databases. It is dropped after an abort, too. Throws BackupFileError and
 * BucketError.
 */
export async function verifyFile(
  config: Config,
  shutdownStack: ShutdownStack,
  location: string,
  signal?: AbortSignal,
): Promise<Backup> {
  const log = createLogger(config.LOG_LEVEL);
  const backup = await openLocation(config, location);
  const verify = async (url: string) => {
    await verifyBackup(url, backup, log, { readsFirst: !isObjectAddress(location) });
    return true;
  };
  const url = await findServer(config, log, shutdownStack);
  const isVerified = url !== null && (await withThrowAwayDatabase(url, verify, signal));
  if (isVerified !== true) await withTemporaryServer(config.DATA_DIR, log, shutdownStack, verify);
  return backup;
}

/** Null on a machine without an instance. */
async function findServer(
  config: Config,
  log: Logger,
  shutdownStack: ShutdownStack,
): Promise<string | null> {
  try {
    return (await findInstanceDatabase(config, log, shutdownStack))();
  } catch (error) {
    if (error instanceof NoInstanceError) return null;
    throw error;
  }
}

/**
 * Its files have one location, so that the next call removes those of a killed one. A data
 * directory that is made for them goes with them: it would look like that of an instance.
 */
async function withTemporaryServer(
  dataDir: string,
  log: Logger,
  shutdownStack: ShutdownStack,
  work: (url: string) => Promise<unknown>,
): Promise<void> {
  const folder = join(dataDir, 'verify');
  const isMade = !existsSync(dataDir);
  await createDataDir(dataDir);
  const server = await startPostgres({
    dataDir: folder,
    log,
    flags: { ...restoreFlags, fsync: 'off' },
    // An older release may have been killed here.
    mover: createRowMover(log, (line) => log.info({}, line)),
  });
  shutdownStack.add(async () => {
    await server.stop();
    await rm(server.home, { recursive: true, force: true });
    await rm(folder, { recursive: true, force: true });
    if (isMade) await rmdir(dataDir).catch(() => undefined);
  });
  await createDatabase(server.superuserUrl('postgres'), databaseName, true);
  await work(server.superuserUrl(databaseName));
}
