import pg from 'pg';
import type { Logger } from '../lib/logger.ts';
import { silenceLimitMs } from './silence-watch.ts';

// Dates stay the text of a UTC day (the driver's default is a local-time Date), int8 is exact, real is a number.
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.DATE, (text) => text);
types.setTypeParser(pg.types.builtins.INT8, (text) => BigInt(text));

/** `app` is bound to one workspace by row-level security; `system` runs the daily work; `owner` migrates. */
export type DatabaseRole = 'app' | 'system' | 'owner';

export interface PoolOptions {
  url: string;
  role: DatabaseRole;
  max: number;
  statementTimeoutMs: number;
  searchPath?: string;
  /** Idle connections stay: who waits for this pool waits for milliseconds. */
  keepIdle?: boolean;
  /** Its connections refuse to write, and take the next statement before the last is answered. */
  isReading?: boolean;
  log: Logger;
}

/** A pool of one role; a broken connection is logged and replaced, never fatal. */
export function openPool(options: PoolOptions): pg.Pool {
  const settings = [
    '-c timezone=UTC',
    '-c idle_in_transaction_session_timeout=30000',
    ...(options.searchPath ? [`-c search_path=${options.searchPath}`] : []),
    ...(options.isReading ? ['-c default_transaction_read_only=on'] : []),
    ...(options.role === 'owner' ? [] : [`-c role=toprung_${options.role}`]),
  ];
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.max,
    types,
    pipeline: options.isReading ?? false,
    options: settings.join(' '),
    statement_timeout: options.statementTimeoutMs,
    // A server that is frozen answers nothing at all: the statement's own limit is its business, this one is ours. Where several
    // statements wait in one connection it would count from when they were sent, so that one has a watch of its own.
    ...(!options.isReading && { query_timeout: silenceLimitMs(options.statementTimeoutMs) }),
    connectionTimeoutMillis: 4_000,
    idleTimeoutMillis: options.keepIdle ? 0 : 10_000,
    application_name: `toprung-${options.role}`,
  });
  // One that breaks while a transaction holds it tells its client, which then has no listener of the pool's: the process would end.
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('error', (error) =>
    options.log.warn({ error: error.message, role: options.role }, 'a database connection broke'),
  );
  return pool;
}
