import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { insertRun } from '#db/queries/runs/runs.ts';
import { probeQueue } from '#boot/probe-queue.ts';
import { openPool } from '#db/pool.ts';
import { getDelivery, listDeliveries } from '#domain/alerting/webhooks/list-deliveries.ts';
import { redeliverOne } from '#domain/alerting/webhooks/redeliver.ts';
import { getWebhook } from '#domain/alerting/webhooks/webhooks.ts';
import { runPeriodicTasks, type PeriodicTask } from '#domain/scheduling/runs/run-periodic-tasks.ts';
import { checkMarket } from '#domain/tracking/rankings/check-market.ts';
import type { Services } from '#domain/base/context.ts';
import type { CheckServices } from '#domain/tracking/rankings/check-market.ts';
import type { Store } from '#domain/base/ports.ts';
import {
  isDelivery,
  isJob,
  type JobEntry,
  type Registry,
  type RegistryEntry,
} from '#jobs/registry-entry.ts';
import { registry } from '#jobs/registry.ts';
import { startWorkers } from '#jobs/workers.ts';
import { addDays, utcDayOf } from '#lib/dates.ts';
import { silentLogger } from '#lib/logger.ts';
import { bytesPerJob } from '#queue/postgres.ts';
import {
  openQueueStore,
  type JobHandler,
  type QueueStore,
  type WorkOptions,
} from '#queue/queue.ts';
import { startDeliveries, type Deliveries } from '../harness/deliveries.ts';
import { startReceiver, type Receiver } from '../harness/receiver.ts';

const day = '2026-05-10';
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** The registry of this file's scheduler and workers; each test may change its entries. */
const table: { -readonly [Key in keyof Registry]: Registry[Key] } = {
  ...registry,
  queues: { ...registry.queues, store: { ...registry.queues.store, retryDelaysMs: [10] } },
};
const change = (name: string, changes: object): void => {
  table.entries = registry.entries.map((entry) =>
    entry.name === name ? { ...entry, ...changes } : entry,
  );
};

let flow: Deliveries;
/** Lines of the log, from warnings on. */
const logged: string[] = [];
let receiver: Receiver;
beforeAll(async () => {
  const log = pino({ level: 'warn' }, { write: (line) => void logged.push(line) });
  flow = await startDeliveries(day, { registry: table, log });
  receiver = await startReceiver();
});
beforeEach(() => {
  table.entries = registry.entries;
});
afterAll(async () => {
  await flow.close();
  await receiver.close();
});

const rows = async <T>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await flow.pipeline.db.pool.query(text, values)).rows as T[];
const now = () => flow.pipeline.clock.now().getTime();
const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });

test('every entry is run by its trigger', async () => {
  const ran = new Set<string>();
  const spied = registry.entries.map((entry) => {
    const run = (...given: unknown[]) => {
      ran.add(entry.name);
      return isJob(entry) ? null : (entry.run as (...all: unknown[]) => unknown)(...given);
    };
    return { ...entry, run } as RegistryEntry;
  });
  const own = await startDeliveries(day, { registry: { ...registry, entries: spied } });
  try {
    const { pipeline } = own;
    await pipeline.track({ store: 'ios', storeAppId: '1500000001' }, [
      { phrase: 'habit tracker', country: 'us' },
    ]);
    const ctx = await own.join();
    await own.register(ctx, { url: receiver.url });
    await own.emit(ctx, [{ key: 'a' }]);
    for (const { name } of registry.entries.filter(isJob))
      await pipeline.db.pool.query(
        'insert into jobs (workspace_id, kind, queued_at) values ($1, $2, $3)',
        [ctx.workspaceId, name, pipeline.clock.now()],
      );
    await pipeline.runDay(day);
    await pipeline.runUntilIdle();
    expect([...ran].toSorted()).toEqual(registry.entries.map(({ name }) => name).toSorted());
  } finally {
    await own.close();
  }
});

