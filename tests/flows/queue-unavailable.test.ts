import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Dispatcher, StoreWork } from '#domain/scheduling/runs/store-work.ts';
import { tick } from '#domain/scheduling/runs/tick.ts';
import { startApi, type TestApi } from '../harness/api.ts';
import { schedule } from '../harness/background-work.ts';
import { startPipeline, type Pipeline } from '../harness/pipeline.ts';
import { makePhrases } from '../harness/ground-truth.ts';

const day = '2026-05-10';
let pipeline: Pipeline;
let api: TestApi;

beforeAll(async () => {
  pipeline = await startPipeline({ day, work: false, simulator: { world: { apps: 300 } } });
  api = await startApi({
    db: pipeline.db,
    clock: pipeline.clock,
    stores: pipeline.runtime.services.stores,
  });
  await pipeline.track({ store: 'ios', storeAppId: '1500000001' }, makePhrases(2));
  await pipeline.track({ store: 'android', storeAppId: 'app.lumen.habits' }, makePhrases(2));
  pipeline.clock.set(`${day}T02:00:00Z`);
});
afterAll(async () => {
  await api.close();
  await pipeline.close();
});

const rows = async <T>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await pipeline.db.pool.query(text, values)).rows as T[];

test('a full queue blocks no other queue or work, and is logged once a tick', async () => {
  const me = await api.signUp();
  const { app } = await api.ok(
    'POST /apps',
    { body: { store: 'ios', storeAppId: '1500000001' } },
    me,
  );
  const { job } = await api.ok(
    'POST /apps/{id}/keywords',
    { params: { id: app.id }, body: { phrases: ['queue away'], countries: ['us'] } },
    me,
  );
  // As if its market had a result.
  await rows(
    'update market_schedule set completed_on = $1, urgent_at = null where market_id = ' +
      `(select id from markets where phrase = 'queue away')`,
    [day],
  );
  const taken: StoreWork[] = [];
  const away = () => Promise.reject(new Error('The queue store is full.'));
  const dispatcher: Dispatcher = {
    send: async (store, work) => (store === 'ios' ? away() : void taken.push(...work)),
    sendBackground: away,
  };
  await expect(tick(pipeline.runtime.services, dispatcher, schedule)).rejects.toThrow(
    'not enqueued: ios (The queue store is full.)',
  );
  expect(taken).toMatchObject([{ kind: 'store-probe', store: 'android', day }]);
  expect((await api.ok('GET /jobs/{jobId}', { params: { jobId: job!.id } }, me)).state).toBe(
    'succeeded',
  );
});

test('a database that does not respond ends the tick', async () => {
  const { services } = pipeline.runtime;
  const asked: string[] = [];
  const dispatcher: Dispatcher = {
    send: async (store) => void asked.push(store),
    sendBackground: async () => void asked.push('background'),
  };
  await pipeline.db.pool.query('alter table market_schedule rename to market_schedule_away');
  try {
    await expect(tick(services, dispatcher, schedule)).rejects.toThrow('market_schedule');
  } finally {
    await pipeline.db.pool.query('alter table market_schedule_away rename to market_schedule');
  }
  expect(asked).toEqual([]);
});
