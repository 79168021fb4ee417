import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MemoryCounters } from '#counters/memory.ts';
import { PostgresCounters } from '#counters/postgres.ts';
import { RedisCounters } from '#counters/redis.ts';
import { admitRequests } from '#db/queries/limits/rate-limits.ts';
import { planOf, plans } from '#domain/base/plans/plans.ts';
import { windowsOf } from '#api/limits/plan-limits.ts';
import type {
  RequestCounters,
  RequestLease,
  RequestWindow,
} from '#domain/base/ports/request-counters.ts';
import { TestClock } from '#lib/clock.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import {
  redisName,
  redisProgram,
  startRedis,
  testsRedisOnly,
  type TestRedis,
} from '../harness/redis.ts';

const sequences = process.env.TORTURE ? 10_000 : 300;

const read: RequestWindow = { name: 'read', seconds: 60, limit: 3 };
const write: RequestWindow = { name: 'write', seconds: 60, limit: 2 };
const day: RequestWindow = { name: 'day', seconds: 86_400, limit: 6 };
const hour: RequestWindow = { name: 'suggestions', seconds: 3_600, limit: 2 };

interface Backend {
  /** Two processes that share a store; memory has only one. */
  open(clock: TestClock): [RequestCounters, RequestCounters];
  stop(): Promise<void>;
}

const backends: Record<string, () => Promise<Backend>> = {
  memory: async () => ({
    open: (clock) => {
      const only = new MemoryCounters(() => clock.now().getTime());
      return [only, only];
    },
    stop: async () => {},
  }),
  postgres: async () => {
    const database: TestDatabase = await createTestDatabase();
    const pools = [1, 2].map(() => new pg.Pool({ connectionString: database.url, max: 8 }));
    return {
      open: (clock) => [
        new PostgresCounters(pools[0]!, () => clock.now()),
        new PostgresCounters(pools[1]!, () => clock.now()),
      ],
      stop: async () => {
        await Promise.all(pools.map((pool) => pool.end()));
        await database.drop();
      },
    };
  },
  redis: async () => {
    const server = (await startRedis()) as TestRedis;
    const opened: RedisCounters[] = [];
    return {
      open: (clock) => {
        const both = [1, 2].map(
          () =>
            new RedisCounters(
              server.url,
              () => undefined,
              () => clock.now().getTime(),
            ),
        );
        opened.push(...both);
        return both as [RedisCounters, RedisCounters];
      },
      stop: async () => {
        for (const counters of opened) await counters.close();
        await server.stop();
      },
    };
  },
};

if (redisProgram === undefined)
  console.log(
    `${redisName} is not installed: the counters are tested in memory and on PostgreSQL only`,
  );

const tested = Object.entries(backends).filter(([name]) => name === 'redis' || !testsRedisOnly);