describe('planned work', () => {
  /** A market that a person waits for, on a day of its own. */
  async function requestCheck(phrase: string, on: string): Promise<number> {
    flow.pipeline.clock.set(`${on}T00:10:00Z`);
    const [market] = await flow.pipeline.track({ store: 'ios', storeAppId: '1500000001' }, [
      { phrase, country: 'us' },
    ]);
    await rows('update market_schedule set urgent_at = $2 where market_id = $1', [
      market!.marketId,
      flow.pipeline.clock.now(),
    ]);
    return market!.marketId;
  }
  const scheduleOf = async (marketId: number) =>
    (
      await rows<{ attempts: number; last_marker: string; retry_at: Date | null }>(
        'select attempts, last_marker, retry_at from market_schedule where market_id = $1',
        [marketId],
      )
    )[0]!;
  const gapsOf = (marketId: number, on: string) =>
    rows('select reason, marker from market_gaps where market_id = $1 and on_date = $2', [
      marketId,
      on,
    ]);
  const searchWith =
    (search: Store['search']) =>
    (services: Services, work: { marketId: number; day: string }, options: object) => {
      const ios = { ...services.stores.ios, search };
      const stores = { ...services.stores, ios };
      return checkMarket({ ...services, stores } as never, work, options as never);
    };

  test('is aborted at its time limit, retried after its delay, and then has a gap', async () => {
    const on = addDays(day, 10);
    const retry = { delaysMs: [7 * minuteMs], refusedDelaysMs: [hourMs] };
    const run = searchWith((_query, { signal }) => untilAborted(signal));
    change('rank-check', { timeoutMs: 100, retry, run });
    const marketId = await requestCheck('hangs', on);
    await flow.pipeline.runUntilIdle();
    expect(await scheduleOf(marketId)).toEqual({
      attempts: 1,
      last_marker: 'timeout',
      retry_at: new Date(now() + 7 * minuteMs),
    });
    await flow.pipeline.runUntilIdle();
    expect(await gapsOf(marketId, on)).toEqual([]);
    flow.pipeline.clock.advance(7 * minuteMs);
    await flow.pipeline.runUntilIdle();
    expect(await gapsOf(marketId, on)).toEqual([{ reason: 'store_error', marker: 'timeout' }]);
  });

  test('that throws is retried by its queue, then later, and dead-lettered at last', async () => {
    const on = addDays(day, 11);
    let runs = 0;
    const run = async () => {
      runs += 1;
      throw new Error('a bug');
    };
    change('rank-check', { retry: { delaysMs: [3 * minuteMs], refusedDelaysMs: [] }, run });
    const marketId = await requestCheck('throws', on);
    await flow.pipeline.runUntilIdle();
    expect(runs).toBe(2);
    expect(await scheduleOf(marketId)).toEqual({
      attempts: 1,
      last_marker: 'failed',
      retry_at: new Date(now() + 3 * minuteMs),
    });
    expect(await rows('select 1 from dead_letters')).toEqual([]);
    flow.pipeline.clock.advance(3 * minuteMs);
    await flow.pipeline.runUntilIdle();
    expect(runs).toBe(4);
    expect(await gapsOf(marketId, on)).toEqual([{ reason: 'store_error', marker: 'failed' }]);
    expect(await rows('select queue, data->>$1 as id from dead_letters', ['marketId'])).toEqual([
      { queue: 'ios', id: String(marketId) },
    ]);
  });

  test('of an unknown type is logged and dropped, and its row stays due', async () => {
    const on = addDays(day, 12);
    const marketId = await requestCheck('unknown', on);
    await flow.pipeline.runtime.queues.queue('ios').addAll([
      {
        id: 'laundry_1',
        name: 'laundry',
        data: { kind: 'laundry', store: 'ios', day: on, marketId },
        priority: 1,
      },
    ]);
    table.entries = registry.entries.filter(({ name }) => name !== 'rank-check');
    await flow.runUntilIdle().catch(() => undefined);
    const counts = () => flow.pipeline.runtime.queues.queue('ios').counts();
    await expect.poll(counts).toEqual({ waiting: 0, active: 0 });
    expect(await rows("select 1 from dead_letters where job_id = 'laundry_1'")).toEqual([]);
    expect((await scheduleOf(marketId)).attempts).toBe(0);
    const warnings = logged.map((line) => JSON.parse(line) as object);
    expect(warnings).toContainEqual(
      expect.objectContaining({ job: 'laundry_1', msg: 'unknown job type, job dropped' }),
    );
    await rows('update market_schedule set urgent_at = null where market_id = $1', [marketId]);
  });
});

