import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { everyPace } from '#config/pace-settings.ts';
import { utcDayOf } from '#lib/dates.ts';
import { startToprung } from '#tests/harness/process.ts';
import { openBenchDatabase } from './database.ts';
import type { Measurement } from './measurement.ts';
import { seedMarkets } from './plan.ts';

const goalPerSecond = 150;
const warmChecks = 1_000;
const measuredMs = 12_000;

/**
 * One worker process with a store that responds at once: every check searched, stored and flushed
 * to the disk.
 */
export async function* measure(): AsyncGenerator<Measurement> {
  const database = await openBenchDatabase();
  const simulator = await startSimulatorProcess();
  try {
    await seedMarkets(database.pool, { apps: 20, markets: 12_000 });
    await database.pool.query(
      'update market_schedule set checked_on = $1::date - 1, completed_on = $1::date - 1, ' +
        'usual_results = 20',
      [utcDayOf(new Date())],
    );
    const worker = startToprung(['start', '--role', 'worker'], {
      DATABASE_URL: database.pool.options.connectionString!,
      STORE_BASE_URL: simulator.baseUrl,
      ...everyPace('1000000'),
      DAILY_RUN_AT: '00:00',
    });
    const countDone = async () =>
      Number((await database.pool.query('select count(*) from serps')).rows[0].count);
    while ((await countDone()) < warmChecks)
      await new Promise((resolve) => setTimeout(resolve, 50));
    const [before, start] = [await countDone(), performance.now()];
    await new Promise((resolve) => setTimeout(resolve, measuredMs));
    const [after, end] = [await countDone(), performance.now()];
    await worker.kill('SIGKILL');
    const perSecond = ((after - before) * 1000) / (end - start);
    yield {
      name: `ms a check, one worker process (${goalPerSecond} a second)`,
      scale: 'target',
      measured: 1000 / perSecond,
      unit: 'ms',
      goal: 1000 / goalPerSecond,
    };
    yield {
      name: 'checks a second, one worker process, all written',
      scale: 'target',
      measured: perSecond,
      unit: '/s',
      goal: null,
    };
  } finally {
    await simulator.stop();
    await database.close();
  }
}

/** In a process of its own, so that the store's cost is not the worker's. */
async function startSimulatorProcess(): Promise<{ baseUrl: string; stop(): Promise<void> }> {
  const server = fileURLToPath(new URL('../simulator/server.ts', import.meta.url));
  const code =
    `import { startSimulator } from ${JSON.stringify(server)}; console.log((await ` +
    'startSimulator({ compress: false, world: { resultsPerSearch: 20 } })).baseUrl)';
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
