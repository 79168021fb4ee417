import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { keepOrder } from '../harness/keep-order.ts';
import { startPipeline, type Pipeline } from '../harness/pipeline.ts';

keepOrder('the tests are the hours of one morning, before the run of the day');

const day = '2026-05-11';
const phrases = ['habit tracker', 'mood journal', 'daily planner', 'focus timer'];
let pipeline: Pipeline;
let api: TestApi;
let me: Account;
let appId: number;
let ids: Map<string, number>;

beforeAll(async () => {
  pipeline = await startPipeline({
    day: '2026-05-10',
    storeTasks: false,
    simulator: { world: { apps: 300, resultsPerSearch: 60 } },
  });
  api = await startApi({
    db: pipeline.db,
    clock: pipeline.clock,
    stores: pipeline.runtime.services.stores,
  });
  me = await api.signUp();
  const { app } = await api.ok(
    'POST /apps',
    { body: { store: 'ios', storeAppId: '1500000001' } },
    me,
  );
  appId = app.id;
  const { added } = await api.ok(
    'POST /apps/{id}/keywords',
    { params: { id: appId }, body: { phrases, countries: ['us'] } },
    me,
  );
  ids = new Map(added.map(({ phrase, id }) => [phrase, id]));
  await pipeline.runUntilIdle();
  pipeline.clock.set(`${day}T00:30:00Z`);
  pipeline.simulator.setNow(pipeline.clock.now());
});
afterAll(async () => {
  await api.close();
  await pipeline.close();
});

const check = (chosen: string[]) =>
  api.ok(
    'POST /apps/{id}/keywords/check',
    { params: { id: appId }, body: { ids: chosen.map((phrase) => ids.get(phrase)!) } },
    me,
  );
const searched = () => [
  ...new Set(
    pipeline.simulator
      .log()
      .flatMap(({ kind, phrase }) =>
        kind === 'search' && phrases.includes(phrase!) ? [phrase!] : [],
      ),
  ),
];
async function readRanked(): Promise<string[]> {
  const { items } = await api.ok('GET /apps/{id}/keywords', { params: { id: appId } }, me);
  return items.filter(({ latest }) => latest?.date === day).map(({ phrase }) => phrase);
}
const readJob = (jobId: number) => api.ok('GET /jobs/{jobId}', { params: { jobId } }, me);

test('a check searches for the chosen keywords and for nothing else', async () => {
  pipeline.simulator.clearLog();
  expect(await readRanked()).toEqual([]);
  const { job } = await check(['mood journal', 'focus timer']);
  // Nothing but rows: whoever is killed now loses nothing.
  expect((await pipeline.db.pool.query('select from bullmq.job')).rowCount).toBe(0);
  await pipeline.runUntilIdle();
  expect(searched().toSorted()).toEqual(['focus timer', 'mood journal']);
  expect(await readRanked()).toEqual(['focus timer', 'mood journal']);
  expect(await readJob(job!.id)).toMatchObject({
    state: 'succeeded',
    progress: { done: 2, total: 2 },
  });
});

test('a failed check writes no position, is tried again, and leaves the others alone', async () => {
  pipeline.simulator.clearLog();
  pipeline.simulator.setFaults([{ fault: '503', probability: 1, phrase: 'habit tracker' }]);
  const { job, skipped } = await check(['habit tracker', 'mood journal']);
  expect(skipped).toEqual([{ keywordId: ids.get('mood journal'), reason: 'checked_today' }]);
  await pipeline.runUntilIdle();
  expect(searched()).toEqual(['habit tracker']);
  expect(await readRanked()).toEqual(['focus timer', 'mood journal']);
  expect(await readJob(job!.id)).toMatchObject({
    state: 'queued',
    progress: { done: 0, total: 1 },
    parts: [{ kind: 'rank-check', awaited: 1, missing: 0 }],
  });
  pipeline.simulator.setFaults([]);
  const again = await check(['habit tracker']);
  expect(again.job).toMatchObject({ id: job!.id, deduped: true });
  await pipeline.runUntilIdle();
  expect(await readRanked()).toEqual(['focus timer', 'habit tracker', 'mood journal']);
  expect((await readJob(job!.id)).state).toBe('succeeded');
});
