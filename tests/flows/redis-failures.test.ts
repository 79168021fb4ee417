import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ApiError, type Client } from '#client/http.ts';
import { utcDayOf } from '#lib/dates.ts';
import { readRedisFacts } from '#queue/read-redis-facts.ts';
import { compareWithGroundTruth, makePhrases } from '../harness/ground-truth.ts';
import { keepOrder } from '../harness/keep-order.ts';
import { expireLeases, hurryRetries, until, waitForOpenJobs } from '../harness/load-recorder.ts';
import { startPipeline, type Pipeline, type TrackedMarket } from '../harness/pipeline.ts';
import { startToprung, type Child } from '../harness/process.ts';
import { createDataDir, productEnvironment, removeDataDir, signUpAt } from '../harness/product.ts';
import { reportFigures, trackProgress } from '../harness/progress.ts';
import { mountSmallDisk } from '../harness/small-disk.ts';
import { redisName, redisProgram } from '../harness/redis.ts';
import { startRole, type RunningRole } from '../harness/start-role.ts';
import { startRedis, type Backend } from '../queue/redis-backend.ts';

keepOrder('the day of the first test is the one that the worker opens at its start');

const isLong = process.env.TORTURE !== undefined;
const scale = isLong ? { markets: 5_000, kills: 20 } : { markets: 30, kills: 1 };
const rounds = isLong ? 5 : 1;
const memoryBytes = 24 * 1024 ** 2;
const today = utcDayOf(new Date());
const ios = { store: 'ios', storeAppId: '1500000001' } as const;
const android = { store: 'android', storeAppId: 'app.lumen.habits' } as const;
const disk = redisProgram === undefined ? null : mountSmallDisk('256m');
if (redisProgram === undefined)
  console.info(`${redisName} is not installed: its failures are not tested`);
else if (disk === null)
  console.info('a full disk of Redis is not tested: only root may mount a small one');

