import { Redis } from 'ioredis';
import { defaultCapBytes, readInfo } from './redis.ts';

export interface RedisFacts {
  name: 'Redis' | 'Valkey';
  version: string;
  /** Any policy but `noeviction` drops jobs. */
  policy: string;
  hasAppendOnlyFile: boolean;
  /** False while it refuses writes because it could not write to its disk. */
  canPersist: boolean;
  /** What is written to a replica is refused, or lost with the next synchronization. */
  isReplica: boolean;
  usedBytes: number;
  capBytes: number;
  roundTripMs: number;
}

const connectTimeoutMs = 3_000;
const timeoutMs = 5_000;

/** Reads the state of a Redis or Valkey and changes nothing. Throws when it does not respond. */
export async function readRedisFacts(url: string): Promise<RedisFacts> {
  const redis = new Redis(url, {
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    connectTimeout: connectTimeoutMs,
  });
  // The failure of the connection is more precise than that of the command.
  let failure: Error | null = null;
  redis.on('error', (error: Error) => (failure ??= error));
  // The driver waits without a limit for a server that accepts the connection and is silent.
  const deadline = setTimeout(() => {
    failure ??= new Error(`no response within ${timeoutMs} ms`);
    redis.disconnect();
  }, timeoutMs);
  try {
    await redis.connect();
    const sentMs = performance.now();
    const server = await readInfo(redis, 'server');
    const roundTripMs = performance.now() - sentMs;
    const [memory, persistence, replication] = await Promise.all(
      ['memory', 'persistence', 'replication'].map((section) => readInfo(redis, section)),
    );
    return {
      name: server.valkey_version === undefined ? 'Redis' : 'Valkey',
      version: server.valkey_version ?? server.redis_version ?? 'unknown',
      policy: memory!.maxmemory_policy ?? 'unknown',
      hasAppendOnlyFile: persistence!.aof_enabled === '1',
      canPersist: await canPersist(redis),
      isReplica: replication!.role === 'slave',
      usedBytes: Number(memory!.used_memory),
      capBytes: Number(memory!.maxmemory) || defaultCapBytes,
      roundTripMs,
    };
  } catch (error) {
    throw failure ?? error;
  } finally {
    clearTimeout(deadline);
    redis.disconnect();
  }
}

/**
 * Redis refuses PING together with writes, after a snapshot or its append-only file could not be
 * written. INFO does not say whether snapshots are on, and managed services forbid CONFIG.
 */
async function canPersist(redis: Redis): Promise<boolean> {
  try {
    await redis.ping();
    return true;
  } catch (error) {
    return !(error as Error).message.startsWith('MISCONF ');
  }
}
