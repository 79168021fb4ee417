import pg from 'pg';
import type { Logger } from '#lib/logger.ts';
import { watchdogTimeoutMs } from './driver/connection-watchdog.ts';

// A date stays the text of a UTC day (the driver would make a local Date of it), and int8 is exact.
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.DATE, (text) => text);
types.setTypeParser(pg.types.builtins.INT8, (text) => BigInt(text));

/** Row-level security binds `app` to one workspace; `system` sees all of them; `owner` migrates. */
export type DatabaseRole = 'app' | 'system' | 'owner';

export interface PoolOptions {
  url: string;
  role: DatabaseRole;
  max: number;
  statementTimeoutMs: number;
  searchPath?: string;
  /** Keeps idle connections open, for work that cannot wait for a new one. */
  keepIdle?: boolean;
  /** The number of connections that stay open when idle. */
  min?: number;
  /** The server ends a connection that was idle for this long. */
  silenceTimeoutMs?: number;
  /** The server ends a statement within a second after its client is gone. */
  endsWithClient?: boolean;
  /** Connections refuse to write, and send a statement before the previous one has returned. */
  isReading?: boolean;
  log: Logger;
}

/** A broken connection is logged and replaced; it never ends the process. */
export function openPool(options: PoolOptions): pg.Pool {
  const settings = [
    '-c timezone=UTC',
    '-c idle_in_transaction_session_timeout=30000',
    ...(options.searchPath ? [`-c search_path=${options.searchPath}`] : []),
    ...(options.silenceTimeoutMs ? [`-c idle_session_timeout=${options.silenceTimeoutMs}`] : []),
    ...(options.endsWithClient ? ['-c client_connection_check_interval=1000'] : []),
    ...(options.isReading ? ['-c default_transaction_read_only=on'] : []),
    ...(options.role === 'owner' ? [] : [`-c role=toprung_${options.role}`]),
  ];
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.max,
    min: options.min ?? 0,
    types,
    pipeline: options.isReading ?? false,
    options: settings.join(' '),
    statement_timeout: options.statementTimeoutMs,
    // A frozen server does not enforce statement_timeout, so the driver has a timeout of its own.
    // It counts from the moment of sending, which is too early where statements wait for one
    // another: the read pool has a ConnectionWatchdog instead.
    ...(!options.isReading && { query_timeout: watchdogTimeoutMs(options.statementTimeoutMs) }),
    connectionTimeoutMillis: 4_000,
    idleTimeoutMillis: options.keepIdle ? 0 : 10_000,
    application_name: `toprung-${options.role}`,
  });
  // The pool listens only to idle connections. Without this listener a connection that breaks while
  // in use would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('error', (error) =>
    options.log.warn({ error: error.message, role: options.role }, 'a database connection broke'),
  );
  return pool;
}
