/**
 * A worker process that conformance.test.ts kills. Prints one JSON line for each step: `{ready}`,
 * `{started: id}`, `{done: id}`, `{deadLetter: id}`. A job named `exit` ends the process, at
 * once or after `afterMs`; `hang` runs until the process is killed.
 */
import { enableCompileCache, flushCompileCache } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';

// Many of them start, and most are killed before they would write it.
enableCompileCache();
const { openPool } = await import('#db/pool.ts');
const { silentLogger } = await import('#lib/logger.ts');
const { openQueueStore } = await import('#queue/queue.ts');
flushCompileCache();

const [databaseUrl = '', queueUrl = '', name = '', durationMs = '10'] = process.argv.slice(2);
const say = (facts: object) => void process.stdout.write(`${JSON.stringify(facts)}\n`);
const pool = openPool({
  url: databaseUrl,
  role: 'owner',
  searchPath: 'bullmq',
  max: 4,
  statementTimeoutMs: 10_000,
  log: silentLogger,
});
const store = openQueueStore({
  queueUrl: queueUrl || null,
  pool,
  log: silentLogger,
  stalledIntervalMs: 300,
  lockDurationMs: 600,
  trialMs: 100,
});

const onDeadLetter = (job: { id: string }) => Promise.resolve(say({ deadLetter: job.id }));
const settings = { concurrency: 3, retryDelaysMs: [1_000, 4_000], onDeadLetter };
const worker = store.work(name, settings, async (job) => {
  say({ started: job.id });
  if (job.name === 'exit') {
    await sleep(Number(job.data.afterMs ?? 0));
    process.exit(1);
  }
  await sleep(job.name === 'hang' ? 3_600_000 : Number(durationMs));
  say({ done: job.id });
});
say({ ready: true });
const stop = async (): Promise<void> => {
  await worker.close(1_000);
  await store.close();
  process.exit(0);
};
process.once('SIGTERM', () => void stop());
