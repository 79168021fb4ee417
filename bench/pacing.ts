import { everyPace } from '#config/pace-settings.ts';
import { startSimulator } from '#simulator/server.ts';
import { storeNames, type StoreName } from '#stores/profiles.ts';
import { utcDayOf } from '#lib/dates.ts';
import { startToprung } from '#tests/harness/process.ts';
import { openBenchDatabase } from './database.ts';
import type { Measurement } from './measurement.ts';
import { seedMarkets } from './plan.ts';

const rpm = 120;
const minuteMs = 60_000;
const measuredMs = 75_000;

/**
 * Two worker processes with more work than the pace allows, measured by the requests that reach the
 * stores.
 */
export async function* measure(): AsyncGenerator<Measurement> {
  const database = await openBenchDatabase();
  const simulator = await startSimulator({ compress: false, world: { resultsPerSearch: 20 } });
  try {
    await seedMarkets(database.pool, { apps: 20, markets: 1_000 });
    await database.pool.query(
      'update market_schedule set checked_on = $1::date - 1, completed_on = $1::date - 1, ' +
        'usual_results = 20',
      [utcDayOf(new Date())],
    );
    const environment = {
      DATABASE_URL: database.pool.options.connectionString!,
      STORE_BASE_URL: simulator.baseUrl,
      ...everyPace(String(rpm)),
      // One pace for each store: the search page has a pace of its own.
      SCRAPE_IOS_PROVIDERS: 'itunes',
      DAILY_RUN_AT: '00:00',
    };
    const workers = [
      startToprung(['start', '--role', 'worker'], environment),
      startToprung(['start', '--role', 'worker'], environment),
    ];
    await Promise.all(workers.map((worker) => worker.waitFor('The worker is up')));
    await new Promise((resolve) => setTimeout(resolve, measuredMs));
    await Promise.all(workers.map((worker) => worker.kill('SIGTERM')));
    for (const store of storeNames)
      yield* evaluate(
        store,
        simulator
          .log()
          .filter((entry) => entry.store === store)
          .map((entry) => entry.at),
      );
  } finally {
    await simulator.close();
    await database.close();
  }
}

/** The probe is alone; the pace counts from the first request of the run on. */
function* evaluate(store: StoreName, times: number[]): Generator<Measurement> {
  const sorted = times.toSorted((a, b) => a - b);
  const run = sorted.slice(1, -rpm / 20);
  const perMinute = ((run.length - 1) * minuteMs) / (run.at(-1)! - run[0]!);
  yield {
    name: `${store}: requests in any 60 s ÷ rpm, two workers, most`,
    scale: `rpm ${rpm}`,
    measured: busiestMinute(sorted) / rpm,
    unit: '',
    goal: 1,
  };
  yield {
    name: `${store}: share of the pace left unused while work waits`,
    scale: `rpm ${rpm}`,
    measured: 1 - perMinute / rpm,
    unit: '',
    goal: 0.02,
  };
}

function busiestMinute(times: readonly number[]): number {
  let from = 0;
  let most = 0;
  for (let to = 0; to < times.length; to++) {
    while (times[to]! - times[from]! >= minuteMs) from++;
    most = Math.max(most, to - from + 1);
  }
  return most;
}
