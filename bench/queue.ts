import pg from 'pg';
import { dispatchStore } from '#domain/scheduling/runs/dispatch-store-work.ts';
import { openRun } from '#domain/scheduling/runs/open-run.ts';
import { createDispatcher } from '#jobs/dispatcher.ts';
import { registry } from '#jobs/registry.ts';
import { scheduleOf } from '#jobs/schedule.ts';
import { TestClock } from '#lib/clock.ts';
import { silentLogger } from '#lib/logger.ts';
import { storeNames } from '#stores/profiles.ts';
import { openQueueStore, type QueueStore } from '#queue/queue.ts';
import { readerOf, scales } from '#tests/harness/history.ts';
import { startRedis } from '#tests/harness/redis.ts';
import { openBenchDatabase, type BenchDatabase } from './database.ts';
import type { Measurement } from './measurement.ts';
import { seedMarkets, planDay } from './plan.ts';

const bytesPerJob = 1_350;
const goalMb = 10;
const megabyte = 1_048_576;

/**
 * The queue store's content for a day of 75,000 markets: the window, however slow the store and
 * however often it is refilled.
 */
export async function* measure(): AsyncGenerator<Measurement> {
  const database = await openBenchDatabase();
  const pool = new pg.Pool({
    connectionString: database.pool.options.connectionString,
    options: '-c search_path=bullmq',
  });
  try {
    await seedMarkets(database.pool, scales.stress);
    const inPostgres = await planSlowDay(
      database,
      openQueueStore({ queueUrl: null, pool, log: silentLogger }),
      countBytes,
    );
    yield {
      name: 'queue store while 75,000 markets are planned, PostgreSQL, peak',
      scale: 'stress',
      measured: inPostgres / megabyte,
      unit: 'MB',
      goal: goalMb,
    };
    await forgetRun(database);
    await database.pool.query(
      'update market_schedule set urgent_at = now(); update listing_schedule set urgent_at = now()',
    );
    const urgent = await planSlowDay(
      database,
      openQueueStore({ queueUrl: null, pool, log: silentLogger }),
      countBytes,
    );
    yield {
      name: 'the same while somebody waits for each of them',
      scale: 'stress',
      measured: urgent / megabyte,
      unit: 'MB',
      goal: goalMb,
    };
    const redis = await startRedis();
    if (redis === null) return;
    try {
      await forgetRun(database);
      const inRedis = await planSlowDay(
        database,
        openQueueStore({ queueUrl: redis.url, pool, log: silentLogger }),
        (queues) => queues.queueCapacity.usedBytes(),
      );
      yield {
        name: 'queue store while 75,000 markets are planned, Redis, peak',
        scale: 'stress',
        measured: inRedis / megabyte,
        unit: 'MB',
        goal: goalMb,
      };
    } finally {
      await redis.stop();
    }
  } finally {
    await pool.end();
    await database.close();
  }
}

/**
 * Twenty virtual hours at a store that never responds: the leases of waiting work expire again and
 * again.
 */
async function planSlowDay(
  database: BenchDatabase,
  queues: QueueStore,
  readBytes: (queues: QueueStore) => Promise<number | null>,
): Promise<number> {
  const clock = new TestClock(`${planDay}T02:00:00Z`);
  const services = { ...readerOf(database, 1, clock.now().toISOString()), clock };
  await database.pool.query(
    `insert into store_probes (store, provider, date, state, probed_at) ` +
      `select s, position_provider(s, $1), $1, 'ok', now() from ` +
      'unnest($2::text[]) s on conflict do nothing',
    [planDay, storeNames],
  );
  await queues.migrate();
  const dispatcher = createDispatcher(queues, registry);
  for (const store of storeNames) await queues.queue(store).counts();
  const before = (await readBytes(queues)) ?? 0;
  let peak = 0;
  for (let tick = 0; tick < 60; tick++) {
    const run = await openRun(services);
    for (const store of storeNames)
      await dispatchStore(services, dispatcher, store, run, scheduleOf(registry).store);
    // The store's capacity is read once a second.
    if (tick % 20 === 19) await new Promise((resolve) => setTimeout(resolve, 1_100));
    peak = Math.max(peak, ((await readBytes(queues)) ?? 0) - before);
    clock.advance(20 * 60_000);
  }
  await queues.close();
  return peak;
}

async function forgetRun(database: BenchDatabase): Promise<void> {
  await database.pool.query(
    'update market_schedule set queued_until = null, urgent_at = null; update ' +
      'listing_schedule set queued_until = null, urgent_at = null; delete from runs where ' +
      'finished_at is null',
  );
}

async function countBytes(queues: QueueStore): Promise<number> {
  const counts = await Promise.all(storeNames.map((store) => queues.queue(store).counts()));
  return counts.reduce((sum, count) => sum + count.waiting + count.active, 0) * bytesPerJob;
}