test('of an accepted job is aborted at its time limit, retried later, and fails', async () => {
  const run = (_services: unknown, _row: unknown, signal: AbortSignal) => untilAborted(signal);
  change('recompute', { timeoutMs: 100, retry: { delaysMs: [30_000] }, run });
  flow.pipeline.clock.set(`${addDays(day, 20)}T00:10:00Z`);
  const { workspaceId } = await flow.join();
  const [{ id }] = (await rows<{ id: string }>(
    "insert into jobs (workspace_id, kind, queued_at) values ($1, 'recompute', $2) returning id",
    [workspaceId, flow.pipeline.clock.now()],
  )) as [{ id: string }];
  const job = async () =>
    (
      await rows<object>(
        'select state, attempts, queued_until as until, error from jobs where id = $1',
        [id],
      )
    )[0];
  await flow.runUntilIdle();
  const waiting = {
    state: 'running',
    attempts: 1,
    until: new Date(now() + 30_000),
    error: null,
  };
  expect(await job()).toEqual(waiting);
  flow.pipeline.clock.advance(29_000);
  await flow.runUntilIdle();
  expect(await job()).toEqual(waiting);
  flow.pipeline.clock.advance(1_000);
  await flow.runUntilIdle();
  expect(await job()).toMatchObject({
    state: 'failed',
    attempts: 2,
    error: 'it failed 2 times, at last because: it exceeded its time limit',
  });
});

test('jobs that wait for a store keep no other job waiting, and are counted', async () => {
  const held = Promise.withResolvers<null>();
  const pool = openPool({
    url: flow.pipeline.db.url,
    role: 'owner',
    max: 2,
    statementTimeoutMs: 10_000,
    searchPath: 'bullmq',
    log: silentLogger,
  });
  const other = openQueueStore({ queueUrl: null, pool, log: silentLogger });
  let running = 0;
  table.entries = registry.entries.map((entry) => {
    if (entry.name === 'country-scores')
      return { ...entry, run: () => ((running += 1), held.promise) };
    return entry.name === 'recompute' ? { ...entry, run: async () => null } : entry;
  });
  flow.pipeline.clock.set(`${addDays(day, 22)}T00:10:00Z`);
  const { workspaceId } = await flow.join();
  await rows(
    `insert into jobs (workspace_id, kind, queued_at)
     select $1::int, 'country-scores', $2::timestamptz from generate_series(1, 12)
     union all select $1::int, 'recompute', $2::timestamptz`,
    [workspaceId, flow.pipeline.clock.now()],
  );
  const states = async (kind: string) =>
    (
      await rows<{ state: string }>(
        'select distinct state from jobs where workspace_id = $1 and kind = $2',
        [workspaceId, kind],
      )
    ).map(({ state }) => state);
  try {
    await flow.pipeline.tick();
    await expect.poll(() => states('recompute')).toEqual(['succeeded']);
    await expect.poll(() => running).toBe(2);
    // Of a process that has no workers.
    const probe = probeQueue(other);
    expect(await probe.waiting()).toBe(12);
    expect(await other.queueCapacity.usedBytes()).toBe(12 * bytesPerJob);
  } finally {
    held.resolve(null);
    await other.close();
    await pool.end();
  }
  await flow.runUntilIdle();
  expect([running, await states('country-scores')]).toEqual([12, ['succeeded']]);
});

