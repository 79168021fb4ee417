import type pg from 'pg';
import type { Config } from '../config/env.ts';
import { Guard } from '../counters/guard.ts';
import { GuardedAttempts } from '../counters/guarded-attempts.ts';
import { GuardedCounters } from '../counters/guarded.ts';
import { MemoryAttempts } from '../counters/memory-attempts.ts';
import { MemoryCounters } from '../counters/memory.ts';
import { PostgresAttempts } from '../counters/postgres-attempts.ts';
import { PostgresCounters } from '../counters/postgres.ts';
import type { AttemptCounters } from '../domain/accounts/attempt-counters.ts';
import type { Services } from '../domain/context.ts';
import type { RequestCounters } from '../domain/billing/request-counters.ts';
import { readOpenUse } from '../domain/workspaces/usage.ts';

export interface Counters {
  attempts: AttemptCounters;
  /** Undefined where there are no plans. */
  requests: RequestCounters | undefined;
  close(): Promise<void>;
}

/** Where all API processes see what is counted. */
interface SharedStore {
  attempts(): AttemptCounters;
  requests(): RequestCounters;
}

/** Counts in memory where one process owns the database, else where all API processes see it. */
export async function createCounters(
  config: Config,
  services: Services,
  pool: pg.Pool,
): Promise<Counters> {
  const nowMs = () => services.clock.now().getTime();
  const ownAttempts = new MemoryAttempts(nowMs);
  const redisUrl = config.LIMITS_URL ?? config.QUEUE_URL;
  if (redisUrl === null && config.DATABASE_URL === null) {
    const earlierUse = (workspaceId: number) => readOpenUse(services, workspaceId);
    return together(
      ownAttempts,
      config.BILLING_ENABLED ? new MemoryCounters(nowMs, earlierUse) : undefined,
    );
  }
  const store = redisUrl === null ? inPostgres(pool) : await inRedis(redisUrl);
  const guard = new Guard({
    waitMs: config.LIMITS_WAIT_MS,
    warn: (fields, message) => services.log.warn(fields, message),
  });
  const attempts = new GuardedAttempts({ shared: store.attempts(), own: ownAttempts, guard });
  if (!config.BILLING_ENABLED) return together(attempts, undefined);
  const shared = store.requests();
  // Whoever asks first does not wait for a connection. One that cannot be had shows in each request.
  await shared.look({ workspaceId: 0, windows: [] }).catch(() => undefined);
  // What all processes used is stored together: held against the part of one, it would let nobody in.
  const own = new MemoryCounters(nowMs);
  return together(
    attempts,
    new GuardedCounters({ shared, own, guard, processes: config.API_PROCESSES }),
  );
}

function together(attempts: AttemptCounters, requests: RequestCounters | undefined): Counters {
  const close = async () => void (await Promise.all([attempts.close(), requests?.close()]));
  return { attempts, requests, close };
}

function inPostgres(pool: pg.Pool): SharedStore {
  return { attempts: () => new PostgresAttempts(pool), requests: () => new PostgresCounters(pool) };
}

/** Its package is loaded where there is a Redis only. */
async function inRedis(url: string): Promise<SharedStore> {
  const [{ RedisAttempts }, { RedisCounters }] = await Promise.all([
    import('../counters/redis-attempts.ts'),
    import('../counters/redis.ts'),
  ]);
  // What it cannot do shows in each request; a lost connection comes back by itself.
  const ignore = () => undefined;
  return {
    attempts: () => new RedisAttempts(url, ignore),
    requests: () => new RedisCounters(url, ignore),
  };
}
