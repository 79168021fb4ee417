import type pg from 'pg';
import type { Config } from '#config/env.ts';
import { Guard } from '#counters/circuit-breaker.ts';
import { FallbackAttempts } from '#counters/fallback-attempts.ts';
import { FallbackCounters } from '#counters/fallback-counters.ts';
import { MemoryAttempts } from '#counters/memory-attempts.ts';
import { MemoryCounters } from '#counters/memory.ts';
import { PostgresAttempts } from '#counters/postgres-attempts.ts';
import { PostgresCounters } from '#counters/postgres.ts';
import type { AttemptCounters } from '#domain/base/ports/attempt-counters.ts';
import type { Services } from '#domain/base/context.ts';
import type { RequestCounters } from '#domain/base/ports/request-counters.ts';
import { getOpenWindowUsage } from '#domain/accounts/workspaces/workspace-usage.ts';

export interface Counters {
  attempts: AttemptCounters;
  /** Undefined when billing is off. */
  requests: RequestCounters | undefined;
  close(): Promise<void>;
}

/** The store that all API processes share. */
interface SharedStore {
  attempts(): AttemptCounters;
  requests(): RequestCounters;
}

/**
 * Counts in memory when one process owns the database, or else in a store that all API processes
 * share.
 */
export async function createCounters(
  config: Config,
  services: Services,
  pool: pg.Pool,
): Promise<Counters> {
  const nowMs = () => services.clock.now().getTime();
  const ownAttempts = new MemoryAttempts(nowMs);
  const redisUrl = config.LIMITS_URL ?? config.QUEUE_URL;
  if (redisUrl === null && config.DATABASE_URL === null) {
    const earlierUse = (workspaceId: number) => getOpenWindowUsage(services, workspaceId);
    return together(
      ownAttempts,
      config.BILLING_ENABLED ? new MemoryCounters(nowMs, earlierUse) : undefined,
    );
  }
  const store = redisUrl === null ? inPostgres(pool) : await inRedis(redisUrl);
  const guard = new Guard({
    waitMs: config.LIMITS_TIMEOUT_MS,
    warn: (fields, message) => services.log.warn(fields, message),
  });
  const attempts = new FallbackAttempts({ shared: store.attempts(), own: ownAttempts, guard });
  if (!config.BILLING_ENABLED) return together(attempts, undefined);
  const shared = store.requests();
  // Connects before the first request. Each request reports a failed connection itself.
  await shared.look({ workspaceId: 0, windows: [] }).catch(() => undefined);
  // The stored usage is that of all processes. Compared with one process's share of the limit it
  // would reject everybody.
  const own = new MemoryCounters(nowMs);
  return together(
    attempts,
    new FallbackCounters({ shared, own, guard, processes: config.API_PROCESSES }),
  );
}

function together(attempts: AttemptCounters, requests: RequestCounters | undefined): Counters {
  const close = async () => void (await Promise.all([attempts.close(), requests?.close()]));
  return { attempts, requests, close };
}

function inPostgres(pool: pg.Pool): SharedStore {
  return { attempts: () => new PostgresAttempts(pool), requests: () => new PostgresCounters(pool) };
}

/** Loads the Redis package only when Redis is used. */
async function inRedis(url: string): Promise<SharedStore> {
  const [{ RedisAttempts }, { RedisCounters }] = await Promise.all([
    import('#counters/redis-attempts.ts'),
    import('#counters/redis.ts'),
  ]);
  // Each request reports a failure, and a lost connection is restored automatically.
  const ignore = () => undefined;
  return {
    attempts: () => new RedisAttempts(url, ignore),
    requests: () => new RedisCounters(url, ignore),
  };
}
