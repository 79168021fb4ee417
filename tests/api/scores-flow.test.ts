import { afterAll, beforeAll, expect, test } from 'vitest';
import { ListingCache } from '#domain/tracking/listings/listing-cache.ts';
import type { Provenance } from '#domain/insights/scores/evidence.ts';
import { scoreStaleMarkets } from '#domain/insights/scores/score-markets.ts';
import { registry } from '#jobs/registry.ts';
import { runBackgroundWork } from '#jobs/run-background-work.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { startPipeline, type Pipeline } from '../harness/pipeline.ts';
import { insertApp } from './keywords.fixtures.ts';

const day = '2026-03-01';
const phrases = ['habit tracker', 'mood journal', 'zq xv nobody types this'];
let pipeline: Pipeline;
let api: TestApi;
let ann: Account;
const keywords = new Map<string, number>();
const apps = new Map<string, number>();

beforeAll(async () => {
  pipeline = await startPipeline({
    day,
    simulator: { world: { apps: 400, resultsPerSearch: 60, androidMode: 'web30' } },
  });
  api = await startApi({
    db: pipeline.db,
    clock: pipeline.clock,
    services: pipeline.runtime.services,
  });
  ann = await api.signUp();
  for (const [store, storeAppId] of [
    ['ios', '1500000001'],
    ['android', 'app.lumen.habits'],
  ] as const) {
    const { id } = await insertApp(api, ann, { store, storeAppId });
    apps.set(store, id);
    const { added } = await api.ok(
      'POST /apps/{id}/keywords',
      { params: { id }, body: { phrases, countries: ['us'] } },
      ann,
    );
    for (const keyword of added) keywords.set(`${store} ${keyword.phrase}`, keyword.id);
  }
  await pipeline.runDay(day);
});
afterAll(async () => {
  await api.close();
  await pipeline.close();
});

const hintRequests = () =>
  pipeline.simulator.log().filter((entry) => entry.kind === 'hints').length;

/** Accepts a score and runs it with the real scheduler, queue and workers. */
async function score(name: string): Promise<{
  requests: number;
  newest: { traffic: number | null; difficulty: number | null; provenance: Provenance };
}> {
  const keywordId = keywords.get(name)!;
  // Hints of keywords that an earlier test added are fetched by themselves.
  await pipeline.runUntilIdle();
  const before = hintRequests();
  const { job } = await api.ok('POST /keywords/{keywordId}/score', { params: { keywordId } }, ann);
  const state = async () =>
    (await api.ok('GET /jobs/{jobId}', { params: { jobId: job.id } }, ann)).state;
  for (let ticks = 0; ticks < 200 && ['queued', 'running'].includes(await state()); ticks += 1)
    await pipeline.tick();
  expect(await state()).toBe('succeeded');
  const { items } = await api.ok(
    'GET /keywords/{keywordId}/scores',
    { params: { keywordId } },
    ann,
  );
  return { requests: hintRequests() - before, newest: items[0] as never };
}

test.each(['ios', 'android'] as const)(
  'on %s the shortest offered prefix is found with at most four requests',
  async (store) => {
    for (const phrase of phrases.slice(0, 2)) {
      const { requests, newest } = await score(`${store} ${phrase}`);
      expect(requests).toBeGreaterThan(1);
      expect(requests).toBeLessThanOrEqual(4);
      const { hintPrefix, hintPosition, hintsDate, serpDate } = newest.provenance.inputs;
      const offered = pipeline.simulator.hints({ store, country: 'us', prefix: hintPrefix!, day });
      expect(offered.indexOf(phrase) + 1).toBe(hintPosition);
      expect([hintsDate, serpDate]).toEqual([day, day]);
      expect(newest.provenance.missing).not.toContain('traffic.early');
      expect(newest.provenance.confidences.traffic).toBe('high');
      expect(newest.traffic).toBeGreaterThan(20);
    }
  },
);

