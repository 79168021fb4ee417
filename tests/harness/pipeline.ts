import { startSimulator, type Simulator } from '#simulator/server.ts';
import { createRuntime, type Runtime } from '#boot/services.ts';
import { readConfig } from '#config/env.ts';
import { everyPace } from '#config/pace-settings.ts';
import { findRun } from '#db/queries/runs/runs.ts';
import { beginSeries } from '#domain/tracking/rankings/begin-series.ts';
import { tick } from '#domain/scheduling/runs/tick.ts';
import { defaultDeviceOf, type StoreName } from '#domain/base/ports.ts';
import { createDispatcher } from '#jobs/dispatcher.ts';
import type { Registry } from '#jobs/registry-entry.ts';
import { registry as productRegistry } from '#jobs/registry.ts';
import { scheduleOf } from '#jobs/schedule.ts';
import { startWorkers } from '#jobs/workers.ts';
import { TestClock } from '#lib/clock.ts';
import { addDays } from '#lib/dates.ts';
import { silentLogger, type Logger } from '#lib/logger.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

export interface TrackedMarket {
  marketId: number;
  keywordId: number;
  store: StoreName;
  phrase: string;
  country: string;
  device: string;
  storeAppId: string;
  depth: number;
}

export interface Pipeline {
  db: TestDatabase;
  simulator: Simulator;
  runtime: Runtime;
  clock: TestClock;
  /** Creates an app with keywords in a new workspace, directly in the tables. */
  track(
    app: { store: StoreName; storeAppId: string },
    phrases: { phrase: string; country: string; device?: string; depth?: number }[],
  ): Promise<TrackedMarket[]>;
  /**
   * Moves to the day's run and lets the real scheduler, queue and workers run it; minutes pass
   * virtually while all wait.
   */
  runDay(day: string, options?: { maxTicks?: number; stepMs?: number }): Promise<void>;
  /** One tick of the scheduler; returns the number of jobs it enqueued. */
  tick(): Promise<number>;
  /** Ticks until nothing more is due at this instant and every enqueued job has ended. */
  runUntilIdle(): Promise<void>;
  close(): Promise<void>;
}

const findOpenJob = {
  name: 'find-open-job',
  text: "select from bullmq.job where state in ('waiting', 'active', 'delayed') limit 1",
};

/**
 * The real pipeline against the simulator, on virtual days: only the clock of the domain is
 * virtual.
 */
export async function startPipeline(options: {
  day: string;
  simulator?: Parameters<typeof startSimulator>[0];
  /** A simulator that was started before; the pipeline closes it. */
  running?: Simulator;
  environment?: Record<string, string>;
  db?: TestDatabase;
  work?: boolean;
  /** True by default. Feeds, pages, charts and hints take half of the time of a day. */
  storeTasks?: boolean;
  registry?: Registry;
  log?: Logger;
}): Promise<Pipeline> {
  const clock = new TestClock(`${options.day}T00:30:00Z`);
  const simulator =
    options.running ??
    (await startSimulator({ now: clock.now(), compress: false, ...options.simulator }));
  const db = options.db ?? (await createTestDatabase());
  const config = readConfig({
    STORE_BASE_URL: simulator.baseUrl,
    ...everyPace('1000000'),
    ...options.environment,
  });
  const runtime = await createRuntime({
    config,
    database: { urlOf: () => db.url },
    log: options.log ?? silentLogger,
    clock,
    // A busy machine loses a shorter lock; the job then runs twice, and its requests count twice.
    queueTiming: { stalledIntervalMs: 5_000, lockDurationMs: 10_000 },
    // A cooldown of minutes has no meaning while days pass in seconds; tests/stores covers the real
    // one.
    wrapPacer: (pacer) => ({ ...pacer, refused: async () => undefined }),
  });
  await beginSeries(runtime.services);
  const registry = options.registry ?? productRegistry;
  const schedule = scheduleOf(registry);
  const dispatcher = createDispatcher(runtime.queues, registry);
  const workers =
    options.work === false ? null : startWorkers(runtime.queues, runtime.services, registry);
  const runTick = async () => (await tick(runtime.services, dispatcher, schedule)).dispatched;

  // One statement for all queues; the queues' own counts take one each, and longer.
  const isIdle = async () => (await db.pool.query(findOpenJob)).rowCount === 0;

  const waitUntilIdle = async () => {
    while (!(await isIdle())) await new Promise((resolve) => setTimeout(resolve, 10));
  };

  return {
    db,
    simulator,
    runtime,
    clock,
    tick: runTick,
    track: (app, phrases) =>
      trackKeywords(db, app, phrases, { clock, storeTasks: options.storeTasks ?? true }),
    async runUntilIdle() {
      for (let dispatched = 1; dispatched > 0;) {
        dispatched = await runTick();
        await waitUntilIdle();
      }
    },
    async runDay(day, { maxTicks = 3_000, stepMs = 60_000 } = {}) {
      clock.set(`${day}T02:00:00Z`);
      simulator.setNow(clock.now());
      for (let ticks = 0; ticks < maxTicks; ticks++) {
        const dispatched = await runTick();
        await waitUntilIdle();
        const run = await findRun(runtime.services.systemDb, day);
        if (run?.finishedAt) return;
        if (dispatched === 0) clock.advance(stepMs);
        if (clock.now().toISOString().slice(0, 10) !== day) return;
      }
      throw new Error(`the run of ${day} did not end in ${maxTicks} ticks`);
    },
    close: async () => {
      await workers?.close(5_000);
      await runtime.close();
      await simulator.close();
      if (!options.db) await db.drop();
    },
  };
}

