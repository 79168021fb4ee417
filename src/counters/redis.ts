import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type {
  RequestCounters,
  RequestLease,
  RateLimitDecision,
  RateLimitRequest,
  RequestWindow,
  WindowUsage,
} from '#domain/base/ports/request-counters.ts';
import { openRedis, readNow } from './redis-connection.ts';
import { leaseSeconds, toWindowUse } from './windows.ts';

/**
 * KEYS: the leases, then one key per window. ARGV: now or '', the new lease or '' to only read, its
 * milliseconds, the maximum of open leases, then seconds and limit of each window. Returns now,
 * whether it was counted, the open leases, and the use of each window.
 */
const takeScript = `${readNow}
local lease, leaseMs, parallel = ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local keys, used, free = {}, {}, true
for i = 2, #KEYS do
  local seconds, limit = tonumber(ARGV[2 * i + 1]), tonumber(ARGV[2 * i + 2])
  keys[i] = KEYS[i] .. ':' .. math.floor(now / 1000 / seconds)
  used[i - 1] = tonumber(redis.call('GET', keys[i]) or '0')
  free = free and used[i - 1] < limit
end
local open = redis.call('ZCOUNT', KEYS[1], '(' .. now, '+inf')
if lease == '' or not free or open >= parallel then return { now, 0, open, unpack(used) } end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('ZADD', KEYS[1], now + leaseMs, lease)
redis.call('PEXPIRE', KEYS[1], leaseMs)
for i = 2, #KEYS do
  used[i - 1] = redis.call('INCR', keys[i])
  if used[i - 1] == 1 then redis.call('EXPIRE', keys[i], tonumber(ARGV[2 * i + 1]) + 60) end
end
return { now, 1, open + 1, unpack(used) }`;

/**
 * KEYS: the leases, then the windows to release, as they were opened. ARGV: now or '', the lease.
 */
const endScript = `${readNow}
local ends = tonumber(redis.call('ZSCORE', KEYS[1], ARGV[2]) or '0')
redis.call('ZREM', KEYS[1], ARGV[2])
if ends <= now then return 0 end
for i = 2, #KEYS do
  if tonumber(redis.call('GET', KEYS[i]) or '0') > 0 then redis.call('DECR', KEYS[i]) end
end
return 1`;

/** KEYS: the leases. ARGV: now or '', milliseconds, then the leases that are still active. */
const renewScript = `${readNow}
for i = 3, #ARGV do redis.call('ZADD', KEYS[1], 'XX', now + ARGV[2], ARGV[i]) end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1`;

interface Scripts {
  takeRequest(keys: number, ...rest: (string | number)[]): Promise<number[]>;
  endRequest(keys: number, ...rest: (string | number)[]): Promise<number>;
  renewRequests(keys: number, ...rest: (string | number)[]): Promise<number>;
}

const leaseMs = leaseSeconds * 1_000;

/**
 * For any number of API processes. Uses the server's clock, so that hosts with different clocks
 * count alike.
 */
export class RedisCounters implements RequestCounters {
  private readonly redis: Redis;
  private readonly scripts: Scripts;
  private readonly nowMs: (() => number) | null;

  /** `nowMs` is for tests. */
  constructor(url: string, onError: (error: Error) => void, nowMs: (() => number) | null = null) {
    this.redis = openRedis(url, onError, {
      takeRequest: { lua: takeScript },
      endRequest: { lua: endScript },
      renewRequests: { lua: renewScript },
    });
    // The compiler would take seconds to compare the two types method by method.
    this.scripts = this.redis as unknown as Scripts;
    this.nowMs = nowMs;
  }

  async take({ workspaceId, windows, parallel }: RateLimitRequest): Promise<RateLimitDecision> {
    const id = randomUUID();
    const [nowMs, allowed, open, uses] = await this.ask(workspaceId, windows, parallel, id);
    return {
      lease: allowed ? { id, workspaceId, acquiredAtMs: nowMs } : null,
      windows: uses,
      open,
    };
  }

  async look({ workspaceId, windows }: Omit<RateLimitRequest, 'parallel'>): Promise<WindowUsage[]> {
    const [, , , uses] = await this.ask(workspaceId, windows, 0, '');
    return uses;
  }

  async end(
    { id, workspaceId, acquiredAtMs }: RequestLease,
    unused: readonly RequestWindow[],
  ): Promise<void> {
    const keys = unused.map(
      (window) =>
        `${keyOf(workspaceId, window.name)}:${Math.floor(acquiredAtMs / 1_000 / window.seconds)}`,
    );
    await this.scripts.endRequest(
      keys.length + 1,
      keyOf(workspaceId, 'leases'),
      ...keys,
      this.nowMs?.() ?? '',
      id,
    );
  }

  async renew(leases: readonly RequestLease[]): Promise<void> {
    const ofWorkspace = Map.groupBy(leases, (lease) => lease.workspaceId);
    await Promise.all(
      [...ofWorkspace].map(([workspaceId, held]) =>
        this.scripts.renewRequests(
          1,
          keyOf(workspaceId, 'leases'),
          this.nowMs?.() ?? '',
          leaseMs,
          ...held.map((lease) => lease.id),
        ),
      ),
    );
  }

  async close(): Promise<void> {
    this.redis.disconnect();
  }

  private async ask(
    workspaceId: number,
    windows: readonly RequestWindow[],
    parallel: number,
    lease: string,
  ): Promise<[nowMs: number, allowed: boolean, open: number, uses: WindowUsage[]]> {
    const keys = [
      keyOf(workspaceId, 'leases'),
      ...windows.map((window) => keyOf(workspaceId, window.name)),
    ];
    const given = [
      this.nowMs?.() ?? '',
      lease,
      leaseMs,
      parallel,
      ...windows.flatMap((window) => [window.seconds, window.limit]),
    ];
    const [nowMs, allowed, open, ...used] = (await this.scripts.takeRequest(
      keys.length,
      ...keys,
      ...given,
    )) as [number, number, number, ...number[]];
    return [
      nowMs,
      allowed === 1,
      open,
      windows.map((window, index) => toWindowUse(window, used[index]!, nowMs)),
    ];
  }
}

/** One hash tag per workspace: on a cluster its keys share a slot. */
function keyOf(workspaceId: number, name: string): string {
  return `toprung:limits:{${workspaceId}}:${name}`;
}
