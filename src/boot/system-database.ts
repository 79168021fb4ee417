import type { Config } from '#config/env.ts';
import { openDatabase, type Db } from '#db/database.ts';
import { openPool } from '#db/pool.ts';
import { requireSchema } from '#db/require-schema.ts';
import { requireSessionMode } from '#db/require-session-mode.ts';
import type { ShutdownStack } from '#lib/shutdown-stack.ts';
import { createLogger } from '#lib/logger.ts';
import { findInstanceDatabase } from './backups/instance-database.ts';

/**
 * Opens the database of the instance for one command, whether the product runs or not, and closes
 * it again. It is neither created nor migrated: a command that changes a row must not change the
 * schema under processes of the last release. Throws CommandError without an instance or with
 * another schema.
 */
export async function withSystemDatabase<T>(
  config: Config,
  shutdownStack: ShutdownStack,
  work: (systemDb: Db) => Promise<T>,
): Promise<T> {
  const log = createLogger(config.LOG_LEVEL);
  try {
    const url = (await findInstanceDatabase(config, log, shutdownStack))();
    if (config.DATABASE_URL !== null) await requireSessionMode(url);
    await requireSchema(url);
    const pool = openPool({
      url,
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
