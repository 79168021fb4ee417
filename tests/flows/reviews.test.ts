import { afterAll, beforeAll, expect, test } from 'vitest';
import { syncReviews } from '#domain/tracking/reviews/sync-reviews.ts';
import { addDays } from '#lib/dates.ts';
import { startApi } from '../harness/api.ts';
import { startPipeline, type Pipeline } from '../harness/pipeline.ts';

const firstDay = '2026-05-10';
const apps = { ios: '1500000001', android: 'app.lumen.habits' };
type Store = keyof typeof apps;
let pipeline: Pipeline;

beforeAll(async () => {
  pipeline = await startPipeline({
    day: firstDay,
    simulator: { world: { apps: 300, resultsPerSearch: 60, androidMode: 'web30' } },
  });
});
afterAll(() => pipeline.close());

const idOf = async (store: Store) =>
  (
    await pipeline.db.pool.query('select id from listings where store = $1 and store_app_id = $2', [
      store,
      apps[store],
    ])
  ).rows[0].id as number;

async function readKept(store: Store, country: string): Promise<object[]> {
  const { rows } = await pipeline.db.pool.query(
    `select r.store_review_id, r.author, r.rating, r.title, r.body, r.version, r.reviewed_at,
       r.reply from reviews r
     where r.listing_id = $1 and r.country = $2 order by r.reviewed_at desc, r.store_review_id`,
    [await idOf(store), country],
  );
  return rows;
}

/** The store's real state, as far as it shows it. */
function readGroundTruth(store: Store, country: string): object[] {
  const found = pipeline.simulator.reviews({ store, storeAppId: apps[store], country });
  return found.slice(0, store === 'ios' ? 500 : 1_500).map((review) => ({
    store_review_id: review.storeReviewId,
    author: review.author,
    rating: review.rating,
    title: store === 'ios' ? review.title : null,
    body: review.body,
    version: review.version,
    reviewed_at: review.at,
    reply: store === 'ios' ? null : (review.reply?.text ?? null),
  }));
}

async function sync(store: Store, country: string): Promise<number> {
  const options = { signal: AbortSignal.timeout(60_000), lane: 'run' as const };
  const day = pipeline.clock.now().toISOString().slice(0, 10);
  return (
    await syncReviews(
      pipeline.runtime.services,
      { store, listingId: await idOf(store), country },
      day,
      options,
    )
  ).requests;
}

function moveTo(instant: string): void {
  pipeline.clock.set(instant);
  pipeline.simulator.setNow(pipeline.clock.now());
}

test.each(Object.keys(apps) as Store[])(
  '%s: days of fetches, some interrupted, end with what the store shows',
  async (store) => {
    moveTo(`${firstDay}T02:00:00Z`);
    await pipeline.track({ store, storeAppId: apps[store] }, [
      { phrase: 'mood journal', country: 'us' },
    ]);
    const truth = readGroundTruth(store, 'us');
    expect(truth.length).toBeGreaterThan(200);
    pipeline.simulator.setFaults([
      { fault: 'captcha', store, kind: 'reviews', after: 1 },
      { fault: '403', store, kind: 'reviews', after: 1 },
    ]);
    await expect(sync(store, 'us')).rejects.toMatchObject({ name: 'StoreError' });
    expect((await readKept(store, 'us')).length).toBe(store === 'ios' ? 50 : 150);
    pipeline.simulator.setFaults([]);

    pipeline.simulator.clearLog();
    const requests = await sync(store, 'us');
    expect(pipeline.simulator.log().filter((entry) => entry.kind === 'reviews')).toHaveLength(
      requests,
    );
    expect(await readKept(store, 'us')).toEqual(readGroundTruth(store, 'us'));
    for (let later = 1; later <= 6; later += 1) {
      moveTo(`${addDays(firstDay, later * 3)}T02:00:00Z`);
      if (later % 3 === 0) {
        pipeline.simulator.setFaults([{ fault: '503', store, kind: 'reviews', after: 1 }]);
        await sync(store, 'us').catch(() => undefined);
        pipeline.simulator.setFaults([]);
      }
      expect(await sync(store, 'us')).toBeLessThanOrEqual(3);
      const newest = readGroundTruth(store, 'us').slice(0, 100);
      const kept = new Map(
        (await readKept(store, 'us')).map((row) => [
          (row as { store_review_id: string }).store_review_id,
          row,
        ]),
      );
      // A response to an old review moves nothing to the front: it is seen when the review is
      // fetched again.
      const withoutReply = (row: object | undefined) => ({ ...row, reply: null });
      for (const row of newest)
        expect(
          withoutReply(kept.get((row as { store_review_id: string }).store_review_id)),
        ).toEqual(withoutReply(row));
    }
  },
  120_000,
);

test('reviews requested through the API are fetched by the worker', async () => {
  moveTo('2026-07-01T05:00:00Z');
  const api = await startApi({
    db: pipeline.db,
    clock: pipeline.clock,
    services: pipeline.runtime.services,
  });
  const ann = await api.signUp();
  const { app } = await api.ok(
    'POST /apps',
    { body: { store: 'ios', storeAppId: apps.ios, lookupCountry: 'gb' } },
    ann,
  );
  pipeline.simulator.addOverrides({
    reviews: [
      {
        store: 'ios',
        storeAppId: apps.ios,
        country: 'gb',
        at: '2026-07-01T04:00:00Z',
        rating: 1,
        title: 'Plainly',
        body: 'It eats my diary',
      },
    ],
  });
  const { job } = await api.ok('POST /apps/{id}/reviews/sync', { params: { id: app.id } }, ann);
  await expect
    .poll(
      async () => {
        await pipeline.tick();
        return (await api.ok('GET /jobs/{jobId}', { params: { jobId: job.id } }, ann)).state;
      },
      { timeout: 60_000, interval: 50 },
    )
    .toBe('succeeded');
  const { items } = await api.ok(
    'GET /apps/{id}/reviews',
    { params: { id: app.id }, query: { q: 'eats MY diary' } },
    ann,
  );
  expect(items).toMatchObject([{ rating: 1, title: 'Plainly', country: 'gb', language: 'en' }]);
  const stats = await api.ok('GET /apps/{id}/reviews/stats', { params: { id: app.id } }, ann);
  expect(stats.coverage).toMatchObject([{ country: 'gb', syncedAt: '2026-07-01T05:00:00.000Z' }]);
  expect(stats.total.count).toBeGreaterThan(10);
  await api.close();
});

test('reviews that Google Play shows in two countries are read in both, count once', async () => {
  moveTo('2026-07-02T05:00:00Z');
  const api = await startApi({
    db: pipeline.db,
    clock: pipeline.clock,
    services: pipeline.runtime.services,
  });
  const ann = await api.signUp();
  const { app } = await api.ok(
    'POST /apps',
    { body: { store: 'android', storeAppId: apps.android, lookupCountry: 'mx' } },
    ann,
  );
  const params = { id: app.id };
  const body = { phrases: ['habit tracker'], countries: ['ar'] };
  await api.ok('POST /apps/{id}/keywords', { params, body }, ann);
  for (const country of ['mx', 'ar']) await sync('android', country);
  expect(await readKept('android', 'ar')).toEqual(await readKept('android', 'mx'));
  const count = async (country?: string) => {
    const query = country === undefined ? {} : { country };
    return (await api.ok('GET /apps/{id}/reviews', { params, query }, ann)).total;
  };
  const counts = [await count(), await count('ar'), await count('mx')];
  expect(counts[0]).toBeGreaterThan(10);
  expect(counts).toEqual(Array(3).fill(counts[0]));
  await api.close();
});
