import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { createClient, type Client } from '#client/http.ts';
import { everyPace } from '#config/pace-settings.ts';
import { utcDayOf } from '#lib/dates.ts';
import { startToprung, type Child } from '#tests/harness/process.ts';
import { createDataDir, removeDataDir } from '#tests/harness/product.ts';
import type { BenchDatabase } from './database.ts';
import { startSimulatorProcess } from './checks.ts';
import { growthScales } from './growth-database.ts';
import { createReaders, openDueDatabase, type Reader } from './due-database.ts';
import { percentile, type Measurement } from './measurement.ts';

/** `BENCH_MINUTES=40` shows whether memory stays flat; the first minutes fill caches. */
const minutes = Number(process.env.BENCH_MINUTES ?? 3);
const leastMinutesForGrowth = 20;
const resultsPerSearch = 200;
const warmChecks = 2_000;
const readPauseMs = 50;
const readers = 2;
const sampleMs = 1_000;
const memoryEverySamples = 10;
const goals = { checksPerSecond: 150, lagSeconds: 10, readMs: 100, growth: 1.1 };

interface Samples {
  /** Seconds since the oldest check that is due for its alerts was made, at each moment. */
  lagSeconds: number[];
  memoryMb: { api: number[]; worker: number[] };
}

/**
 * A day of 750,000 markets in 1,500 workspaces as fast as one worker process can, with results as
 * long as the depth, while workspaces of all sizes read through an API process. A twentieth of the
 * checks finds that an app is no longer in the results.
 */
export async function* measure(): AsyncGenerator<Measurement> {
  const database = await openDueDatabase('huge');
  const dataDir = await createDataDir();
  const simulator = await startSimulatorProcess(resultsPerSearch, database.catalogueApps);
  const children: Child[] = [];
  const start = async (role: string, announced: RegExp): Promise<Child> => {
    const child = startToprung(['start', '--role', role], {
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      STORE_BASE_URL: simulator.baseUrl,
      API_PORT: '0',
      // As in the image and the units of systemd.
      NODE_OPTIONS: '--max-semi-space-size=2',
      DAILY_RUN_AT: '00:00',
      ...everyPace('1000000'),
    });
    children.push(child);
    await child.waitFor(announced, 60_000);
    return child;
  };
  try {
    const tenants = await createReaders(database, growthScales.huge.workspaces);
    const api = await start('api', / API: +http\S+/);
    const baseUrl = / API: +(\S+)/.exec(api.output())![1]!;
    const worker = await start('worker', /The worker is up/);
    while ((await countChecks(database.pool)) < warmChecks) await sleep(500);
    const before = await countChecks(database.pool);
    const startMs = performance.now();
    const endMs = startMs + minutes * 60_000;
    const [taken, samples] = await Promise.all([
      readUntil(endMs, baseUrl, tenants),
      sampleUntil(endMs, database, { api: api.pid, worker: worker.pid }),
    ]);
    const seconds = (performance.now() - startMs) / 1_000;
    const checks = (await countChecks(database.pool)) - before;
    yield* report({ checks, seconds, taken, samples });
  } finally {
    await Promise.all(children.map((child) => child.kill('SIGKILL')));
    await simulator.stop();
    await database.close();
    await removeDataDir(dataDir);
  }
}

