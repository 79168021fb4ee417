import { afterAll, beforeAll, expect, test } from 'vitest';
import { deferCheck } from '../../src/db/queries/checks.ts';
import { deferChore } from '../../src/db/queries/chores.ts';
import { closeRun } from '../../src/domain/runs/open-run.ts';
import { startPipeline, type Pipeline, type TrackedMarket } from '../harness/pipeline.ts';
import { makePhrases } from '../harness/truth.ts';

const day = '2026-05-10';
let pipeline: Pipeline;
let markets: TrackedMarket[];

const rows = async <T>(text: string, values: unknown[] = []): Promise<T[]> => (await pipeline.db.pool.query(text, values)).rows as T[];

beforeAll(async () => {
  pipeline = await startPipeline({ day, work: false, simulator: { world: { apps: 300 } } });
  markets = await pipeline.track({ store: 'ios', storeAppId: '1500000001' }, makePhrases(3));
});
afterAll(() => pipeline.close());

test('what only our own pacing put off was not run, what the store did not answer was tried', async () => {
  const { systemDb } = pipeline.runtime.services;
  const [put, refused, untouched] = markets.map((market) => market.marketId) as [number, number, number];
  const [feed, page] = (await rows<{ id: number }>(`select id from chores where kind in ('reviews', 'page') order by kind desc limit 2`)).map(
    (row) => row.id,
  ) as [number, number];
  const again = { day, attempts: 0, retryAt: pipeline.clock.now() };
  await deferCheck(systemDb, { ...again, marketId: put, marker: 'busy' });
  await deferCheck(systemDb, { ...again, marketId: refused, marker: '403' });
  await deferChore(systemDb, { ...again, choreId: feed, marker: 'late' });
  await deferChore(systemDb, { ...again, choreId: page, marker: '403' });
  await closeRun(pipeline.runtime.services, day);
  const gaps = await rows<{ id: number; reason: string }>('select market_id as id, reason from market_gaps where on_date = $1 order by 1', [day]);
  expect(gaps).toEqual([
    { id: put, reason: 'not_yet_run' },
    { id: refused, reason: 'store_error' },
    { id: untouched, reason: 'not_yet_run' },
  ]);
  const chores = await rows<{ id: number; reason: string }>(
    'select chore_id as id, reason from chore_gaps where on_date = $1 and chore_id = any($2)',
    [day, [feed, page]],
  );
  expect(new Map(chores.map((gap) => [gap.id, gap.reason]))).toEqual(
    new Map([
      [feed, 'not_yet_run'],
      [page, 'store_error'],
    ]),
  );
});