async function trackKeywords(
  db: TestDatabase,
  app: { store: StoreName; storeAppId: string },
  phrases: { phrase: string; country: string; device?: string; depth?: number }[],
  { clock, storeTasks }: { clock: TestClock; storeTasks: boolean },
): Promise<TrackedMarket[]> {
  const one = async <T>(text: string, values: unknown[]): Promise<T> =>
    (await db.pool.query(text, values)).rows[0] as T;
  const now = clock.now();
  const workspace = await one<{ id: number }>(
    "insert into workspaces (name) values ('test') returning id",
    [],
  );
  const listing = await one<{ id: number }>(
    'insert into listings (store, store_app_id, name) values ($1, $2, $2) on conflict ' +
      '(store, store_app_id) do update set name = excluded.name returning id',
    [app.store, app.storeAppId],
  );
  const { id: appId } = await one<{ id: number }>(
    'insert into apps (workspace_id, listing_id, primary_country, created_at) values ($1, ' +
      '$2, $3, $4) returning id',
    [workspace.id, listing.id, phrases[0]!.country, now],
  );
  const tracked: TrackedMarket[] = [];
  for (const [index, { phrase, country, depth = 200, ...on }] of phrases.entries()) {
    const device = on.device ?? defaultDeviceOf(app.store);
    const market = await one<{ id: number }>(
      'insert into markets (store, country, device, phrase) values ($1, $2, $3, $4) on conflict ' +
        '(store, country, device, phrase) do update set phrase = excluded.phrase returning id',
      [app.store, country, device, phrase],
    );
    await one(
      'insert into market_schedule (market_id, store, round_robin_order) values ($1, $2, $3) ' +
        'on conflict do nothing',
      [market.id, app.store, index + 1],
    );
    const keyword = await one<{ id: number }>(
      'insert into keywords (workspace_id, app_id, market_id, country, device, phrase, depth, ' +
        'tracking_periods, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning id',
      [
        workspace.id,
        appId,
        market.id,
        country,
        device,
        phrase,
        depth,
        JSON.stringify([[addDays(now.toISOString().slice(0, 10), 0), depth]]),
        now,
      ],
    );
    tracked.push({
      marketId: market.id,
      keywordId: keyword.id,
      store: app.store,
      phrase,
      country,
      device,
      storeAppId: app.storeAppId,
      depth,
    });
  }
  await db.pool.query('select refresh_market_demand($1)', [tracked.map((row) => row.marketId)]);
  await db.pool.query('select refresh_listing_demand($1)', [[listing.id]]);
  if (storeTasks) {
    await db.pool.query('select refresh_hint_demand($1)', [tracked.map((row) => row.marketId)]);
    await db.pool.query('select refresh_store_task_demand($1)', [[listing.id]]);
  }
  return tracked;
}
