import pg from 'pg';
import type { Logger } from '#lib/logger.ts';
import { parseTimestamp } from './driver/parse-timestamp.ts';
import { rememberStatementTimeout, watchdogTimeoutMs } from './driver/connection-watchdog.ts';
import { applySettings } from './driver/session-settings.ts';

// A date stays the text of a UTC day (the driver would make a local Date of it), and int8 is exact.
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.DATE, (text) => text);
types.setTypeParser(pg.types.builtins.INT8, (text) => BigInt(text));
types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, parseTimestamp);

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
  /** A reading connection has one reader, who sends a statement when the previous one returned. */
  isSequential?: boolean;
  /** Statements are planned for their own values, which pays where they read many rows. */
  plansForValues?: boolean;
  /** 4 s by default. */
  connectTimeoutMs?: number;
  log: Logger;
}

/** A broken connection is logged and replaced; it never ends the process. */
export function openPool(options: PoolOptions): pg.Pool {
  const isPipelined = options.isReading === true && options.isSequential !== true;
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.max,
    min: options.min ?? 0,
    types,
    pipeline: isPipelined,
    // Nobody gets a connection before it has its role.
    onConnect: (client) => applySettings(client, settingsOf(options)),
    // A frozen server does not enforce statement_timeout, so the driver has a timeout of its own.
    // It counts from the moment of sending, which is too early where statements wait for one
    // another: the read pool has a ConnectionWatchdog instead.
    ...(!isPipelined && { query_timeout: watchdogTimeoutMs(options.statementTimeoutMs) }),
    connectionTimeoutMillis: options.connectTimeoutMs ?? 4_000,
    idleTimeoutMillis: options.keepIdle ? 0 : 10_000,
    application_name: `toprung-${options.role}`,
  });
  rememberStatementTimeout(pool, options.statementTimeoutMs);
  // The pool listens only to idle connections. Without this listener a connection that breaks while
  // in use would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('error', (error) =>
    options.log.warn({ error: error.message, role: options.role }, 'a database connection broke'),
  );
  return pool;
}

function settingsOf(options: PoolOptions): Record<string, string> {
  return {
    timezone: 'UTC',
    statement_timeout: String(options.statementTimeoutMs),
    idle_in_transaction_session_timeout: '30000',
    ...(options.searchPath && { search_path: options.searchPath }),
    ...(options.silenceTimeoutMs && { idle_session_timeout: String(options.silenceTimeoutMs) }),
    ...(options.endsWithClient && { client_connection_check_interval: '1000' }),
    ...(options.plansForValues && { plan_cache_mode: 'force_custom_plan' }),
    ...(options.isReading && { default_transaction_read_only: 'on' }),
    role: options.role === 'owner' ? 'none' : `toprung_${options.role}`,
  };
}