describe.skipIf(redisProgram === undefined)('a Redis with the queue', () => {
  let pipeline: Pipeline;
  let redis: Backend;
  let dataDir: string;
  let api: RunningRole;
  let worker: Child;
  let client: Client;
  let token: string;
  let appId: number;
  let tracked: TrackedMarket[];

  beforeAll(async () => {
    pipeline = await startPipeline({
      day: today,
      work: false,
      simulator: { world: { apps: 300, resultsPerSearch: 20, androidMode: 'web30' } },
    });
    tracked = [
      ...(await pipeline.track(ios, makePhrases(scale.markets))),
      ...(await pipeline.track(android, makePhrases(scale.markets))),
    ];
    const settings = ['--maxmemory', String(memoryBytes), '--appendfsync', 'everysec'];
    redis = await startRedis(disk === null ? settings : [...settings, '--dir', disk.path]);
    dataDir = await createDataDir();
    const environment = {
      ...productEnvironment(dataDir, pipeline.simulator),
      DATABASE_URL: pipeline.db.url,
      QUEUE_URL: redis.queueUrl!,
      // A worker that is starved for two seconds would seem to have crashed.
      QUEUE_STALL_SECONDS: isLong ? '5' : '1',
      DAILY_RUN_AT: '00:00',
      LOG_LEVEL: 'warn',
    };
    api = await startRole('api', { ...environment, LOG_LEVEL: 'fatal' });
    worker = startToprung(['start', '--role', 'worker'], environment);
    await worker.waitFor('The worker is up');
    ({ client, token } = await signUpAt(api.url));
    const { app } = await client('POST /apps', { body: ios });
    appId = Number(app.id);
  });
  afterAll(async () => {
    await worker.kill('SIGKILL');
    await api.stop();
    await redis.stop();
    disk?.remove();
    await pipeline.close();
    await removeDataDir(dataDir);
  });

  const withAdmin = async <T>(work: (admin: Redis) => Promise<T>): Promise<T> => {
    const admin = new Redis(redis.queueUrl!);
    try {
      return await work(admin);
    } finally {
      admin.disconnect();
    }
  };

  /** Other keys take this share of its memory. */
  const fillTo = (share: number) =>
    withAdmin(async (admin) => {
      const readUsed = async () =>
        Number(/used_memory:(\d+)/.exec(await admin.info('memory'))?.[1]);
      for (let key = 0; (await readUsed()) < memoryBytes * share; key += 1)
        await admin.set(`junk:${key}`, 'x'.repeat(memoryBytes / 200));
    });
  const empty = () =>
    withAdmin(async (admin) => {
      await admin.del(...(await admin.keys('junk:*')));
    });

  const addKeyword = (phrase: string) =>
    client('POST /apps/{id}/keywords', {
      params: { id: appId },
      body: { phrases: [phrase], countries: ['us'] },
    });
  const codeOf = (work: Promise<unknown>) =>
    work.then(
      () => 'accepted',
      (error: unknown) => (error instanceof ApiError ? error.envelope.code : String(error)),
    );

  test(`${scale.kills} kills and a FLUSHALL lose no check of the day`, async () => {
    const ids = tracked.map(({ marketId }) => marketId);
    const done = async () =>
      (
        await pipeline.db.pool.query(
          'select from market_schedule where completed_on is not null and market_id = any($1)',
          [ids],
        )
      ).rowCount!;
    const all = tracked.length;
    const part = { name: 'kills of Redis', total: scale.kills + 1, limitMs: 1_200_000 };
    const startedMs = performance.now();
    let lostMs = 0;
    await trackProgress(part, async ({ add }) => {
      for (let kill = 1; kill <= scale.kills; kill++) {
        await until(
          async () => (await done()) >= (all * kill) / (scale.kills + 2),
          120_000,
          'work',
        );
        await redis.crash();
        add();
      }
      await withAdmin((admin) => admin.flushall());
      lostMs = performance.now();
      if (!isLong) await expireLeases(pipeline.db.pool);
      const isDayDone = async () => {
        if (!isLong) await hurryRetries(pipeline.db.pool);
        return (await done()) === all;
      };
      await until(isDayDone, 600_000, 'the rest of the day');
      add();
    });
    reportFigures(8, {
      kills: scale.kills,
      checks: all,
      'seconds after FLUSHALL': Math.round((performance.now() - lostMs) / 1_000),
      'seconds in all': Math.round((performance.now() - startedMs) / 1_000),
    });
    expect(await compareWithGroundTruth(pipeline, tracked, [today])).toMatchObject({
      rows: all,
      gaps: 0,
      wrong: [],
      falseNotFound: [],
      withoutOutcome: [],
      withTwoOutcomes: [],
    });
    const { rows } = await pipeline.db.pool.query('select count(*)::int from dead_letters');
    expect(rows).toEqual([{ count: 0 }]);
  }, 1_260_000);

  test('that is full refuses new work, serves reads, and drains unaided', async () => {
    const accepted: number[] = [];
    for (let number = 0; number < 5; number++)
      accepted.push(Number((await addKeyword(`before ${number}`)).job!.id));
    let tries = 0;
    // Buffers of its clients count too, and are freed later.
    const isRefused = async () => {
      await fillTo(0.97);
      return (await codeOf(addKeyword(`full ${tries++}`))) === 'queue_full';
    };
    await until(isRefused, 60_000, 'queue_full');
    const before = await countKeywords();
    const field = { params: { id: appId }, body: { text: 'diary,mood' } };
    const responses = await Promise.all([
      codeOf(addKeyword('refused')),
      codeOf(client('POST /apps/{id}/run-daily', { params: { id: appId } })),
      codeOf(client('GET /apps', {})),
      codeOf(client('GET /rankings/latest', {})),
      codeOf(client('PATCH /workspace', { body: { name: 'Still here' } })),
      codeOf(client('PUT /apps/{id}/keyword-field', field)),
    ]);
    const [newWork, everythingElse] = [responses.slice(0, 2), responses.slice(2)];
    expect(new Set(newWork)).toEqual(new Set(['queue_full']));
    expect(new Set(everythingElse)).toEqual(new Set(['accepted']));
    expect(await countKeywords()).toBe(before);
    await waitForOpenJobs(pipeline.db.pool, 60_000, { hurries: !isLong });
    const { rows } = await pipeline.db.pool.query('select id from jobs where state <> $1', [
      'succeeded',
    ]);
    expect(rows).toEqual([]);
    const logged = worker.output().split('\n').length;
    await empty();
    await until(async () => (await codeOf(addKeyword('after'))) === 'accepted', 60_000, 'work');
    await waitForOpenJobs(pipeline.db.pool, 60_000, { hurries: !isLong });
    reportFigures(3, { 'jobs drained while full': accepted.length, 'log lines': logged });
    expect(logged).toBeLessThan(100);
  });

  test.skipIf(disk === null)(
    `whose disk is full ${rounds} times loses no accepted work, and continues by itself`,
    async () => {
      const health = async () => {
        const headers = { authorization: `Bearer ${token}` };
        const response = await fetch(`${api.url}/health`, { headers });
        const { queue } = (await response.json()) as { queue: { writable: boolean } };
        return { status: response.status, writable: queue.writable };
      };
      const accepted: string[] = [];
      const accept = async (phrase: string) => {
        accepted.push(phrase);
        return Number((await addKeyword(phrase)).job!.id);
      };
      const recoveryMs: number[] = [];
      const logged = worker.output().split('\n').length;
      expect(await health()).toEqual({ status: 200, writable: true });
      const part = { name: 'times that the disk was full', total: rounds, limitMs: 600_000 };
      await trackProgress(part, async ({ add }) => {
        for (let round = 1; round <= rounds; round++) {
          disk!.fill();
          const again = setInterval(() => disk!.fill(), 20);
          const jobs: number[] = [];
          try {
            jobs.push(await accept(`disk ${round} noticed later`));
            await until(async () => (await health()).status === 503, 30_000, 'a 503');
            expect((await health()).writable).toBe(false);
            const name = redisName === 'valkey-server' ? 'Valkey' : 'Redis';
            const facts = await readRedisFacts(redis.queueUrl!);
            expect(facts).toMatchObject({ name, canPersist: false });
            for (let number = 0; number < 5; number++)
              jobs.push(await accept(`disk ${round} full ${number}`));
            expect(await codeOf(client('GET /rankings/latest', {}))).toBe('accepted');
            const isLogged = () => worker.output().includes('free space on the disk of Redis');
            await until(() => Promise.resolve(isLogged()), 30_000, 'the log of the worker');
          } finally {
            clearInterval(again);
            disk!.free();
          }
          const freedMs = performance.now();
          await until(async () => (await health()).status === 200, 30_000, 'a 200');
          await waitForOpenJobs(pipeline.db.pool, 120_000, { hurries: !isLong });
          recoveryMs.push(performance.now() - freedMs);
          const { rows } = await pipeline.db.pool.query(
            'select count(*)::int as done from jobs where id = any($1) and state = $2',
            [jobs, 'succeeded'],
          );
          expect(rows).toEqual([{ done: jobs.length }]);
          add();
        }
      });
      const { rows } = await pipeline.db.pool.query(
        `select count(*)::int as markets, count(completed_on)::int as checked from market_schedule
         where market_id in (select id from markets where phrase = any($1))`,
        [accepted],
      );
      expect(rows).toEqual([{ markets: accepted.length, checked: accepted.length }]);
      const lines = worker.output().split('\n').length - logged;
      reportFigures(3, {
        'full disks': rounds,
        'jobs accepted': accepted.length,
        'log lines': lines,
        'slowest recovery in ms': Math.round(Math.max(...recoveryMs)),
      });
      expect(lines).toBeLessThan(100 * rounds);
    },
    660_000,
  );

  const countKeywords = async () =>
    Number((await pipeline.db.pool.query('select count(*) from keywords')).rows[0].count);
});