test('the long jobs of a workspace keep no job of another one waiting', async () => {
  const held = Promise.withResolvers<null>();
  const ran: number[] = [];
  table.entries = registry.entries.map((entry) => {
    if (isJob(entry) && entry.name === 'export') {
      const run: JobEntry['run'] = async (_services, { workspaceId }) => {
        ran.push(workspaceId);
        return workspaceId === many ? held.promise : null;
      };
      return { ...entry, run };
    }
    return entry.name === 'recompute' ? { ...entry, run: async () => null } : entry;
  });
  flow.pipeline.clock.set(`${addDays(day, 24)}T00:10:00Z`);
  const [{ workspaceId: many }, { workspaceId: one }] = [await flow.join(), await flow.join()];
  const add = (workspaceId: number, kind: string, count: number) =>
    rows(
      `insert into jobs (workspace_id, kind, queued_at)
       select $1::int, $2, $3::timestamptz from generate_series(1, $4::int)`,
      [workspaceId, kind, flow.pipeline.clock.now(), count],
    );
  const countEnded = async (workspaceId: number) =>
    (
      await rows<{ jobs: number }>(
        `select count(*)::int as jobs from jobs where workspace_id = $1 and state = 'succeeded'`,
        [workspaceId],
      )
    )[0]!.jobs;
  try {
    await add(many, 'export', 12);
    // The last version has another queue for it.
    const [last] = await rows<{ id: number }>(
      'select max(id)::int as id from jobs where workspace_id = $1',
      [many],
    );
    const { id } = last!;
    const background = flow.pipeline.runtime.queues.queue('background');
    const data = { kind: 'job', jobId: id };
    await background.addAll([{ id: `job_${id}`, name: 'job', data, priority: 1 }]);
    await expect.poll(() => background.counts()).toEqual({ waiting: 0, active: 0 });
    expect(ran).toEqual([]);
    await flow.pipeline.tick();
    await expect.poll(() => ran.length).toBe(2);
    // Their leases end, and they still run.
    flow.pipeline.clock.advance(3 * minuteMs);
    await flow.pipeline.tick();
    await add(one, 'export', 1);
    await add(one, 'recompute', 1);
    await flow.pipeline.tick();
    await expect.poll(() => countEnded(one), { timeout: 10_000 }).toBe(2);
    expect(ran).toEqual([many, many, one]);
  } finally {
    held.resolve(null);
  }
  await flow.runUntilIdle();
  expect([await countEnded(many), ran.length]).toEqual([12, 13]);
});

test('a delivery is aborted at its time limit, retried after its delay, and fails', async () => {
  const entry = registry.entries.find(isDelivery)!;
  change(entry.name, { responseTimeoutMs: 100, retry: { delaysMs: [hourMs] } });
  flow.pipeline.clock.set(`${addDays(day, 21)}T00:10:00Z`);
  receiver.respond = () => undefined;
  const ctx = await flow.join();
  await flow.register(ctx, { url: receiver.url });
  await flow.emit(ctx, [{ key: 'b' }]);
  const delivery = async () =>
    (
      await rows<{ state: string; tries: number; next_at: Date | null }>(
        'select state, tries, next_at from deliveries where workspace_id = $1',
        [ctx.workspaceId],
      )
    )[0]!;
  await flow.runUntilIdle();
  const failed = await delivery();
  expect(failed).toMatchObject({ state: 'pending', tries: 1 });
  const delayMs = failed.next_at!.getTime() - now();
  expect(delayMs).toBeGreaterThanOrEqual(0.8 * hourMs);
  expect(delayMs).toBeLessThanOrEqual(1.2 * hourMs);
  const attempts = 'select error from delivery_attempts where workspace_id = $1';
  expect(await rows(attempts, [ctx.workspaceId])).toEqual([{ error: 'timeout' }]);
  flow.pipeline.clock.set(failed.next_at!);
  await flow.runUntilIdle();
  expect(await delivery()).toMatchObject({ state: 'failed', tries: 2, next_at: null });
});

/** The workers of a process, which get their jobs from the test. */
function startOwnWorkers() {
  const own = new Map<string, WorkOptions & { run: JobHandler }>();
  const work: QueueStore['work'] = (name, options, run) => {
    own.set(name, { ...options, run });
    return { close: async () => undefined };
  };
  const { services, queues } = flow.pipeline.runtime;
  startWorkers({ ...queues, work }, services, table);
  return own;
}

