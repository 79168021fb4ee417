import { setTimeout as sleep } from 'node:timers/promises';
import { everyPace } from '#config/pace-settings.ts';
import { utcDayOf } from '#lib/dates.ts';
import { seedHistory } from '#tests/harness/history.ts';
import { startToprung, type Child } from '#tests/harness/process.ts';
import { createDataDir, removeDataDir, signUpAt } from '#tests/harness/product.ts';
import { startRedis, type TestRedis } from '#tests/harness/redis.ts';
import { seedDueMarkets, startSimulatorProcess } from './checks.ts';
import { openBenchDatabase, type BenchDatabase } from './database.ts';
import { formatGetRequest, generateLoad } from './load-generator.ts';
import type { Measurement } from './measurement.ts';
import { usedMs } from './processor-time.ts';

const workerCounts = [1, 2, 4];
const warmChecks = 500;
const warmSeconds = 2;
const measuredSeconds = 8;
const readConnections = 4;
/** More than all rounds check. */
const markets = 40_000;
const resultsPerSearch = 20;

/**
 * Checks and reads a second with 1, 2 and 4 worker processes beside one API process, with each
 * queue. The store responds at once. Simulated store and load generator use the same processors, so
 * the figures say what more processes add on this machine, and the processor's time what they cost.
 */
export async function* measure(): AsyncGenerator<Measurement> {
  yield* measureQueue('PostgreSQL', null);
  const redis = await startRedis();
  if (redis === null) return console.log('redis-server is not installed: its queue is left out.');
  try {
    yield* measureQueue('Redis', redis);
  } finally {
    await redis.stop();
  }
}

async function* measureQueue(queue: string, redis: TestRedis | null): AsyncGenerator<Measurement> {
  // A process has up to 60 connections.
  const flags = { max_connections: '400' };
  const [database, dataDir] = await Promise.all([openBenchDatabase({ flags }), createDataDir()]);
  const simulator = await startSimulatorProcess(resultsPerSearch);
  const children: Child[] = [];
  const start = async (role: string, announced: RegExp): Promise<Child> => {
    const child = startToprung(['start', '--role', role], {
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      ...(redis && { QUEUE_URL: redis.url }),
      STORE_BASE_URL: simulator.baseUrl,
      API_PORT: '0',
      DAILY_RUN_AT: '00:00',
      ...everyPace('1000000'),
    });
    children.push(child);
    await child.waitFor(announced);
    return child;
  };
  try {
    await seedDueMarkets(database, resultsPerSearch, markets);
    const api = await start('api', / API: +http\S+/);
    const url = / API: +(\S+)/.exec(api.output())![1]!;
    const requests = await prepareReads(database, url);
    const servers = () => [...database.serverPids(), ...(redis ? [redis.pid] : [])];
    const figure = (name: string, measured: number, unit: string): Measurement => ({
      name: `${name}, queue in ${queue}`,
      scale: 'target',
      measured,
      unit,
      goal: null,
    });
    await generateLoad(url, readConnections, warmSeconds, requests);
    const alone = await rate(servers, [api], database, () => readFor(url, requests));
    yield figure('reads a second, no worker', alone.outcome / alone.seconds, '/s');
    yield figure('  processor time a read', alone.spentMs / alone.outcome, 'ms');
    for (const count of workerCounts) {
      const workers: Child[] = [];
      for (let number = 0; number < count; number += 1)
        workers.push(await start('worker', /The worker is up/));
      const before = await countChecks(database);
      while ((await countChecks(database)) < before + warmChecks) await sleep(50);
      const checking = await rate(servers, workers, database, () =>
        sleep(measuredSeconds * 1_000, 0),
      );
      const both = await rate(servers, [...workers, api], database, () => readFor(url, requests));
      const named = `${count} worker${count === 1 ? '' : 's'}`;
      yield figure(`checks a second, ${named}`, checking.checks / checking.seconds, '/s');
      yield figure('  processor time a check', checking.spentMs / checking.checks, 'ms');
      yield figure('  processors in use', checking.spentMs / checking.seconds / 1_000, '');
      yield figure(`checks a second beside reads, ${named}`, both.checks / both.seconds, '/s');
      yield figure(`reads a second beside checks, ${named}`, both.outcome / both.seconds, '/s');
      yield figure('  processors in use', both.spentMs / both.seconds / 1_000, '');
      await Promise.all(workers.map((worker) => worker.kill('SIGTERM')));
    }
  } finally {
    await Promise.all(children.map((child) => child.kill('SIGKILL')));
    await simulator.stop();
    await database.close();
    await removeDataDir(dataDir);
  }
}

/** Two lists of a workspace of 1,000 keywords, as the dashboard reads them. */
async function prepareReads(database: BenchDatabase, url: string): Promise<string[]> {
  const { token } = await signUpAt(url);
  const { rows } = await database.pool.query<{ id: number }>(
    'select max(id) as id from workspaces',
  );
  const { appIds } = await seedHistory(database.pool, {
    workspaceId: rows[0]!.id,
    apps: 1,
    markets: 1_000,
    days: 30,
    lastDay: utcDayOf(new Date()),
  });
  const credential = `authorization: Bearer ${token}`;
  return [`/apps/${appIds[0]}/keywords?limit=100`, '/rankings/latest?limit=100'].map((path) =>
    formatGetRequest(path, credential),
  );
}

const readFor = (url: string, requests: string[]): Promise<number> =>
  generateLoad(url, readConnections, measuredSeconds, requests);

const countChecks = async ({ pool }: BenchDatabase): Promise<number> =>
  Number((await pool.query('select count(*) as found from serps')).rows[0].found);

/** The checks, the time of the processor and the seconds while `work` ran. */
async function rate(
  servers: () => number[],
  processes: readonly Child[],
  database: BenchDatabase,
  work: () => Promise<number>,
): Promise<{ outcome: number; checks: number; spentMs: number; seconds: number }> {
  const pids = () => [...processes.map(({ pid }) => pid), ...servers()];
  const [checks, used, start] = [await countChecks(database), usedMs(pids()), performance.now()];
  const outcome = await work();
  const seconds = (performance.now() - start) / 1_000;
  return {
    outcome,
    seconds,
    spentMs: usedMs(pids()) - used,
    checks: (await countChecks(database)) - checks,
  };
}
