/**
 * The product on a virtual clock in a process of its own, so that its memory is not that of the
 * test. The parent sends an instant, and gets the process's figures when all of its work is done.
 */
import { readdirSync } from 'node:fs';
import { startApi } from '#boot/start-api.ts';
import { createRuntime } from '#boot/services.ts';
import { readConfig } from '#config/env.ts';
import { rowQueues } from '#domain/scheduling/runs/store-work.ts';
import { tick } from '#domain/scheduling/runs/tick.ts';
import { beginSeries } from '#domain/tracking/rankings/begin-series.ts';
import { createDispatcher } from '#jobs/dispatcher.ts';
import { registry } from '#jobs/registry.ts';
import { scheduleOf } from '#jobs/schedule.ts';
import { startWorkers } from '#jobs/workers.ts';
import { TestClock } from '#lib/clock.ts';
import { createLogger } from '#lib/logger.ts';

export interface SoakFigures {
  heapBytes: number;
  rssBytes: number;
  handles: number;
  files: number;
}

export type SoakMessage = { url: string } | { figures: SoakFigures };

const [firstInstant = '', databaseUrl = ''] = process.argv.slice(2);
const clock = new TestClock(firstInstant);
const config = readConfig({ ...process.env, API_PORT: '0', DATABASE_URL: databaseUrl });
const log = createLogger(config.LOG_LEVEL);
const runtime = await createRuntime({
  config,
  database: { urlOf: () => databaseUrl },
  log,
  clock,
  queueTiming: { stalledIntervalMs: 5_000, lockDurationMs: 10_000 },
  wrapPacer: (pacer) => ({ ...pacer, refused: async () => undefined }),
});
await beginSeries(runtime.services);
const api = await startApi({ config, runtime, log });
const dispatcher = createDispatcher(runtime.queues, registry);
startWorkers(runtime.queues, runtime.services, registry);
const schedule = scheduleOf(registry);
const queueNames = ['ios', 'android', ...rowQueues];
const say = (message: SoakMessage) => process.send!(message);

async function isBusy(): Promise<boolean> {
  const counts = await Promise.all(queueNames.map((name) => runtime.queues.queue(name).counts()));
  return counts.some(({ waiting, active }) => waiting + active > 0);
}

async function workUntil(instant: string): Promise<void> {
  clock.set(instant);
  for (let dispatched = 1; dispatched > 0;) {
    ({ dispatched } = await tick(runtime.services, dispatcher, schedule));
    while (await isBusy()) await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function readFigures(): SoakFigures {
  globalThis.gc!();
  const { heapUsed, rss } = process.memoryUsage();
  return {
    heapBytes: heapUsed,
    rssBytes: rss,
    handles: process.getActiveResourcesInfo().length,
    files: readdirSync('/proc/self/fd').length,
  };
}

process.on('message', (instant: string) => {
  void workUntil(instant).then(() => say({ figures: readFigures() }));
});
process.on('disconnect', () => process.exit(0));
say({ url: api.url });
