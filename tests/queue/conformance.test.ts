import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import fastify from 'fastify';
import { Redis } from 'ioredis';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { startPostgres, type EmbeddedPostgres } from '#embedded-postgres/launch.ts';
import { openPool } from '#db/pool.ts';
import { silentLogger } from '#lib/logger.ts';
import { createBoard } from '#queue/board.ts';
import {
  openQueueStore,
  type DeadLetter,
  type QueueJob,
  type QueueStore,
  type Worker,
} from '#queue/queue.ts';
import { pauseProcess } from '../harness/pause-process.ts';
import {
  redisName,
  redisProgram,
  startRedis as startTestRedis,
  testsRedisOnly,
} from '../harness/redis.ts';
import { carelessFlags, silentLog } from '../harness/cluster.ts';
import { copyInitializedDataDir } from '../harness/prepared-data-dir.ts';
import { startRedis, type Backend } from './redis-backend.ts';
import { trackProgress } from '../harness/progress.ts';

const workerProgram = new URL('./conformance-worker.ts', import.meta.url).pathname;
const retryDelaysMs = [10, 40, 160, 640];
/** A busy machine does not lose it while a job runs, which would run that job once more. */
const longLockMs = 20_000;
const shortLockMs = 600;
const kills = Number(process.env.TORTURE_ROUNDS ?? 1);
const outsideKills = Math.max(6, kills);
/** Jobs that the store's capacity must show. */
const many = 3_000;

let dataDir: string;
let postgres: EmbeddedPostgres;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'toprung-queue-'));
  await copyInitializedDataDir(dataDir);
  postgres = await startCluster();
});

const startCluster = () =>
  startPostgres({ dataDir, log: silentLog, flags: { ...carelessFlags, synchronous_commit: 'on' } });

afterAll(async () => {
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function startBackend(name: Backend['name']): Promise<Backend> {
  if (name === 'redis') return startRedis();
  const crash = async () => {
    const back = new Promise<void>((resolve) => {
      const undo = postgres.onRestart(() => (undo(), resolve()));
    });
    process.kill(postgres.pid, 'SIGKILL');
    await back;
  };
  const down = () => postgres.stop();
  const up = async () => void (postgres = await startCluster());
  return { name, queueUrl: null, crash, down, up, stop: async () => {} };
}

async function until(
  condition: () => boolean | Promise<boolean>,
  timeoutMs = 50_000,
): Promise<void> {
  const end = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error('the condition did not come true in time');
    await sleep(20);
  }
}

const makeJobs = (count: number, prefix = 'job'): QueueJob[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `${prefix}_${index}`,
    name: 'work',
    data: { index },
    priority: 10,
  }));

const names = ['postgres', 'redis'] as const;
const tested = names.filter((name) => name === 'redis' || !testsRedisOnly);

