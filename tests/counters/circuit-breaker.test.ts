import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { createCounters } from '#boot/counters.ts';
import { readConfig } from '#config/env.ts';
import { Guard } from '#counters/circuit-breaker.ts';
import { FallbackAttempts } from '#counters/fallback-attempts.ts';
import { MemoryAttempts } from '#counters/memory-attempts.ts';
import { RedisAttempts } from '#counters/redis-attempts.ts';
import { FallbackCounters } from '#counters/fallback-counters.ts';
import { MemoryCounters } from '#counters/memory.ts';
import { RedisCounters } from '#counters/redis.ts';
import type { AttemptCounters, AttemptKind } from '#domain/base/ports/attempt-counters.ts';
import type { RequestCounters, RequestWindow } from '#domain/base/ports/request-counters.ts';
import type { Services } from '#domain/base/context.ts';
import { TestClock } from '#lib/clock.ts';
import { silentLogger } from '#lib/logger.ts';
import { redisProgram, startRedis } from '../harness/redis.ts';
import { createTestDatabase } from '../harness/database.ts';
import { pauseProcess } from '../harness/pause-process.ts';

const minute: RequestWindow = { name: 'write', seconds: 60, limit: 9 };
const taking = { workspaceId: 1, windows: [minute], parallel: 100 };
const now = () => Date.UTC(2026, 10, 21, 12, 0, 10);

let warnings: string[] = [];
const warn = (_fields: object, message: string) => void warnings.push(message);
const guard = (shared: RequestCounters, { processes = 3, waitMs = 50 } = {}) =>
  new FallbackCounters({
    shared,
    own: new MemoryCounters(now),
    guard: new Guard({ waitMs, warn }),
    processes,
  });

/** Counters whose server does what the test defines. */
class Moody extends MemoryCounters {
  mood: 'well' | 'refuses' | { respondsAfterMs: number } = 'well';
  asked = 0;

  override async take(...given: Parameters<MemoryCounters['take']>) {
    this.asked += 1;
    if (this.mood === 'refuses') throw new Error('OOM command not allowed');
    if (this.mood !== 'well') await sleep(this.mood.respondsAfterMs);
    return super.take(...given);
  }
}

beforeEach(() => {
  warnings = [];
});

describe('rate limits whose store is down', () => {
  test('refuse nobody: each process allows its share, and logs it every ten seconds', async () => {
    const shared = new Moody(now);
    shared.mood = 'refuses';
    const counters = guard(shared);
    const taken = await Promise.all(Array.from({ length: 12 }, () => counters.take(taking)));
    expect(taken.filter(({ lease }) => lease !== null)).toHaveLength(3);
    expect(taken[0]!.windows).toMatchObject([{ limit: 3 }]);
    expect(warnings).toHaveLength(1);
  });

  test('are not asked after three failures, and later probed by one request', async () => {
    const shared = new Moody(now);
    shared.mood = 'refuses';
    const counters = guard(shared);
    for (let count = 0; count < 20; count += 1)
      await counters.take({ ...taking, workspaceId: 10 + count });
    expect(shared.asked).toBe(3);
    shared.mood = 'well';
    await sleep(5_100);
    await counters.take(taking);
    expect(shared.asked).toBe(4);
    expect(await shared.look({ workspaceId: 1, windows: [minute] })).toMatchObject([
      { used: 1, limit: 9 },
    ]);
  });

  test('do not block requests, and release what was counted too late', async () => {
    const shared = new Moody(now);
    shared.mood = { respondsAfterMs: 3_000 };
    const counters = guard(shared);
    const started = performance.now();
    const taken = await counters.take(taking);
    // The bench measures how short the wait is.
    expect(performance.now() - started).toBeLessThan(2_900);
    expect(taken.lease).not.toBeNull();
    await sleep(3_200);
    expect(await shared.look({ workspaceId: 1, windows: [minute] })).toMatchObject([{ used: 0 }]);
    expect((await shared.take({ ...taking, parallel: 1 })).lease).not.toBeNull();
  });

  test('accept a workspace that used more than the share of one process', async () => {
    const database = await createTestDatabase();
    const { rows } = await database.pool.query(
      `with w as (insert into workspaces (name) values ('x') returning id)
       insert into request_days select id, '2026-11-21', 0, 'read', 14000 from w
         returning workspace_id as id`,
    );
    const config = readConfig({
      BILLING_ENABLED: 'true',
      LIMITS_URL: 'redis://127.0.0.1:1',
      API_PROCESSES: '3',
    });
    const services = {
      systemDb: database.systemDb,
      clock: new TestClock('2026-11-21T12:00:10Z'),
      log: silentLogger,
    } as unknown as Services;
    const counters = await createCounters(config, services, database.pool);
    const day = { name: 'day', seconds: 86_400, limit: 40_000 } as const;
    expect(
      await counters.requests!.take({ workspaceId: rows[0].id, windows: [day], parallel: 16 }),
    ).toMatchObject({
      lease: { workspaceId: rows[0].id },
      windows: [{ used: 1, limit: 13_333 }],
    });
    await counters.close();
    await database.drop();
  });

  test('end and renew a lease in the store where it was acquired', async () => {
    const shared = new Moody(now);
    const counters = guard(shared);
    const there = await counters.take({ ...taking, parallel: 1 });
    shared.mood = 'refuses';
    const here = await counters.take({ ...taking, parallel: 3 });
    await counters.renew([there.lease!, here.lease!]);
    await counters.end(there.lease!, []);
    await counters.end(here.lease!, []);
    shared.mood = 'well';
    expect((await shared.take({ ...taking, parallel: 1 })).lease).not.toBeNull();
  });

  test('free the slots of requests that ended while it was down', async () => {
    const shared = new Moody(now);
    const end = shared.end.bind(shared);
    const counters = guard(shared);
    const two = { ...taking, parallel: 2 };
    const taken = [await counters.take(two), await counters.take(two)];
    shared.end = () => Promise.reject(new Error('ECONNRESET'));
    for (const { lease } of taken) await counters.end(lease!, [minute]);
    shared.end = end;
    expect(await counters.take(two)).toMatchObject({ open: 1, windows: [{ used: 1 }] });
  });
});

