import { Redis } from 'ioredis';

/** The server's time in milliseconds, unless ARGV[1] is set. Each script begins with it. */
export const readNow = `
local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end`;

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
    retryStrategy,
    // After a failover the old primary keeps its connections, and refuses their writes.
    reconnectOnError: (error) => error.message.includes('READONLY'),
    scripts,
  });
  redis.on('error', onError);
  return redis;
}