describe.each(tested)('the queue on %s', (name) => {
  const isMissing = name === 'redis' && redisProgram === undefined;
  if (isMissing)
    console.info(`${redisName} is not installed: the queue is tested on PostgreSQL only`);
  describe.skipIf(isMissing)('', () => {
    let backend: Backend;
    let pool: pg.Pool;
    let store: QueueStore;
    let queueName: string;
    let workers: Worker[];
    let children: ChildProcess[];

    beforeAll(async () => {
      backend = await startBackend(name);
    });
    afterAll(() => backend.stop());

    beforeEach(async () => {
      pool = openPool({
        url: postgres.superuserUrl('postgres'),
        role: 'owner',
        searchPath: 'bullmq',
        max: 4,
        statementTimeoutMs: 10_000,
        log: silentLogger,
      });
      store = openStore();
      await store.migrate();
      queueName = `test-${randomBytes(4).toString('hex')}`;
      workers = [];
      children = [];
    });
    afterEach(async () => {
      for (const child of children) child.kill('SIGKILL');
      await Promise.all(workers.map((worker) => worker.close(0)));
      await store.close();
      await pool.end();
    });

    const openStore = (lockDurationMs = longLockMs) =>
      openQueueStore({
        queueUrl: backend.queueUrl,
        pool,
        log: silentLogger,
        stalledIntervalMs: 300,
        lockDurationMs,
      });

    const useShortLocks = async () => {
      await store.close();
      store = openStore(shortLockMs);
    };

    const work = (
      handler: Parameters<QueueStore['work']>[2],
      concurrency = 1,
      deadLetters: DeadLetter[] = [],
    ) => {
      const worker = store.work(
        queueName,
        { concurrency, retryDelaysMs, onDeadLetter: async (job) => void deadLetters.push(job) },
        handler,
      );
      workers.push(worker);
      return worker;
    };

    const isDrained = async () => {
      const counts = await store
        .queue(queueName)
        .counts()
        .catch(() => null);
      return counts !== null && counts.waiting + counts.active === 0;
    };

    /** A worker in a process of its own, and what it has printed so far. */
    const startChild = (durationMs = 10) => {
      const args = [
        workerProgram,
        postgres.superuserUrl('postgres'),
        backend.queueUrl ?? '',
        queueName,
        String(durationMs),
      ];
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
      const said = { started: [] as string[], done: [] as string[], deadLetter: [] as string[] };
      createInterface({ input: child.stdout }).on('line', (line) => {
        for (const [key, value] of Object.entries(JSON.parse(line) as Record<string, string>))
          said[key as keyof typeof said]?.push(value);
      });
      children.push(child);
      const gone = new Promise<void>((resolve) => child.once('close', () => resolve()));
      return { child, said, gone };
    };

    test('runs every job once and forgets it', async () => {
      const seen: unknown[] = [];
      work(async (job) => void seen.push([job.id, job.name, job.data.index]), 4);
      await store.queue(queueName).addAll(makeJobs(30));
      await until(isDrained);
      expect(seen).toHaveLength(30);
      expect(seen).toContainEqual(['job_7', 'work', 7]);
    });

    test('ignores an id that is queued, and accepts it again after its end', async () => {
      const queue = store.queue(queueName);
      await queue.addAll(makeJobs(3));
      await queue.addAll([...makeJobs(3), { id: 'new', name: 'work', data: {}, priority: 10 }]);
      expect(await queue.counts()).toEqual({ waiting: 4, active: 0 });
      let done = 0;
      work(async () => void done++);
      await until(isDrained);
      expect(done).toBe(4);
      await queue.addAll(makeJobs(3));
      await until(() => done === 7);
    });

    test('refuses ambiguous ids, and adds nothing of that batch', async () => {
      const queue = store.queue(queueName);
      for (const id of ['', 'a:b', '17']) {
        await expect(
          queue.addAll([...makeJobs(1), { id, name: 'work', data: {}, priority: 1 }]),
        ).rejects.toThrow('is not a job id');
      }
      expect(await queue.counts()).toEqual({ waiting: 0, active: 0 });
    });

    test('takes the lowest priority number first, and equal ones in order', async () => {
      const order: string[] = [];
      const jobs = [5, 1, 3, 1, 5].map((priority, index) => ({
        id: `p${priority}_${index}`,
        name: 'work',
        data: {},
        priority,
      }));
      await store.queue(queueName).addAll(jobs);
      work(async (job) => void order.push(job.id));
      await until(isDrained);
      expect(order).toEqual(['p1_1', 'p1_3', 'p3_2', 'p5_0', 'p5_4']);
    });

    test('counts waiting and running jobs', async () => {
      const gate = Promise.withResolvers<void>();
      const queue = store.queue(queueName);
      await queue.addAll(makeJobs(5));
      expect(await queue.counts()).toEqual({ waiting: 5, active: 0 });
      work(() => gate.promise, 2);
      await until(async () => (await queue.counts()).active === 2);
      expect(await queue.counts()).toEqual({ waiting: 3, active: 2 });
      gate.resolve();
      await until(isDrained);
    });

    test('shares the work between two workers', async () => {
      const shares = [0, 0];
      const gate = Promise.withResolvers<void>();
      for (const index of [0, 1])
        work(async () => {
          shares[index]!++;
          await Promise.all([gate.promise, sleep(5)]);
        });
      await store.queue(queueName).addAll(makeJobs(60));
      // One may need longer to connect than the other needs for all jobs.
      await until(() => shares[0] === 1 && shares[1] === 1);
      gate.resolve();
      await until(isDrained);
      expect(shares[0]! + shares[1]!).toBe(60);
      expect(Math.min(...shares)).toBeGreaterThan(10);
    });

    test('retries a job whose handler threw, and dead-letters it after five', async () => {
      const deadLetters: DeadLetter[] = [];
      let tries = 0;
      await store.queue(queueName).addAll([...makeJobs(1, 'bad'), ...makeJobs(3, 'good')]);
      const handler = async (job: { id: string }) => {
        if (!job.id.startsWith('bad')) return;
        tries++;
        throw new Error('no such thing');
      };
      work(handler, 2, deadLetters);
      await until(isDrained);
      expect(tries).toBe(5);
      expect(deadLetters).toEqual([
        { id: 'bad_0', name: 'work', data: { index: 0 }, reason: 'failed', error: 'no such thing' },
      ]);
      await store.queue(queueName).addAll(makeJobs(1, 'bad'));
      await until(() => tries > 5);
    });

    test('waits for the last pause when a job cannot be dead-lettered', async () => {
      const queue = store.queue(queueName);
      const times: number[] = [];
      const onDeadLetter = async () => {
        times.push(performance.now());
        if (times.length < 3) throw new Error('the database is unavailable');
      };
      const options = { concurrency: 1, retryDelaysMs: [1, 2, 250], onDeadLetter };
      workers.push(store.work(queueName, options, () => Promise.reject(new Error('no database'))));
      await queue.addAll(makeJobs(1));
      await until(() => times.length === 3);
      const gaps = times.slice(1).map((time, index) => time - times[index]!);
      expect(Math.min(...gaps)).toBeGreaterThan(200);
      await until(isDrained);
    });

    test.skipIf(name === 'redis' && kills === 1)(
      'gives up a job that crashes its worker, and none that always runs beside it',
      { timeout: 300_000 },
      async () => {
        const poison = { id: 'crash', name: 'exit', data: { afterMs: 150 }, priority: 5 };
        await store.queue(queueName).addAll([poison, ...makeJobs(4)]);
        const deadLetters: string[] = [];
        const done = new Set<string>();
        for (let starts = 0; starts < 25 && done.size + deadLetters.length < 5; starts++) {
          const { child, said, gone } = startChild(700);
          await Promise.race([gone, until(isDrained)]);
          child.kill('SIGTERM');
          await gone;
          for (const id of said.done) done.add(id);
          deadLetters.push(...said.deadLetter);
        }
        expect([deadLetters, done.size]).toEqual([['crash'], 4]);
      },
    );

    // The store makes no difference to it, so the short form has one.
    test.skipIf(name === 'redis' && kills === 1)(
      `gives up no healthy job in ${outsideKills} kills from outside`,
      // The pause before a suspect starts doubles with each kill, up to 12 s here.
      { timeout: 240_000 + outsideKills * 15_000 },
      async () => {
        await store.queue(queueName).addAll(makeJobs(2));
        for (let kill = 0; kill < outsideKills; kill++) {
          const { child, said, gone } = startChild(3_600_000);
          await until(() => said.started.length === 2);
          child.kill('SIGKILL');
          await gone;
          expect(said.deadLetter).toEqual([]);
        }
        const last = startChild(1);
        await until(isDrained);
        expect([last.said.deadLetter, last.said.done.toSorted()]).toEqual([[], ['job_0', 'job_1']]);
      },
    );

    test(
      `loses no job when a worker is killed ${kills} times`,
      { timeout: 240_000 + kills * 2_000 },
      async () => {
        const ids = makeJobs(kills * 40).map((job) => job.id);
        await store.queue(queueName).addAll(makeJobs(kills * 40));
        const done = new Set<string>();
        const part = { name: `kills of a worker on ${name}`, total: kills };
        await trackProgress({ ...part, limitMs: 60_000 + kills * 2_000 }, async ({ add }) => {
          for (let kill = 0; kill < kills; kill++) {
            const { child, said, gone } = startChild();
            await until(() => said.started.length > 3);
            await sleep(Math.random() * 50);
            child.kill('SIGKILL');
            await gone;
            for (const id of said.done) done.add(id);
            add();
          }
        });
        const last = startChild(1);
        await until(isDrained, 40_000);
        for (const id of last.said.done) done.add(id);
        expect(ids.filter((id) => !done.has(id))).toEqual([]);
        expect(last.said.deadLetter).toEqual([]);
      },
    );

    test('returns a job whose worker hangs and dies', async () => {
      await store.queue(queueName).addAll([{ id: 'stuck', name: 'hang', data: {}, priority: 1 }]);
      const { child, said, gone } = startChild();
      await until(() => said.started.length === 1);
      child.kill('SIGKILL');
      await gone;
      const seen: string[] = [];
      work(async (job) => void seen.push(job.id));
      await until(() => seen.length === 1);
      expect(seen).toEqual(['stuck']);
    });

    // Redis counts the time of its locks itself.
    test.skipIf(name === 'redis')(
      'takes over the jobs of a killed process whose clock was ahead',
      async () => {
        await useShortLocks();
        await store.queue(queueName).addAll([{ id: 'stuck', name: 'hang', data: {}, priority: 1 }]);
        const { child, said, gone } = startChild();
        await until(() => said.started.length === 1);
        child.kill('SIGKILL');
        await gone;
        const ahead = Date.now() + 8 * 3_600_000;
        await pool.query(
          `with locked as (update job set locked_until_ms = $2::bigint where queue = $1)
           insert into meta (queue, field, value) values ($1, 'stalled-check', $2::text)
           on conflict (queue, field) do update set value = excluded.value`,
          [queueName, ahead],
        );
        const seen: string[] = [];
        work(async (job) => void seen.push(job.id));
        await until(() => seen.length === 1);
        expect(seen).toEqual(['stuck']);
      },
    );

    // Redis may be shared, so nobody knows that he is alone there.
    test.skipIf(name === 'redis')(
      'returns at its start what a killed process was running, to a process that is alone',
      async () => {
        const [stuck, waiting] = ['hang', 'work'].map((job) => ({
          id: job,
          name: job,
          data: {},
          priority: 1,
        }));
        await store.queue(queueName).addAll([stuck!]);
        const { child, said, gone } = startChild();
        await until(() => said.started.length === 1);
        child.kill('SIGKILL');
        await gone;
        await store.queue(queueName).addAll([waiting!]);
        // Nobody looks for jobs without a lock meanwhile.
        const open = (isAlone: boolean) =>
          openQueueStore({
            queueUrl: null,
            pool,
            log: silentLogger,
            isAlone,
            stalledIntervalMs: 600_000,
            lockDurationMs: longLockMs,
          });
        const counts = () => store.queue(queueName).counts();
        await open(false).migrate();
        expect(await counts()).toEqual({ waiting: 1, active: 1 });
        const alone = open(true);
        await alone.migrate();
        expect(await counts()).toEqual({ waiting: 2, active: 0 });
        const seen: string[] = [];
        const onDeadLetter = async () => undefined;
        const options = { concurrency: 1, retryDelaysMs, onDeadLetter };
        workers.push(alone.work(queueName, options, async (job) => void seen.push(job.id)));
        await until(() => seen.length === 2);
        expect(seen).toEqual(['hang', 'work']);
      },
    );

    const runLongJob = async () => {
      // Long enough for a machine that stops this process, which renews the lock.
      const lockMs = 6_000;
      await store.close();
      store = openStore(lockMs);
      let starts = 0;
      await store.queue(queueName).addAll(makeJobs(1));
      const handler = async () => {
        starts++;
        await sleep(lockMs + 1_500);
      };
      work(handler);
      work(handler);
      await until(isDrained);
      expect(starts).toBe(1);
    };

    test('keeps a job that runs longer than its lock', runLongJob);

    // Redis counts the time of its locks itself.
    test.skipIf(name === 'redis')(
      'keeps it also while the clocks of all workers are ahead of that of the database',
      async () => {
        const now = Date.now;
        const ahead = vi.spyOn(Date, 'now').mockImplementation(() => now() + 600_000);
        try {
          await runLongJob();
        } finally {
          ahead.mockRestore();
        }
      },
    );

    test('lets running jobs end when the worker closes', async () => {
      const done: string[] = [];
      const gate = Promise.withResolvers<void>();
      await store.queue(queueName).addAll(makeJobs(5));
      const worker = work(async (job) => {
        await gate.promise;
        done.push(job.id);
      }, 2);
      await until(async () => (await store.queue(queueName).counts()).active === 2);
      const closed = worker.close(30_000);
      await sleep(200);
      gate.resolve();
      await closed;
      expect(done).toHaveLength(2);
      expect(await store.queue(queueName).counts()).toEqual({ waiting: 3, active: 0 });
    });

    test('releases a job at the shutdown deadline, and another worker runs it', async () => {
      const ended: string[] = [];
      await store.queue(queueName).addAll(makeJobs(1));
      const worker = work(async (job) => {
        await new Promise((resolve) => job.signal.addEventListener('abort', resolve));
        job.signal.throwIfAborted();
      });
      work(async (job) => void ended.push(job.id));
      await until(
        async () => (await store.queue(queueName).counts()).active === 1 || ended.length === 1,
      );
      if (ended.length === 1) return;
      const began = performance.now();
      await worker.close(100);
      expect(performance.now() - began).toBeLessThan(10_000);
      await until(isDrained);
      expect(ended).toHaveLength(1);
    });

    test('reports its capacity as it grows and shrinks', async () => {
      const queue = store.queue(queueName);
      await queue.addAll(makeJobs(1));
      const before = (await store.queueCapacity.usedBytes()) ?? Number.NaN;
      await queue.addAll(makeJobs(many, 'more'));
      await until(async () => ((await store.queueCapacity.usedBytes()) ?? 0) > before + many * 666);
      expect(store.queueCapacity.capBytes).toBe((name === 'redis' ? 64 : 192) * 1024 * 1024);
      work(async () => {}, 20);
      await until(isDrained);
      await until(
        async () => ((await store.queueCapacity.usedBytes()) ?? Infinity) < before + many * 333,
      );
    });

    test('runs every job though the store is killed in between', async () => {
      const done = new Set<string>();
      await useShortLocks();
      await store.queue(queueName).addAll(makeJobs(150));
      const handler = async (job: { id: string }) => {
        await sleep(10);
        done.add(job.id);
      };
      work(handler, 2);
      work(handler, 2);
      await until(() => done.size > 20);
      await backend.crash();
      await until(isDrained, 40_000);
      expect(done.size).toBe(150);
      await store.queue(queueName).addAll(makeJobs(5, 'after'));
      await until(() => done.size === 155);
    });

    test('fails an add quickly while the store is down, and starts once it is up', async () => {
      await backend.down();
      const late = openStore(shortLockMs);
      const done: string[] = [];
      const worker = late.work(
        queueName,
        { concurrency: 1, retryDelaysMs, onDeadLetter: async () => {} },
        async (job) => void done.push(job.id),
      );
      const began = performance.now();
      await expect(late.queue(queueName).addAll(makeJobs(1))).rejects.toMatchObject({
        name: 'QueueUnavailableError',
      });
      expect(performance.now() - began).toBeLessThan(10_000);
      await backend.up();
      await until(() =>
        late
          .queue(queueName)
          .addAll(makeJobs(1))
          .then(
            () => true,
            () => false,
          ),
      );
      await until(() => done.length === 1);
      await worker.close(1_000);
      await late.close();
    });

    test('is shown on a board', async () => {
      await store.queue(queueName).addAll(makeJobs(3));
      const { plugin, options } = await createBoard(store);
      const server = fastify();
      await server.register(plugin, options);
      const page = await server.inject('/admin/queues');
      expect(page.headers['content-type']).toMatch('text/html');
      const response = await server.inject('/admin/queues/api/queues');
      const { queues } = response.json<{
        queues: { name: string; counts: object; readOnlyMode: boolean }[];
      }>();
      expect(queues).toMatchObject([
        { name: queueName, counts: { prioritized: 3 }, readOnlyMode: true },
      ]);
      await server.close();
    });
  });
});

