import type { Redis } from 'ioredis';
import type {
  AttemptCounters,
  AttemptKind,
  AttemptResult,
  FullWindow,
} from '#domain/base/ports/attempt-counters.ts';
import { openRedis, readNow } from './redis-connection.ts';
import { listedMax } from './windows.ts';

/**
 * KEYS: the window, the full windows of its kind. ARGV: now or '', limit, milliseconds, owner of
 * the window. Returns now, whether it was counted, use and end.
 */
const takeScript = `${readNow}
local limit, length = tonumber(ARGV[2]), tonumber(ARGV[3])
local used = tonumber(redis.call('HGET', KEYS[1], 'used') or '0')
local ends = tonumber(redis.call('HGET', KEYS[1], 'ends') or '0')
if ends <= now or ends > now + 2 * length then used, ends = 0, now + length end
if used >= limit then return { now, 0, used, ends } end
used = used + 1
redis.call('HSET', KEYS[1], 'used', used, 'ends', ends)
redis.call('PEXPIRE', KEYS[1], length)
if used == limit then
  redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
  redis.call('ZADD', KEYS[2], ends, ARGV[4])
  redis.call('PEXPIRE', KEYS[2], length)
end
return { now, 1, used, ends }`;

/** KEYS: as above. ARGV: end of the window in which it was counted, owner of the window. */
const releaseScript = `
if redis.call('HGET', KEYS[1], 'ends') ~= ARGV[1] then return 0 end
if tonumber(redis.call('HGET', KEYS[1], 'used')) < 1 then return 0 end
redis.call('HINCRBY', KEYS[1], 'used', -1)
redis.call('ZREM', KEYS[2], ARGV[2])
return 1`;

/**
 * KEYS: the full windows of a kind. ARGV: now or '', maximum. Returns now, then owner and end of
 * each window in turn.
 */
const listScript = `${readNow}
local full = redis.call(
  'ZREVRANGEBYSCORE', KEYS[1], '+inf', '(' .. now, 'WITHSCORES', 'LIMIT', 0, ARGV[2])
return { now, full }`;

interface Scripts {
  acquireAttempt(
    keys: number,
    ...rest: (string | number)[]
  ): Promise<[nowMs: number, allowed: number, used: number, endsMs: number]>;
  releaseAttempt(keys: number, ...rest: (string | number)[]): Promise<number>;
  listFullWindows(
    keys: number,
    ...rest: (string | number)[]
  ): Promise<[nowMs: number, keysAndEnds: string[]]>;
}

/**
 * For any number of API processes. Uses the server's clock, so that hosts with different clocks
 * count alike.
 */
export class RedisAttempts implements AttemptCounters {
  readonly isShared = true;
  private readonly redis: Redis;
  private readonly scripts: Scripts;
  private readonly nowMs: (() => number) | null;

  /** `nowMs` is for tests. */
  constructor(url: string, onError: (error: Error) => void, nowMs: (() => number) | null = null) {
    this.redis = openRedis(url, onError, {
      acquireAttempt: { lua: takeScript },
      releaseAttempt: { lua: releaseScript },
      listFullWindows: { lua: listScript },
    });
    this.scripts = this.redis as unknown as Scripts;
    this.nowMs = nowMs;
  }

  async take(kind: AttemptKind, key: string): Promise<AttemptResult> {
    const given = [this.nowMs?.() ?? '', kind.limit, kind.windowMs, key];
    const [nowMs, allowed, used, endsMs] = await this.scripts.acquireAttempt(
      2,
      windowOf(kind, key),
      fullOf(kind),
      ...given,
    );
    return { kind, key, allowed: allowed === 1, used, endsMs, restMs: endsMs - nowMs };
  }

  async release({ kind, key, endsMs }: AttemptResult): Promise<void> {
    await this.scripts.releaseAttempt(2, windowOf(kind, key), fullOf(kind), endsMs, key);
  }

  async listFull(kind: AttemptKind): Promise<FullWindow[]> {
    const [nowMs, listed] = await this.scripts.listFullWindows(
      1,
      fullOf(kind),
      this.nowMs?.() ?? '',
      listedMax,
    );
    return Array.from({ length: listed.length / 2 }, (_, index) => ({
      key: listed[2 * index]!,
      restMs: Number(listed[2 * index + 1]) - nowMs,
    }));
  }

  async close(): Promise<void> {
    this.redis.disconnect();
  }
}

/** One hash tag per kind: on a cluster its keys share a slot. */
function windowOf({ name }: AttemptKind, key: string): string {
  return `toprung:attempts:{${name}}:of:${key}`;
}

function fullOf({ name }: AttemptKind): string {
  return `toprung:attempts:{${name}}:full`;
}
