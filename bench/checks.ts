import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { everyPace } from '#config/pace-settings.ts';
import { utcDayOf } from '#lib/dates.ts';
import { startToprung } from '#tests/harness/process.ts';
import { openBenchDatabase, type BenchDatabase } from './database.ts';
import type { Measurement } from './measurement.ts';
import { seedMarkets } from './plan.ts';
import { processorMs, usedMs } from './processor-time.ts';

const goalPerSecond = 350;
const goalProcessorMs = 2.2;
const goalLogKb = 2.5;
const goalQueueMb = 5;
const goalRatio = 3;
const warmChecks = 1_000;
const measuredMs = 12_000;
const bareRunMs = 6_000;
const resultCounts = [20, 200];

/**
 * One worker process with a store that responds at once: every check searched, stored and flushed
 * to the disk. The processor's time is that of the worker and of PostgreSQL.
 */
export async function* measure(): AsyncGenerator<Measurement> {
  for (const results of resultCounts) yield* measureChecks(results);
}

async function* measureChecks(results: number): AsyncGenerator<Measurement> {
  const database = await openBenchDatabase();
  const simulator = await startSimulatorProcess(results);
  try {
    await seedDueMarkets(database, results, 12_000);
    const worker = startToprung(['start', '--role', 'worker'], {
      DATABASE_URL: database.pool.options.connectionString!,
      STORE_BASE_URL: simulator.baseUrl,
      ...everyPace('1000000'),
      DAILY_RUN_AT: '00:00',
    });
    const read = async (query: string) => Number((await database.pool.query(query)).rows[0].found);
    const countDone = () => read('select count(*) as found from serps');
    const countLogBytes = () => read(`select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as found`);
    while ((await countDone()) < warmChecks) await sleep(50);
    const [before, logBefore, start] = [
      await countDone(),
      await countLogBytes(),
      performance.now(),
    ];
    const pids = () => [worker.pid, ...database.serverPids()];
    const spentMs = await processorMs(pids, () => sleep(measuredMs));
    const [after, logAfter, end] = [await countDone(), await countLogBytes(), performance.now()];
    const queueBytes = await read(
      `select sum(pg_total_relation_size(c.oid)) as found from pg_class c
       where relnamespace = 'bullmq'::regnamespace and relkind = 'r'`,
    );
    await worker.kill('SIGKILL');
    const checks = after - before;
    const perSecond = (checks * 1000) / (end - start);
    const inScale = (name: string, measured: number, unit: string, goal: number | null) => ({
      name: `${name}, ${results} results`,
      scale: 'target',
      measured,
      unit,
      goal,
    });
    yield {
      ...inScale(
        'checks a second, one worker process, all written',
        perSecond,
        '/s',
        goalPerSecond,
      ),
      isLeast: true,
    };
    yield inScale('processor time a check', spentMs / checks, 'ms', goalProcessorMs);
    const bareMs = await measureBare(database, simulator.baseUrl);
    yield inScale('  of a bare fetch, parse and set-based SQL', bareMs, 'ms', null);
    yield inScale('  ÷ bare', spentMs / checks / bareMs, '×', goalRatio);
    yield inScale(
      'write-ahead log a check',
      (logAfter - logBefore) / checks / 1e3,
      'KB',
      goalLogKb,
    );
    yield inScale('queue on the disk', queueBytes / 1e6, 'MB', goalQueueMb);
  } finally {
    await simulator.stop();
    await database.close();
  }
}

/** The processor time of a check by the plain program, in its process and in PostgreSQL. */
async function measureBare(database: BenchDatabase, storeUrl: string): Promise<number> {
  const program = fileURLToPath(new URL('bare-checks.ts', import.meta.url));
  const child = spawn(process.execPath, [program, database.url, storeUrl, String(bareRunMs)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const readLine = async () => String(((await once(child.stdout, 'data')) as [Buffer])[0]).trim();
  await readLine();
  const serverMs = usedMs(database.serverPids());
  const { checks, ownMs } = JSON.parse(await readLine()) as { checks: number; ownMs: number };
  return (ownMs + usedMs(database.serverPids()) - serverMs) / checks;
}

/** Checked yesterday; without a usual length where not every market has that many results. */
export async function seedDueMarkets(
  database: BenchDatabase,
  results: number,
  markets: number,
): Promise<void> {
  await seedMarkets(database.pool, { apps: 20, markets });
  await database.pool.query(
    'update market_schedule set checked_on = $1::date - 1, completed_on = $1::date - 1, ' +
      'usual_results = $2',
    [utcDayOf(new Date()), results > 20 ? null : results],
  );
}

/** In a process of its own, so that the store's cost is not the worker's. */
export async function startSimulatorProcess(
  results: number,
  apps = 3_000,
): Promise<{ baseUrl: string; stop(): Promise<void> }> {
  const server = fileURLToPath(new URL('../simulator/server.ts', import.meta.url));
  const code =
    `import { startSimulator } from ${JSON.stringify(server)}; console.log((await ` +
    `startSimulator({ compress: false, ` +
    `world: { apps: ${apps}, resultsPerSearch: ${results} } })).baseUrl)`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return {
    baseUrl: line.toString().trim(),
    stop: async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}