test('a phrase that is never offered costs one request and scores below all that are', async () => {
  const { requests, newest } = await score('ios zq xv nobody types this');
  expect(requests).toBe(1);
  expect(newest.provenance.inputs).toMatchObject({
    hintPrefix: null,
    hintPosition: null,
    hintsDate: day,
  });
  expect(newest.provenance.evidence).toContainEqual(
    expect.objectContaining({ score: 'traffic', signal: 'early', value: 0, points: 0 }),
  );
  expect(newest.traffic!).toBeLessThan((await score('ios habit tracker')).newest.traffic!);
});

test.each(['ios', 'android'] as const)(
  'on %s a phrase scores the same before and after it is tracked',
  async (store) => {
    const params = { id: apps.get(store)! };
    for (const phrase of ['daily planner', 'sleep sounds']) {
      const early = await api.ok(
        'GET /apps/{id}/phrase-score',
        { params, query: { phrase, country: 'us' } },
        ann,
      );
      expect([early.keywordId, early.provenance.missing.includes('traffic.early')]).toEqual([
        null,
        false,
      ]);
      const { added } = await api.ok(
        'POST /apps/{id}/keywords',
        { params, body: { phrases: [phrase], countries: ['us'] } },
        ann,
      );
      const keywordId = added[0]!.id;
      keywords.set(`${store} ${phrase}`, keywordId);
      await score(`${store} ${phrase}`);
      // Hints that came before the first results were scored without them.
      await scoreStaleMarkets(api.services);
      const { items } = await api.ok(
        'GET /keywords/{keywordId}/scores',
        { params: { keywordId } },
        ann,
      );
      const worth = ({
        traffic,
        difficulty,
        provenance,
      }: Pick<(typeof items)[number], 'traffic' | 'difficulty' | 'provenance'>) => [
        traffic,
        difficulty,
        // Results after the first ten may get their names after the score.
        { ...provenance, difficulties: provenance!.difficulties!.top5 },
      ];
      expect(worth(early)).toEqual(worth(items[0]!));
      const { latest } = await api.ok('GET /keywords/{keywordId}', { params: { keywordId } }, ann);
      expect([early.position, early.depth]).toEqual([latest!.position, latest!.depth]);
    }
  },
);

test('a refusing store leaves no hints, and nothing is scored as without traffic', async () => {
  const keywordId = keywords.get('android zq xv nobody types this')!;
  const kept = async () =>
    (
      await pipeline.db.pool.query(
        'select h.* from hint_evidence h join keywords k using (market_id) where k.id = $1',
        [keywordId],
      )
    ).rows.length;
  const before = await kept();
  pipeline.simulator.setFaults([{ fault: '503', store: 'android' }]);
  await api.ok('POST /keywords/{keywordId}/score', { params: { keywordId } }, ann);
  for (let ticks = 0; ticks < 5; ticks += 1) {
    await pipeline.tick();
    await expect
      .poll(async () => (await pipeline.runtime.queues.queue('android').counts()).active)
      .toBe(0);
  }
  expect(await kept()).toBe(before);
  pipeline.simulator.setFaults([]);
});

test('recomputed from stored data, the scores are the same without store requests', async () => {
  const newest = async () =>
    (await pipeline.db.pool.query('select * from market_scores order by market_id')).rows;
  const recompute = async () => {
    const { job } = await api.ok('POST /scores/recompute', { body: {} }, ann);
    await runBackgroundWork(
      registry,
      { ...api.services, listingCache: new ListingCache() },
      { kind: 'job', jobId: job.id },
      AbortSignal.timeout(10_000),
    );
  };
  // A market scored while the day's charts were incomplete is scored again with all of them.
  await scoreStaleMarkets(api.services);
  await recompute();
  const [before, requests] = [await newest(), pipeline.simulator.log().length];
  await recompute();
  expect(await newest()).toEqual(before);
  await pipeline.db.pool.query('delete from market_scores; delete from scores');
  await recompute();
  const values = (rows: { market_id: number; traffic: number; difficulty: number }[]) =>
    rows.map((row) => [row.market_id, row.traffic, row.difficulty]);
  expect(values(await newest())).toEqual(values(before));
  expect(pipeline.simulator.log().length).toBe(requests);
});
