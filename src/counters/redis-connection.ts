import { Redis } from 'ioredis';

/** The server's time in milliseconds, unless ARGV[1] is set. Each script begins with it. */
export const readNow = `
local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end`;

/**
 * A host that is gone closes no connection. A server that only pauses may respond for so long:
 * what was counted too late is then released.
 */
const socketTimeoutMs = 15_000;

export function openRedis(
  url: string,
  onError: (error: Error) => void,
  scripts: Record<string, { lua: string }>,
): Redis {
  const retryStrategy = (times: number) => Math.min(times * 100, 2_000);
  // A command that waits for a reconnect would delay the request that sent it.
  const redis = new Redis(url, {
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    socketTimeout: socketTimeoutMs,
    retryStrategy,
    // After a failover the old primary keeps its connections, and refuses their writes.
    reconnectOnError: (error) => error.message.includes('READONLY'),
    scripts,
  });
  redis.on('error', onError);
  return redis;
}
