import type { Config } from '#config/env.ts';
import { migrate } from '#db/migrate.ts';
import { requireSessionMode } from '#db/require-session-mode.ts';
import type { DatabaseRole } from '#db/pool.ts';
import { createDatabase, allowRoleLogins } from '#db/create-database.ts';
import type { ShutdownStack } from '#lib/shutdown-stack.ts';
import type { Logger } from '#lib/logger.ts';
import { createDataDir } from './create-data-dir.ts';
import { createRowMover } from './backups/row-mover.ts';
import { databaseName } from './database-name.ts';
import { startPostgres, type EmbeddedPostgres } from '#embedded-postgres/launch.ts';

export interface Database {
  urlOf(role: DatabaseRole): string;
  embedded: EmbeddedPostgres | null;
}

/**
 * The server that DATABASE_URL names, or the embedded one in DATA_DIR, with the schema of this
 * version.
 */
export async function openDatabaseServer(
  config: Pick<Config, 'DATABASE_URL' | 'DATA_DIR'> & Partial<Pick<Config, 'READER_PORT'>>,
  log: Logger,
  /**
   * Registers the embedded server for shutdown as soon as it runs, so that a stop during the
   * migration also stops the server.
   */
  shutdownStack: ShutdownStack,
  /**
   * `empty` recreates the embedded database of a demo whose history is incomplete; `flags` are
   * settings of the embedded server. `say` shows the progress of an upgrade, which is logged
   * without it.
   */
  options: {
    empty?: boolean;
    flags?: Record<string, string>;
    say?: (line: string) => void;
    /** Called when the process of the embedded server exists, before it accepts connections. */
    onSpawned?: () => void;
  } = {},
): Promise<Database> {
  if (config.DATABASE_URL !== null) {
    const url = config.DATABASE_URL;
    await requireSessionMode(url);
    await migrate(url, log);
    return { urlOf: () => url, embedded: null };
  }
  await createDataDir(config.DATA_DIR);
  const embedded = await startPostgres({
    dataDir: config.DATA_DIR,
    log,
    mover: createRowMover(log, options.say ?? ((line) => log.info({}, line))),
    readerPort: config.READER_PORT ?? null,
    onSpawned: options.onSpawned,
    ...(options.flags && { flags: options.flags }),
  });
  shutdownStack.add(() => embedded.stop());
  await createDatabase(embedded.superuserUrl('postgres'), databaseName, options.empty === true);
  await migrate(embedded.superuserUrl(databaseName), log);
  await allowRoleLogins(embedded.superuserUrl(databaseName));
  const urls = {
    owner: embedded.superuserUrl(databaseName),
    app: asUser(embedded.superuserUrl(databaseName), 'toprung_app'),
    system: asUser(embedded.superuserUrl(databaseName), 'toprung_system'),
  };
  return { urlOf: (role) => urls[role], embedded };
}

function asUser(url: string, user: string): string {
  return Object.assign(new URL(url), { username: user }).href;
}