describe.skipIf(redisProgram === undefined)('a Redis', () => {
  const openRedis = (
    queueUrl: string | null,
    log: { warn: (facts: object) => void; error: (facts: object) => void } = silentLogger,
  ) => openQueueStore({ queueUrl, pool: {} as pg.Pool, log: log as typeof silentLogger });

  test('that evicts keys is refused', async () => {
    const backend = await startRedis(['--maxmemory-policy', 'allkeys-lru']);
    const store = openRedis(backend.queueUrl);
    await expect(store.migrate()).rejects.toMatchObject({
      name: 'QueueConfigError',
      message: expect.stringContaining('noeviction'),
    });
    await store.close();
    await backend.stop();
  });

  test('without an append-only file causes a warning', async () => {
    const warned: object[] = [];
    const backend = await startRedis(['--appendonly', 'no']);
    const store = openRedis(backend.queueUrl, {
      warn: (facts) => warned.push(facts),
      error: () => {},
    });
    await store.migrate();
    expect(warned).toEqual([{ appendonly: 'no' }]);
    await store.close();
    await backend.stop();
  });

  test('that does not respond yet is waited for, and the log says so', async () => {
    const warned: { error?: string }[] = [];
    const server = await startTestRedis();
    const resume = pauseProcess(server!.pid);
    const store = openRedis(server!.url, {
      warn: (facts) => warned.push(facts),
      error: () => {},
    });
    const prepared = store.migrate();
    await until(() => Promise.resolve(warned.length > 0));
    resume();
    await prepared;
    expect(warned[0]!.error).toMatch(/not available/);
    await store.close();
    await server!.stop();
  });

  test('that never responds lets the store close', async () => {
    const server = await startTestRedis();
    const resume = pauseProcess(server!.pid);
    const store = openRedis(server!.url);
    const prepared = store.migrate().catch((error: Error) => error.message);
    await store.close();
    expect(await prepared).toBe('the queue store is closing');
    resume();
    await server!.stop();
  });

  test('that is down fails an add within seconds, and works again once up', async () => {
    const backend = await startRedis();
    const store = openRedis(backend.queueUrl);
    const queue = store.queue('outage');
    await queue.addAll(makeJobs(1));
    const pid = Number(
      execFileSync('pgrep', ['-f', `${redisName}.*${new URL(backend.queueUrl ?? '').port}`], {
        encoding: 'utf8',
      }).split('\n')[0],
    );
    process.kill(pid, 'SIGSTOP');
    const began = performance.now();
    await expect(queue.addAll(makeJobs(1, 'late'))).rejects.toMatchObject({
      name: 'QueueUnavailableError',
    });
    expect(performance.now() - began).toBeLessThan(10_000);
    expect(await store.queueCapacity.usedBytes().catch(() => 0)).toBeNull();
    process.kill(pid, 'SIGCONT');
    await until(() =>
      queue.addAll(makeJobs(1, 'again')).then(
        () => true,
        () => false,
      ),
    );
    await store.close();
    await backend.stop();
  });

  test('that is full is reported; its workers wait quietly and drain it later', async () => {
    const errors: object[] = [];
    const backend = await startRedis(['--maxmemory', '6mb', '--appendonly', 'no']);
    const store = openRedis(backend.queueUrl, {
      warn: () => {},
      error: (facts: object) => errors.push(facts),
    });
    await store.migrate();
    const queue = store.queue('full');
    const fill = async () => {
      for (let batch = 0; batch < 100; batch++) await queue.addAll(makeJobs(200, `b${batch}`));
    };
    await expect(fill()).rejects.toMatchObject({ name: 'QueueFullError' });
    await expect(queue.counts()).resolves.toMatchObject({ active: 0 });
    const worker = store.work(
      'full',
      { concurrency: 5, retryDelaysMs, onDeadLetter: async () => {} },
      async () => {},
    );
    await sleep(1_500);
    expect(errors.length).toBeLessThanOrEqual(1);
    const admin = new Redis(backend.queueUrl ?? '');
    await admin.config('SET', 'maxmemory', '8mb');
    await until(async () => (await queue.counts()).waiting === 0);
    expect(errors.length).toBeLessThanOrEqual(2);
    admin.disconnect();
    await worker.close(1_000);
    await store.close();
    await backend.stop();
  });

  test(
    'drains without an error when producers stop at 95 % of its memory',
    { timeout: 300_000 },
    async () => {
      const errors: object[] = [];
      const backend = await startRedis(['--maxmemory', '8mb', '--appendonly', 'no']);
      const store = openRedis(backend.queueUrl, {
        warn: () => {},
        error: (facts: object) => errors.push(facts),
      });
      await store.migrate();
      expect(store.queueCapacity.capBytes).toBe(8 * 1024 * 1024);
      const queue = store.queue('nearly');
      const admin = new Redis(backend.queueUrl ?? '');
      const usedBytes = async () =>
        Number(/used_memory:(\d+)/.exec(await admin.info('memory'))?.[1]);
      for (let batch = 0; (await usedBytes()) < store.queueCapacity.capBytes * 0.94; batch++)
        await queue.addAll(makeJobs(50, `b${batch}`));
      admin.disconnect();
      const worker = store.work(
        'nearly',
        { concurrency: 20, retryDelaysMs, onDeadLetter: async () => {} },
        async () => {},
      );
      await until(async () => (await queue.counts()).waiting === 0, 80_000);
      expect(errors).toEqual([]);
      await worker.close(1_000);
      await store.close();
      await backend.stop();
    },
  );
});
