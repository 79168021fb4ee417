import type { Config } from '../config/env.ts';
import { migrate } from '../db/migrate.ts';
import type { DatabaseRole } from '../db/pool.ts';
import { createDatabase, letRolesIn } from '../db/prepare.ts';
import type { Closers } from '../lib/closers.ts';
import type { Logger } from '../lib/logger.ts';
import { makeDataDir } from './data-dir.ts';
import { startPostgres, type EmbeddedPostgres } from './postgres/launch.ts';

export interface Database {
  urlOf(role: DatabaseRole): string;
  embedded: EmbeddedPostgres | null;
}

const databaseName = 'toprung';

/** The server DATABASE_URL names, or our own in DATA_DIR; with the schema of this version. */
export async function openDatabaseServer(
  config: Pick<Config, 'DATABASE_URL' | 'DATA_DIR'>,
  log: Logger,
  /** Get our own server as soon as it runs: who is stopped while the schema is made stops it too. */
  closers: Closers,
  /** `empty` starts our own database anew, for a demo that was not filled to its end; `flags` are settings of our own server. */
  options: { empty?: boolean; flags?: Record<string, string> } = {},
): Promise<Database> {
  if (config.DATABASE_URL !== null) {
    const url = config.DATABASE_URL;
    await migrate(url, log);
    return { urlOf: () => url, embedded: null };
  }
  await makeDataDir(config.DATA_DIR);
  const embedded = await startPostgres({
    dataDir: config.DATA_DIR,
    log,
    ...(options.flags && { flags: options.flags }),
  });
  closers.add(() => embedded.stop());
  await createDatabase(embedded.superuserUrl('postgres'), databaseName, options.empty === true);
  await migrate(embedded.superuserUrl(databaseName), log);
  await letRolesIn(embedded.superuserUrl(databaseName));
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
