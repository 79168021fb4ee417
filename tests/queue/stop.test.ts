import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { silentLogger } from '#lib/logger.ts';
import { openQueueStore } from '#queue/queue.ts';
import { openPool } from '#db/pool.ts';
import { createTestDatabase } from '../harness/database.ts';
import { until } from '../harness/load-recorder.ts';
import { pauseProcess } from '../harness/pause-process.ts';

test.skipIf(process.env.TEST_DATABASE_URL)(
  'a database that ends connections while the queue closes keeps the process alive',
  async () => {
    const database = await createTestDatabase();
    const pool = openPool({
      url: database.url,
      role: 'owner',
      max: 4,
      statementTimeoutMs: 10_000,
      searchPath: 'bullmq',
      log: silentLogger,
    });
    const store = openQueueStore({ queueUrl: null, pool, log: silentLogger });
    await store.migrate();
    const worker = store.work(
      'rank-checks',
      { concurrency: 1, retryDelaysMs: [], onDeadLetter: async () => undefined },
      async () => undefined,
    );
    const listening = async () =>
      (
        await database.pool.query<{ pid: number }>(
          'select pid from pg_stat_activity where datname = current_database() and query ' +
            "like '%LISTEN bullmq_jobs%' and pid <> pg_backend_pid()",
        )
      ).rows;
    await until(async () => (await listening()).length > 0, 60_000, 'a connection that listens');
    const pids = (await listening()).map(({ pid }) => pid);

    // Frozen, it reads the end of its connection after the request to stop: its own last message
    // comes first.
    const goOn = pids.map(pauseProcess);
    await worker.close(1_000);
    await store.close();
    await database.pool.query('select pg_terminate_backend(pid) from unnest($1::int[]) as pid', [
      pids,
    ]);
    const crashed = Promise.race([
      once(process, 'uncaughtException').then(([error]) => String(error)),
      sleep(500, 'no'),
    ]);
    for (const wake of goOn) wake();
    expect(await crashed).toBe('no');
    await pool.end();
    await database.drop();
  },
);
