import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MemoryAttempts } from '#counters/memory-attempts.ts';
import { PostgresAttempts } from '#counters/postgres-attempts.ts';
import { RedisAttempts } from '#counters/redis-attempts.ts';
import { openPool } from '#db/pool.ts';
import type { AttemptCounters, AttemptKind } from '#domain/base/ports/attempt-counters.ts';
import { TestClock } from '#lib/clock.ts';
import { silentLogger } from '#lib/logger.ts';
import { createTestDatabase } from '../harness/database.ts';
import { redisProgram, startRedis } from '../harness/redis.ts';

const rejected: AttemptKind = { name: 'rejected', limit: 12, windowMs: 60_000 };
const failure: AttemptKind = { name: 'failure', limit: 3, windowMs: 900_000 };
const start = '2026-11-21T12:00:10.123Z';

interface Backend {
  /** Two processes that share a store; memory has only one. */
  open(clock: TestClock): [AttemptCounters, AttemptCounters];
  stop(): Promise<void>;
}

const backends: Record<string, () => Promise<Backend>> = {
  memory: async () => ({
    open: (clock) => {
      const only = new MemoryAttempts(() => clock.now().getTime());
      return [only, only];
    },
    stop: async () => {},
  }),
  postgres: async () => {
    const database = await createTestDatabase();
    const open = () =>
      openPool({
        url: database.url,
        role: 'system',
        max: 2,
        statementTimeoutMs: 10_000,
        log: silentLogger,
      });
    const [one, other] = [open(), open()];
    return {
      open: (clock) => [
        new PostgresAttempts(one, () => clock.now()),
        new PostgresAttempts(other, () => clock.now()),
      ],
      stop: async () => {
        await Promise.all([one.end(), other.end()]);
        await database.drop();
      },
    };
  },
  redis: async () => {
    const server = (await startRedis())!;
    const opened: AttemptCounters[] = [];
    const openOne = (clock: TestClock) => {
      const ignore = () => undefined;
      const counters = new RedisAttempts(server.url, ignore, () => clock.now().getTime());
      opened.push(counters);
      return counters;
    };
    return {
      open: (clock) => [openOne(clock), openOne(clock)],
      stop: async () => {
        for (const counters of opened) await counters.close();
        await server.stop();
      },
    };
  },
};

for (const [name, begin] of Object.entries(backends)) {
  describe.skipIf(name === 'redis' && redisProgram === undefined)(`attempts in ${name}`, () => {
    let backend: Backend;
    const clock = new TestClock(start);
    let one: AttemptCounters;
    let other: AttemptCounters;
    let key = '';

    beforeAll(async () => {
      backend = await begin();
      [one, other] = backend.open(clock);
      for (const counters of [one, other])
        while (!(await counters.listFull(rejected).catch(() => null))) await sleep(20);
    });
    beforeEach(() => {
      clock.set(start);
      key = `203.0.113.${Math.random()}`;
    });
    afterAll(() => backend.stop());

    const wait = (ms: number) => clock.set(new Date(clock.now().getTime() + ms));

    test('are counted exactly up to the limit, concurrently and in any process', async () => {
      const taken = await Promise.all(
        Array.from({ length: 64 }, (_, index) => (index % 2 ? one : other).take(rejected, key)),
      );
      expect(taken.filter(({ allowed }) => allowed)).toHaveLength(12);
      expect(
        taken
          .filter(({ allowed }) => allowed)
          .map(({ used }) => used)
          .toSorted((a, b) => a - b),
      ).toEqual(Array.from({ length: 12 }, (_, index) => index + 1));
      expect(
        taken
          .filter(({ allowed }) => !allowed)
          .every(({ used, restMs }) => used === 12 && restMs === 60_000),
      ).toBe(true);
    });

    test('have a window that ends for all at once, also when a clock is set back far', async () => {
      for (let count = 0; count < 3; count += 1) {
        expect(await one.take(failure, key)).toMatchObject({
          allowed: true,
          used: count + 1,
          restMs: 900_000 - count * 300_000,
        });
        wait(count < 2 ? 300_000 : 299_999);
      }
      expect(await other.take(failure, key)).toMatchObject({
        allowed: false,
        used: 3,
        restMs: 1,
      });
      wait(1);
      expect(await other.take(failure, key)).toMatchObject({
        allowed: true,
        used: 1,
        restMs: 900_000,
      });
      wait(-1);
      expect(await one.take(failure, key)).toMatchObject({
        allowed: true,
        used: 2,
        restMs: 900_001,
      });
      wait(-900_000);
      expect(await one.take(failure, key)).toMatchObject({
        allowed: true,
        used: 1,
        restMs: 900_000,
      });
    });

    test('are released in the window that counted them, never below zero', async () => {
      const taken = await one.take(failure, key);
      for (let count = 0; count < 2; count += 1) await other.release(taken);
      expect((await one.take(failure, key)).used).toBe(1);
      wait(900_000);
      await one.take(failure, key);
      await one.release(taken);
      expect((await other.take(failure, key)).used).toBe(2);
    });

    test('are separate for each kind and key', async () => {
      for (let count = 0; count < 4; count += 1) await one.take(failure, key);
      expect((await one.take(failure, key)).allowed).toBe(false);
      expect((await one.take(failure, `${key}0`)).allowed).toBe(true);
      expect((await one.take(rejected, key)).used).toBe(1);
    });

    test('are known to be full in every process until the window ends or one is free', async () => {
      const fullWindows = async (kind: AttemptKind) =>
        (await other.listFull(kind)).filter((window) => window.key === key);
      let last = await one.take(failure, key);
      for (let count = 1; count < 3; count += 1) {
        expect(await fullWindows(failure)).toEqual([]);
        last = await one.take(failure, key);
      }
      wait(1_000);
      expect([await fullWindows(failure), await fullWindows(rejected)]).toEqual([
        [{ key, restMs: 899_000 }],
        [],
      ]);
      await one.release(last);
      expect(await fullWindows(failure)).toEqual([]);
      await one.take(failure, key);
      expect(await fullWindows(failure)).toHaveLength(1);
      wait(899_000);
      expect(await fullWindows(failure)).toEqual([]);
    });
  });
}

test('in memory keep a nearly full window among any number of others', async () => {
  const counters = new MemoryAttempts(() => Date.parse(start));
  for (let count = 0; count < 2; count += 1) await counters.take(failure, 'victim');
  for (let count = 0; count < 60_000; count += 1) {
    await counters.take(failure, `nobody ${count}`);
    await counters.take(rejected, `203.0.113.${count}`);
  }
  expect(await counters.take(failure, 'victim')).toMatchObject({ allowed: true, used: 3 });
  expect((await counters.take(failure, 'victim')).allowed).toBe(false);
});

test('in PostgreSQL are deleted after their window', async () => {
  const database = await createTestDatabase();
  const clock = new TestClock(start);
  const counters = new PostgresAttempts(database.pool, () => clock.now());
  for (const key of ['a', 'b', 'c']) await counters.take(rejected, key);
  await counters.take(failure, 'd');
  clock.set(new Date(clock.now().getTime() + 60_000));
  await counters.listFull(rejected);
  expect((await database.pool.query('select key from attempt_windows')).rows).toEqual([
    { key: 'd' },
  ]);
  await database.drop();
});
