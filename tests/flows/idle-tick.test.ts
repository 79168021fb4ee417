import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dispatchStore } from '#domain/scheduling/runs/dispatch-store-work.ts';
import type { StoreWork } from '#domain/scheduling/runs/store-work.ts';
import { schedule } from '../harness/background-work.ts';
import { startPipeline, type Pipeline } from '../harness/pipeline.ts';

const day = '2026-05-10';
let pipeline: Pipeline;

beforeAll(async () => {
  pipeline = await startPipeline({ day, work: false, simulator: { world: { apps: 300 } } });
  await pipeline.db.pool.query(
    `insert into listings (store, store_app_id) select 'ios', 'app ' || n from ` +
      'generate_series(1, 5000) n',
  );
  await pipeline.db.pool.query(
    'insert into listing_schedule (listing_id, country, store, completed_on) select id, ' +
      `'us', store, $1 from listings`,
    [day],
  );
  await pipeline.db.pool.query('analyze');
});
afterAll(() => pipeline.close());

/**
 * Rows of the listings' schedule that were read so far. The pool uses one connection while requests
 * are sequential.
 */
async function countRead(): Promise<number> {
  const { systemDb } = pipeline.runtime.services;
  await sql`select pg_stat_force_next_flush()`.execute(systemDb);
  const { rows } = await sql<{ read: number }>`
    select (seq_tup_read + idx_tup_fetch)::int as read from pg_stat_user_tables
      where relname = 'listing_schedule'`.execute(systemDb);
  return rows[0]!.read;
}

test('a tick reads only the listings that a job waits for', async () => {
  const taken: StoreWork[] = [];
  const dispatcher = {
    send: async (_: string, work: StoreWork[]) => void taken.push(...work),
    sendBackground: async () => undefined,
  };
  const before = await countRead();
  // More often than a statement is planned anew.
  for (let ticks = 0; ticks < 20; ticks += 1)
    await dispatchStore(pipeline.runtime.services, dispatcher, 'ios', undefined, schedule.store);
  expect(taken).toEqual([]);
  const some = `select listing_id from listing_schedule order by listing_id limit 3`;
  await pipeline.db.pool.query(
    'update listing_schedule set urgent_at = now(), completed_on = null where listing_id in ' +
      `(${some})`,
  );
  await dispatchStore(pipeline.runtime.services, dispatcher, 'ios', undefined, schedule.store);
  expect(taken).toMatchObject([{ kind: 'app-refresh', country: 'us', urgent: true }]);
  expect((await countRead()) - before).toBeLessThan(100);
});