function* report(seen: {
  checks: number;
  seconds: number;
  taken: number[];
  samples: Samples;
}): Generator<Measurement> {
  const scale = 'huge';
  const { lagSeconds, memoryMb } = seen.samples;
  const figure = (name: string, measured: number, unit: string, goal: number | null) => ({
    name,
    scale,
    measured,
    unit,
    goal,
  });
  yield {
    ...figure(
      `checks a second for ${minutes} minutes, ${resultsPerSearch} results`,
      seen.checks / seen.seconds,
      '/s',
      goals.checksPerSecond,
    ),
    isLeast: true,
  };
  const lags = lagSeconds.toSorted((a, b) => a - b);
  yield figure('  alerts after their checks, p99', percentile(lags, 0.99), 's', goals.lagSeconds);
  yield figure('  alerts after their checks, p50', percentile(lags, 0.5), 's', null);
  yield figure('  reads a second meanwhile', seen.taken.length / seen.seconds, '/s', null);
  yield figure('  a read meanwhile, p50', percentile(seen.taken, 0.5), 'ms', null);
  yield figure('  a read meanwhile, p99', percentile(seen.taken, 0.99), 'ms', goals.readMs);
  for (const role of ['api', 'worker'] as const) {
    const mb = memoryMb[role];
    const quarter = Math.max(1, Math.floor(mb.length / 4));
    yield figure(
      `  memory of the ${role} process, last quarter`,
      mean(mb.slice(-quarter)),
      'MB',
      null,
    );
    yield figure(
      '    ÷ second quarter',
      mean(mb.slice(-quarter)) / mean(mb.slice(quarter, 2 * quarter)),
      '×',
      minutes >= leastMinutesForGrowth ? goals.growth : null,
    );
  }
}

/** Milliseconds of each read, sorted. A failed one ends the measurement. */
async function readUntil(endMs: number, baseUrl: string, tenants: Reader[]): Promise<number[]> {
  const taken: number[] = [];
  const readOneByOne = async (first: number) => {
    for (let number = first; performance.now() < endMs; number += readers) {
      const tenant = tenants[number % tenants.length]!;
      const read = reads[Math.floor(number / tenants.length) % reads.length]!;
      const startMs = performance.now();
      await read(createClient({ baseUrl, token: tenant.token }), tenant.appId);
      taken.push(performance.now() - startMs);
      await sleep(readPauseMs);
    }
  };
  await Promise.all(Array.from({ length: readers }, (_, first) => readOneByOne(first)));
  return taken.toSorted((a, b) => a - b);
}

/** What people and programs ask for most. */
const reads: ((call: Client, id: number) => Promise<unknown>)[] = [
  (call) => call('GET /apps', {}),
  (call, id) => call('GET /apps/{id}/keywords', { params: { id }, query: { limit: 100 } }),
  (call) => call('GET /rankings/latest', { query: { limit: 100 } }),
  (call, id) => call('GET /apps/{id}/overview', { params: { id } }),
  (call, id) => call('GET /apps/{id}/rankings/movers', { params: { id } }),
  (call) => call('GET /events', { query: { limit: 50 } }),
  (call) => call('GET /jobs', { query: { limit: 20 } }),
  (call, id) => call('GET /apps/{id}/visibility', { params: { id } }),
];

async function sampleUntil(
  endMs: number,
  { pool }: BenchDatabase,
  pids: { api: number; worker: number },
): Promise<Samples> {
  const samples: Samples = { lagSeconds: [], memoryMb: { api: [], worker: [] } };
  for (let number = 0; performance.now() < endMs; number += 1) {
    samples.lagSeconds.push(await readLag(pool));
    if (number % memoryEverySamples === 0) {
      samples.memoryMb.api.push(residentMb(pids.api));
      samples.memoryMb.worker.push(residentMb(pids.worker));
    }
    await sleep(sampleMs);
  }
  return samples;
}

/** A check that waits for its confirmation counts from then on. */
async function readLag(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ lag: number | null }>(
    `select extract(epoch from max(now() - greatest(k.latest_at, p.evaluate_at)))::float8 as lag
     from pending_evaluations p join keywords k using (market_id)
     where p.on_date = $1 and k.latest_on = $1
       and (p.evaluate_at is null or p.evaluate_at <= now())`,
    [utcDayOf(new Date())],
  );
  return rows[0]!.lag ?? 0;
}

const countChecks = async (pool: pg.Pool): Promise<number> =>
  Number(
    (
      await pool.query('select count(*) as found from market_schedule where checked_on = $1', [
        utcDayOf(new Date()),
      ])
    ).rows[0].found,
  );

const residentMb = (pid: number): number =>
  Number(/^Pss: +(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))![1]) / 1024;

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
