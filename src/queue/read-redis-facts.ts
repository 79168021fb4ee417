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
  usedBytes: number;
  capBytes: number;
  roundTripMs: number;
}

const connectTimeoutMs = 3_000;

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
  try {
    await redis.connect();
    // Redis refuses even PING while its disk is full, but not INFO.
    const sentMs = performance.now();
    const server = await readInfo(redis, 'server');
    const roundTripMs = performance.now() - sentMs;
    const [memory, persistence] = await Promise.all(
      ['memory', 'persistence'].map((section) => readInfo(redis, section)),
    );
    return {
      name: server.valkey_version === undefined ? 'Redis' : 'Valkey',
      version: server.valkey_version ?? server.redis_version ?? 'unknown',
      policy: memory!.maxmemory_policy ?? 'unknown',
      hasAppendOnlyFile: persistence!.aof_enabled === '1',
      canPersist: (persistence!.aof_last_write_status ?? 'ok') === 'ok',
      usedBytes: Number(memory!.used_memory),
      capBytes: Number(memory!.maxmemory) || defaultCapBytes,
      roundTripMs,
    };
  } catch (error) {
    throw failure ?? error;
  } finally {
    redis.disconnect();
  }
}
