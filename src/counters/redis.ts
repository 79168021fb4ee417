import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type {
  RequestCounters,
  RequestLease,
  RequestTaken,
  RequestTaking,
  RequestWindow,
  WindowUse,
} from '../domain/billing/request-counters.ts';
import { openRedis, readNow } from './redis-connection.ts';
import { leaseSeconds, showUse } from './windows.ts';

/**
 * KEYS: the leases, then one a window. ARGV: now or '', the new lease or '' to look only, its milliseconds, how many may be open,
 * then seconds and limit of each window. Answers now, whether it took, how many are open, and the use of each window.
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

/** KEYS: the leases, then the windows to give back to, as they were opened. ARGV: now or '', the lease. */
const endScript = `${readNow}
local ends = tonumber(redis.call('ZSCORE', KEYS[1], ARGV[2]) or '0')
redis.call('ZREM', KEYS[1], ARGV[2])
if ends <= now then return 0 end
for i = 2, #KEYS do
  if tonumber(redis.call('GET', KEYS[i]) or '0') > 0 then redis.call('DECR', KEYS[i]) end
end
return 1`;

/** KEYS: the leases. ARGV: now or '', milliseconds, then the leases that still stand. */
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

/** For any number of API processes. Time is the server's own, so hosts whose clocks differ count alike. */
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
    // The compiler would compare the two method by method, for seconds.
    this.scripts = this.redis as unknown as Scripts;
    this.nowMs = nowMs;
  }

  async take({ workspaceId, windows, parallel }: RequestTaking): Promise<RequestTaken> {
    const id = randomUUID();
    const [nowMs, took, open, uses] = await this.ask(workspaceId, windows, parallel, id);
    return { lease: took ? { id, workspaceId, takenAtMs: nowMs } : null, windows: uses, open };
  }

  async look({ workspaceId, windows }: Omit<RequestTaking, 'parallel'>): Promise<WindowUse[]> {
    const [, , , uses] = await this.ask(workspaceId, windows, 0, '');
    return uses;
  }

  async end(
    { id, workspaceId, takenAtMs }: RequestLease,
    unused: readonly RequestWindow[],
  ): Promise<void> {
    const keys = unused.map(
      (window) =>
        `${keyOf(workspaceId, window.name)}:${Math.floor(takenAtMs / 1_000 / window.seconds)}`,
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
  ): Promise<[nowMs: number, took: boolean, open: number, uses: WindowUse[]]> {
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
    const [nowMs, took, open, ...used] = (await this.scripts.takeRequest(
      keys.length,
      ...keys,
      ...given,
    )) as [number, number, number, ...number[]];
    return [
      nowMs,
      took === 1,
      open,
      windows.map((window, index) => showUse(window, used[index]!, nowMs)),
    ];
  }
}

/** One tag for a workspace: on a cluster its keys lie together. */
function keyOf(workspaceId: number, name: string): string {
  return `toprung:limits:{${workspaceId}}:${name}`;
}