test('store work of another day than today is dropped', async () => {
  const today = addDays(day, 24);
  flow.pipeline.clock.set(`${today}T12:00:00Z`);
  const ran: string[] = [];
  change('rank-check', {
    run: async (_: unknown, work: { day: string }) => void ran.push(work.day),
  });
  const { run } = startOwnWorkers().get('ios')!;
  for (const on of [addDays(today, -1), today, addDays(today, 1)])
    await run({
      id: `rank_1_${on}_0`,
      name: 'rank-check',
      data: { kind: 'rank-check', store: 'ios', day: on, marketId: 1, attempt: 0, urgent: false },
      signal: AbortSignal.timeout(5_000),
      survived: async () => undefined,
    });
  expect(ran).toEqual([today]);
});

test('a delivery that crashed its worker has failed, and can be redelivered', async () => {
  const { onDeadLetter } = startOwnWorkers().get('deliveries')!;
  flow.pipeline.clock.set(`${addDays(day, 23)}T00:10:00Z`);
  receiver.respond = (response) => response.writeHead(200).end();
  const ctx = await flow.join();
  const webhook = await flow.register(ctx, { url: receiver.url });
  await flow.emit(ctx, [{ key: 'c' }]);
  const { id } = (await listDeliveries(ctx, webhook.id, { limit: 1 })).items[0]!;
  const end = (reason: 'failed' | 'crashed') =>
    onDeadLetter({
      id: `delivery_${id}_1`,
      name: 'delivery',
      data: { kind: 'delivery', deliveryId: id, attempt: 1 },
      reason,
      error: null,
    });
  const read = async () => {
    const { state, log } = await getDelivery(ctx, id);
    return { state, errors: log.map(({ error }) => error) };
  };
  await end('failed');
  expect(await read()).toEqual({ state: 'pending', errors: [] });
  await end('crashed');
  const crashed = { state: 'failed', errors: ['worker crashed'] };
  expect(await read()).toEqual(crashed);
  await end('crashed');
  await flow.runUntilIdle();
  expect(await read()).toEqual(crashed);
  const { lastDelivery } = await getWebhook(ctx, webhook.id);
  expect(lastDelivery).toMatchObject({ id, state: 'failed', httpStatus: null });
  const [row] = await rows<{ failing_since: Date | null }>(
    'select failing_since from webhooks where id = $1',
    [webhook.id],
  );
  expect(row).toEqual({ failing_since: null });
  receiver.requests.length = 0;
  await redeliverOne(ctx, id);
  await flow.runUntilIdle();
  expect(receiver.requests).toHaveLength(1);
});