for (const [name, start] of tested) {
  describe.skipIf(name === 'redis' && redisProgram === undefined)(name, () => {
    let backend: Backend;
    let clock: TestClock;
    let one: RequestCounters;
    let other: RequestCounters;
    let workspaceId = 0;

    beforeAll(async () => {
      backend = await start();
      clock = new TestClock('2026-11-21T12:00:10Z');
      [one, other] = backend.open(clock);
      await untilReady(one, other);
    });
    beforeEach(() => {
      workspaceId += 1;
      clock.set('2026-11-21T12:00:10Z');
    });
    afterAll(() => backend.stop());

    const take = (counters: RequestCounters, windows: RequestWindow[], parallel = 100) =>
      counters.take({ workspaceId, windows, parallel });

    test('accepts exactly as many as the limit, concurrently and in any process', async () => {
      const taken = await Promise.all(
        Array.from({ length: 60 }, (_, index) =>
          take(index % 2 ? one : other, [
            { ...read, limit: 25 },
            { ...day, limit: 1_000 },
          ]),
        ),
      );
      expect(taken.filter(({ lease }) => lease !== null)).toHaveLength(25);
      expect(await one.look({ workspaceId, windows: [read, day] })).toMatchObject([
        { used: 25 },
        { used: 25 },
      ]);
    });

    test('counts in all windows or in none', async () => {
      for (let count = 0; count < 2; count += 1)
        expect((await take(one, [write, day])).lease).not.toBeNull();
      const refused = await take(other, [write, day]);
      expect(refused.lease).toBeNull();
      expect(refused.windows).toMatchObject([
        { name: 'write', used: 2, limit: 2, resetSeconds: 50 },
        { name: 'day', used: 2, limit: 6, resetSeconds: 43_190 },
      ]);
      expect(await one.look({ workspaceId, windows: [read, day] })).toMatchObject([
        { used: 0 },
        { used: 2 },
      ]);
    });

    test('opens windows at full minutes, full hours and midnight UTC', async () => {
      clock.set('2026-11-21T23:59:59Z');
      const windows = [
        { ...read, limit: 1 },
        { ...hour, limit: 1 },
        { ...day, limit: 1 },
      ];
      const last = await take(one, windows);
      expect(last.windows.map((use) => use.resetSeconds)).toEqual([1, 1, 1]);
      expect((await take(one, windows)).lease).toBeNull();
      clock.set('2026-11-22T00:00:00Z');
      const first = await take(other, windows);
      expect(first.lease).not.toBeNull();
      expect(first.windows).toMatchObject([
        { used: 1, resetSeconds: 60 },
        { used: 1, resetSeconds: 3_600 },
        { used: 1, resetSeconds: 86_400 },
      ]);
    });

    test('refuses more open leases than allowed until one ends, counting none', async () => {
      const open = [await take(one, [day], 2), await take(other, [day], 2)];
      const refused = await take(one, [day], 2);
      expect([refused.lease, refused.open]).toEqual([null, 2]);
      await other.end(open[0]!.lease!, []);
      expect((await take(one, [day], 2)).lease).not.toBeNull();
      expect(await one.look({ workspaceId, windows: [day] })).toMatchObject([{ used: 3 }]);
    });

    test('ends the lease of a dead process within a minute, and keeps a renewed one', async () => {
      const gone = await take(one, [day], 1);
      clock.set('2026-11-21T12:01:09Z');
      expect((await take(other, [day], 1)).lease).toBeNull();
      await one.renew([gone.lease!]);
      clock.set('2026-11-21T12:01:30Z');
      expect((await take(other, [day], 1)).lease).toBeNull();
      clock.set('2026-11-21T12:02:10Z');
      expect((await take(other, [day], 1)).lease).not.toBeNull();
      await one.renew([gone.lease!]);
      expect((await take(other, [day], 2)).open).toBe(2);
    });

    test('releases once, in the window that counted it, never below zero', async () => {
      const taken = await take(one, [read, hour]);
      await other.end(taken.lease!, [hour]);
      await one.end(taken.lease!, [hour]);
      expect(await one.look({ workspaceId, windows: [read, hour] })).toMatchObject([
        { used: 1 },
        { used: 0 },
      ]);
      const late = await take(one, [hour]);
      clock.set('2026-11-21T13:00:00Z');
      await take(other, [hour]);
      await one.end(late.lease!, [hour]);
      expect(await one.look({ workspaceId, windows: [hour] })).toMatchObject([{ used: 1 }]);
    });

    test('keeps workspaces apart', async () => {
      for (let count = 0; count < 3; count += 1) await take(one, [read]);
      expect((await take(one, [read])).lease).toBeNull();
      workspaceId += 1;
      expect((await take(one, [read])).lease).not.toBeNull();
    });

    test('behaves like the model for any sequence; refused requests consume nothing', async () => {
      const step = fc.oneof(
        {
          weight: 6,
          arbitrary: fc.record({
            kind: fc.constant('take' as const),
            windows: fc.constantFrom<RequestWindow[]>(
              [read, day],
              [write, day],
              [write, day, hour],
            ),
            by: fc.nat(1),
          }),
        },
        {
          weight: 3,
          arbitrary: fc.record({
            kind: fc.constant('end' as const),
            which: fc.nat(5),
            releasesUnused: fc.boolean(),
          }),
        },
        {
          weight: 1,
          arbitrary: fc.record({
            kind: fc.constant('wait' as const),
            seconds: fc.constantFrom(7, 31, 59, 1_801, 40_000),
          }),
        },
      );
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
          workspaceId += 1;
          clock.set('2026-11-21T12:00:10Z');
          const model = new Model(3);
          const leases: { lease: RequestLease; windows: RequestWindow[] }[] = [];
          for (const each of steps) {
            const nowMs = clock.now().getTime();
            if (each.kind === 'wait') clock.set(new Date(nowMs + each.seconds * 1_000));
            else if (each.kind === 'end') {
              const [ended] = leases.splice(each.which % Math.max(1, leases.length), 1);
              if (!ended) continue;
              const unused = each.releasesUnused ? ended.windows.slice(2) : [];
              model.end(ended.lease, unused, nowMs);
              await one.end(ended.lease, unused);
            } else {
              const taken = await (each.by ? one : other).take({
                workspaceId,
                windows: each.windows,
                parallel: 3,
              });
              const expected = model.take(each.windows, nowMs, taken.lease?.id ?? 'refused');
              expect({
                isIn: taken.lease !== null,
                used: taken.windows.map((use) => use.used),
                open: taken.open,
              }).toEqual(expected);
              if (taken.lease) leases.push({ lease: taken.lease, windows: each.windows });
            }
          }
        }),
        { numRuns: sequences, seed: 20_261_121 },
      );
    });

    test.each(Object.values(plans))('enforces every limit of the plan $name', async ({ name }) => {
      const plan = planOf(name);
      const kinds = [
        { rateClass: 'read' },
        { rateClass: 'write' },
        ...Object.keys(plan.onDemand).map((onDemand) => ({ rateClass: 'store', onDemand })),
      ];
      for (const kind of kinds as Parameters<typeof windowsOf>[1][]) {
        for (const window of windowsOf(plan, kind)) {
          workspaceId += 1;
          // All but the last few at once: the rest of a day's forty thousand is tested.
          const nearly = { ...window, limit: Math.min(window.limit, 60) };
          const taken = await Promise.all(
            Array.from({ length: nearly.limit + 20 }, (_, index) =>
              take(index % 2 ? one : other, [nearly], 1_000),
            ),
          );
          expect([window.name, taken.filter(({ lease }) => lease).length]).toEqual([
            window.name,
            nearly.limit,
          ]);
        }
      }
    });
  });
}

