import pg from 'pg';
import type { Config } from '../config/env.ts';
import { migrate } from '../db/migrate.ts';
import type { DatabaseRole } from '../db/pool.ts';
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
  /** `empty` starts our own database anew, for a demo that was not filled to its end. */
  options: { empty?: boolean } = {},
): Promise<Database> {
  if (config.DATABASE_URL !== null) {
    const url = config.DATABASE_URL;
    await migrate(url, log);
    return { urlOf: () => url, embedded: null };
  }
  await makeDataDir(config.DATA_DIR);
  const embedded = await startPostgres({ dataDir: config.DATA_DIR, log });
  try {
    await createDatabase(embedded.superuserUrl('postgres'), options.empty === true);
    await migrate(embedded.superuserUrl(databaseName), log);
    await letRolesIn(embedded.superuserUrl(databaseName));
  } catch (error) {
    await embedded.stop();
    throw error;
  }
  const urls = {
    owner: embedded.superuserUrl(databaseName),
    app: asUser(embedded.superuserUrl(databaseName), 'toprung_app'),
    system: asUser(embedded.superuserUrl(databaseName), 'toprung_system'),
  };
  return { urlOf: (role) => urls[role], embedded };
}

async function createDatabase(url: string, anew: boolean): Promise<void> {
  await withClient(url, async (client) => {
    if (anew) await client.query(`drop database if exists ${databaseName} with (force)`);
    const { rowCount } = await client.query('select from pg_database where datname = $1', [databaseName]);
    if (rowCount === 0) await client.query(`create database ${databaseName}`);
  });
}

/** On our own server the roles sign in themselves, so that no connection of the product is ever a superuser's. */
async function letRolesIn(url: string): Promise<void> {
  await withClient(url, async (client) => {
    const { rowCount } = await client.query("select from pg_roles where rolname in ('toprung_app', 'toprung_system') and not rolcanlogin");
    if (rowCount) await client.query('alter role toprung_app login; alter role toprung_system login');
  });
}

function asUser(url: string, user: string): string {
  return Object.assign(new URL(url), { username: user }).href;
}

async function withClient(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 4_000 });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