describe('attempts whose store is down', () => {
  const kind: AttemptKind = { name: 'rejected', limit: 3, windowMs: 60_000 };
  const takeOften = (from: AttemptCounters, times: number) =>
    Promise.all(Array.from({ length: times }, () => from.take(kind, '203.0.113.4')));

  test('are limited by each process with the whole limit, and released there', async () => {
    const shared = new RedisAttempts('redis://127.0.0.1:1', () => undefined);
    const counters = new FallbackAttempts({
      shared,
      own: new MemoryAttempts(now),
      guard: new Guard({ waitMs: 50, warn }),
    });
    const taken = await takeOften(counters, 10);
    expect(taken.filter(({ allowed }) => allowed)).toHaveLength(3);
    expect(await counters.listFull(kind)).toEqual([{ key: '203.0.113.4', restMs: 60_000 }]);
    await counters.release(taken[0]!);
    expect((await takeOften(counters, 2)).map(({ allowed }) => allowed)).toEqual([true, false]);
    expect(warnings).toHaveLength(1);
    await counters.close();
  });

  test('are not counted twice when the response is too late', async () => {
    const shared = new MemoryAttempts(now);
    const take = shared.take.bind(shared);
    shared.take = async (...given) => {
      await sleep(2_500);
      return take(...given);
    };
    const counters = new FallbackAttempts({
      shared,
      own: new MemoryAttempts(now),
      guard: new Guard({ waitMs: 50, warn }),
    });
    expect(await counters.take(kind, 'late')).toMatchObject({ allowed: true, used: 1 });
    await sleep(2_700);
    expect((await take(kind, 'late')).used).toBe(1);
  });
});

describe.skipIf(redisProgram === undefined)('a Redis', () => {
  test('that is stopped, hangs or is full lets requests in, and recovers', async () => {
    const server = (await startRedis())!;
    const redis = new RedisCounters(server.url, () => undefined);
    // A busy machine needs more than 50 ms for a response.
    const counters = guard(redis, { processes: 1, waitMs: 1_000 });
    const isCounted = async () =>
      (await redis.look({ workspaceId: 1, windows: [minute] }).catch(() => null))?.[0]?.used;
    while ((await isCounted()) === undefined) await sleep(20);
    const slowest = async (times: number) => {
      let slowestMs = 0;
      for (let count = 0; count < times; count += 1) {
        const started = performance.now();
        expect((await counters.take({ ...taking, workspaceId: 100 + count })).windows).toHaveLength(
          1,
        );
        slowestMs = Math.max(slowestMs, performance.now() - started);
      }
      return slowestMs;
    };
    const thaw = pauseProcess(server.pid);
    expect(await slowest(30)).toBeLessThan(2_900);
    thaw();
    await sleep(5_100);
    await counters.take(taking);
    expect(await isCounted()).toBe(1);

    await server.setMemory('1mb');
    expect((await counters.take(taking)).lease).not.toBeNull();
    await server.setMemory('192mb');
    await server.stop();
    expect((await counters.take(taking)).lease).not.toBeNull();
    await counters.close();
  });
});