test.skipIf(testsRedisOnly)('releasing in PostgreSQL does not deadlock with counting', async () => {
  const database = await createTestDatabase();
  const counters = new PostgresCounters(database.pool);
  const workspaces = Array.from({ length: 20 }, (_, index) => index + 1);
  const windows = [day];
  const taken = await Promise.all(
    workspaces.map((workspaceId) => counters.take({ workspaceId, windows, parallel: 9 })),
  );
  const counting = await database.pool.connect();
  const count = (...ids: number[]) =>
    admitRequests(
      counting,
      ids.map((workspaceId) => ({
        workspaceId,
        lease: randomUUID(),
        parallel: 9,
        names: [day.name],
        seconds: [day.seconds],
        limits: [day.limit],
      })),
      60,
      null,
    );
  await counting.query('begin');
  await count(1);
  // The first is sent alone, and then all others together.
  const released = Promise.all(
    taken.toReversed().map(({ lease }) => counters.end(lease!, windows)),
  );
  const waiting =
    'select from pg_stat_activity where datname = current_database() and ' +
    `wait_event_type = 'Lock'`;
  while ((await database.pool.query(waiting)).rowCount === 0) await sleep(20);
  await count(...workspaces.slice(1));
  await counting.query('commit');
  counting.release();
  await released;
  for (const workspaceId of workspaces)
    expect(await counters.look({ workspaceId, windows })).toMatchObject([{ used: 1 }]);
  await database.drop();
});

/** The specification of counters, one request after another. */
class Model {
  private readonly used = new Map<string, number>();
  private readonly leases = new Map<string, { endsMs: number; acquiredAtMs: number }>();
  private readonly parallel: number;

  constructor(parallel: number) {
    this.parallel = parallel;
  }

  take(windows: readonly RequestWindow[], nowMs: number, id: string) {
    const open = [...this.leases.values()].filter((lease) => lease.endsMs > nowMs).length;
    const keys = windows.map((window) => keyAt(window, nowMs));
    const used = keys.map((key) => this.used.get(key) ?? 0);
    if (open >= this.parallel || windows.some((window, index) => used[index]! >= window.limit))
      return { isIn: false, used, open };
    for (const [index, key] of keys.entries()) this.used.set(key, used[index]! + 1);
    this.leases.set(id, { endsMs: nowMs + 60_000, acquiredAtMs: nowMs });
    return { isIn: true, used: used.map((count) => count + 1), open: open + 1 };
  }

  end({ id }: RequestLease, unused: readonly RequestWindow[], nowMs: number) {
    const lease = this.leases.get(id);
    this.leases.delete(id);
    if (!lease || lease.endsMs <= nowMs) return;
    for (const window of unused) {
      const key = keyAt(window, lease.acquiredAtMs);
      this.used.set(key, Math.max(0, (this.used.get(key) ?? 0) - 1));
    }
  }
}

const keyAt = (window: RequestWindow, atMs: number) =>
  `${window.name} ${Math.floor(atMs / 1_000 / window.seconds)}`;

/** A Redis refuses until its connection is made. */
async function untilReady(...all: RequestCounters[]): Promise<void> {
  const isReady = (counters: RequestCounters) =>
    counters.look({ workspaceId: 0, windows: [] }).then(
      () => true,
      () => false,
    );
  for (const counters of all) while (!(await isReady(counters))) await sleep(20);
}
