import type pg from 'pg';
import type { Config } from '../config/env.ts';
import { GuardedCounters } from '../counters/guarded.ts';
import { MemoryCounters } from '../counters/memory.ts';
import { PostgresCounters } from '../counters/postgres.ts';
import type { Services } from '../domain/context.ts';
import type { RequestCounters } from '../domain/billing/request-counters.ts';
import { readOpenUse } from '../domain/workspaces/usage.ts';

/**
 * Where requests are counted against plans: in memory where one process owns the database, else where all API processes see it.
 * Undefined where there are no plans.
 */
export async function createCounters(config: Config, services: Services, pool: pg.Pool): Promise<RequestCounters | undefined> {
  if (!config.BILLING_ENABLED) return undefined;
  const nowMs = () => services.clock.now().getTime();
  const redisUrl = config.LIMITS_URL ?? config.QUEUE_URL;
  if (redisUrl === null && config.DATABASE_URL === null) return new MemoryCounters(nowMs, (workspaceId) => readOpenUse(services, workspaceId));
  const shared = redisUrl === null ? new PostgresCounters(pool) : await connectRedis(redisUrl);
  // Whoever asks first does not wait for a connection. One that cannot be had shows in each request.
  await shared.look({ workspaceId: 0, windows: [] }).catch(() => undefined);
  return new GuardedCounters({
    shared,
    // What all processes used is stored together: held against the part of one, it would let nobody in.
    own: new MemoryCounters(nowMs),
    processes: config.API_PROCESSES,
    waitMs: config.LIMITS_WAIT_MS,
    warn: (fields, message) => services.log.warn(fields, message),
  });
}

/** Its package is loaded where there is a Redis only. */
async function connectRedis(url: string): Promise<RequestCounters> {
  const { RedisCounters } = await import('../counters/redis.ts');
  // What it cannot do shows in each request; a lost connection comes back by itself.
  return new RedisCounters(url, () => undefined);
}