describe('a periodic task', () => {
  const task = (changes: Partial<PeriodicTask>): PeriodicTask => ({
    name: 'task',
    trigger: { every: minuteMs },
    retry: { afterMs: 0 },
    timeoutMs: 5_000,
    run: async () => undefined,
    ...changes,
  });
  /** Services of their own, because each has its own state of tasks. */
  function start() {
    const lines: unknown[][] = [];
    const { services } = flow.pipeline.runtime;
    const log = { ...silentLogger, warn: (...line: unknown[]) => void lines.push(line) };
    const own = { ...services, log } as CheckServices;
    const run = (tasks: PeriodicTask[]) => runPeriodicTasks(own, tasks);
    return { lines, run };
  }
  /** Opens a daily run of now, after which there is none. */
  async function openRunNow() {
    const on = flow.pipeline.clock.now();
    await rows('delete from runs where date >= $1', [utcDayOf(on)]);
    await insertRun(flow.pipeline.runtime.services.systemDb, {
      date: utcDayOf(on),
      openedAt: on,
      pressure: {},
      shed: {},
    });
  }

  test('runs at its interval', async () => {
    const { run } = start();
    let runs = 0;
    const tasks = [task({ run: async () => void (runs += 1) })];
    await run(tasks);
    flow.pipeline.clock.advance(minuteMs - 1);
    await run(tasks);
    expect(runs).toBe(1);
    flow.pipeline.clock.advance(1);
    await run(tasks);
    expect(runs).toBe(2);
  });

  test('goes on at its interval when the clock was set back', async () => {
    const { run } = start();
    let runs = 0;
    const tasks = [task({ run: async () => void (runs += 1) })];
    await run(tasks);
    flow.pipeline.clock.advance(-2 * hourMs);
    await run(tasks);
    expect(runs).toBe(2);
    await run(tasks);
    expect(runs).toBe(2);
    flow.pipeline.clock.advance(minuteMs);
    await run(tasks);
    expect(runs).toBe(3);
    flow.pipeline.clock.advance(2 * hourMs);
  });

  test('that is daily runs once after the run was opened, in whichever process', async () => {
    const { run } = start();
    let runs = 0;
    const tasks = [
      task({ name: 'once', trigger: 'run-opened', run: async () => void (runs += 1) }),
    ];
    await rows('delete from runs');
    await run(tasks);
    expect(runs).toBe(0);
    await openRunNow();
    await run(tasks);
    await run(tasks);
    await start().run(tasks);
    expect(runs).toBe(1);
  });

  test('that is daily is continued by another process until it is done', async () => {
    let runs = 0;
    const results = [7, 0];
    const tasks = [
      task({
        name: 'continued',
        trigger: 'run-opened',
        retry: { afterMs: minuteMs },
        run: async () => {
          runs += 1;
          if (runs === 1) throw new Error('a deadlock');
          return results.shift();
        },
      }),
    ];
    await openRunNow();
    for (const ran of [1, 2, 3, 3]) {
      await start().run(tasks);
      expect(runs).toBe(ran);
    }
  });

  test('that is daily and has more to do continues after its delay until it is done', async () => {
    const { run, lines } = start();
    const left = [2_000, 7, 0];
    const more = async () => left.shift();
    const tasks = [
      task({ name: 'more', trigger: 'run-opened', retry: { afterMs: minuteMs }, run: more }),
    ];
    await openRunNow();
    await run(tasks);
    await run(tasks);
    expect(left).toEqual([7, 0]);
    for (let minutes = 1; minutes <= 3; minutes += 1) {
      flow.pipeline.clock.advance(minuteMs);
      await run(tasks);
    }
    expect([left, lines]).toEqual([[], []]);
  });

  test('that fails is logged and retried after its delay, and others run', async () => {
    const { run, lines } = start();
    const ran: string[] = [];
    const failing = async () => {
      ran.push('failing');
      throw new Error('no such table');
    };
    const tasks = [
      task({ name: 'failing', retry: { afterMs: 2_000 }, run: failing }),
      task({ name: 'daily', trigger: 'run-opened', run: failing }),
      task({ name: 'other', run: async () => void ran.push('other') }),
    ];
    await openRunNow();
    await run(tasks);
    expect(ran).toEqual(['failing', 'failing', 'other']);
    expect(lines[0]).toEqual([
      { task: 'failing', error: 'no such table', retryAfterMs: 2_000 },
      'periodic task failed, will retry',
    ]);
    flow.pipeline.clock.advance(1_999);
    await run(tasks);
    expect(ran).toEqual(['failing', 'failing', 'other', 'failing']);
    flow.pipeline.clock.advance(1);
    await run(tasks);
    expect(ran).toEqual(['failing', 'failing', 'other', 'failing', 'failing', 'failing']);
  });

  test('over its time limit is aborted, logged and retried, and others run', async () => {
    const { run, lines } = start();
    let others = 0;
    const tasks = [
      task({ name: 'hanging', timeoutMs: 50, run: (_services, signal) => untilAborted(signal) }),
      task({ name: 'other', run: async () => void (others += 1) }),
    ];
    await run(tasks);
    await run(tasks);
    expect(others).toBe(1);
    expect(lines).toEqual(
      Array.from({ length: 2 }, () => [
        { task: 'hanging', error: 'timeout: not finished within 50 ms', retryAfterMs: 0 },
        'periodic task timed out, will retry',
      ]),
    );
  });

  test('that ignores its abort signal is not started again before it has ended', async () => {
    const { run } = start();
    let starts = 0;
    const hanging = Promise.withResolvers<void>();
    const tasks = [
      task({
        timeoutMs: 20,
        run: () => {
          starts += 1;
          return hanging.promise;
        },
      }),
    ];
    await run(tasks);
    await run(tasks);
    expect(starts).toBe(1);
    hanging.resolve();
    await sleep(0);
    await run(tasks);
    expect(starts).toBe(2);
  });
});
