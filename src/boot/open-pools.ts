import type pg from 'pg';
import { openPool } from '#db/pool.ts';
import type { Logger } from '#lib/logger.ts';
import type { Database } from './database.ts';

/**
 * One pool per role; BullMQ has its own schema and pool. Idle connections close after ten seconds,
 * except those that work at least that often: opening them again costs more than they do.
 */
export function openPools(
  database: Pick<Database, 'urlOf'>,
  log: Logger,
): Record<'app' | 'read' | 'system' | 'pacing' | 'limits' | 'queue', pg.Pool> {
  const open = (
    role: 'app' | 'system' | 'owner',
    max: number,
    statementTimeoutMs: number,
    more: { searchPath?: string; min?: number } = {},
  ) =>
    openPool({
      url: database.urlOf(role),
      role,
      max,
      statementTimeoutMs,
      log,
      ...more,
    });
  return {
    app: open('app', 10, 10_000),
    read: openPool({
      url: database.urlOf('app'),
      role: 'app',
      max: 8,
      statementTimeoutMs: 10_000,
      isReading: true,
      log,
    }),
    system: open('system', 12, 300_000, { min: 1 }),
    pacing: open('system', 4, 10_000),
    limits: openPool({
      url: database.urlOf('system'),
      role: 'system',
      max: 2,
      statementTimeoutMs: 10_000,
      keepIdle: true,
      log,
    }),
    queue: open('owner', 10, 30_000, { searchPath: 'bullmq', min: 2 }),
  };
}
