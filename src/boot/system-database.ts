import type { Config } from '#config/env.ts';
import { openDatabase, type Db } from '#db/database.ts';
import { openPool } from '#db/pool.ts';
import type { ShutdownStack } from '#lib/shutdown-stack.ts';
import { createLogger } from '#lib/logger.ts';
import { openDatabaseServer } from './database.ts';

/** Opens the database for one command and closes it again. */
export async function withSystemDatabase<T>(
  config: Config,
  shutdownStack: ShutdownStack,
  work: (systemDb: Db) => Promise<T>,
): Promise<T> {
  const log = createLogger(config.LOG_LEVEL);
  try {
    const database = await openDatabaseServer(config, log, shutdownStack);
    const pool = openPool({
      url: database.urlOf('system'),
      role: 'system',
      max: 1,
      statementTimeoutMs: 10_000,
      log,
    });
    shutdownStack.add(() => pool.end());
    return await work(openDatabase(pool));
  } finally {
    await shutdownStack.close();
  }
}
