import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Services } from '#domain/base/context.ts';
import { StoreError } from '#domain/base/ports.ts';
import { syncReviews } from '#domain/tracking/reviews/sync-reviews.ts';
import { silentLogger } from '#lib/logger.ts';
import { TestClock } from '#lib/clock.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { createFeed, storeOf, type Feed } from './reviews-feed.fixtures.ts';

const day = '2026-11-21';
const options = { signal: new AbortController().signal, lane: 'run' as const };
let db: TestDatabase;
let listings = 0;

beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

async function begin(
  shape: { pageSize: number; windowPages: number } = { pageSize: 3, windowPages: 10 },
) {
  listings += 1;
  const { rows } = await db.pool.query(
    `insert into listings (store, store_app_id) values ('ios', $1) returning id`,
    [String(listings)],
  );
  const listingId = rows[0].id as number;
  const feed = createFeed(shape);
  const clock = new TestClock(`${day}T02:00:00Z`);
  const services = {
    systemDb: db.systemDb,
    clock,
    log: silentLogger,
    stores: { ios: storeOf(feed) },
  } as unknown as Services;
  const sync = () => {
    clock.advance(60_000);
    return syncReviews(services, { store: 'ios', listingId, country: 'us' }, day, options);
  };
  return { feed, sync, clock, listingId };
}

async function readKept(
  listingId: number,
): Promise<Map<string, { body: string; rating: number; at: string }>> {
  const { rows } = await db.pool.query(
    'select store_review_id as id, body, rating, reviewed_at from reviews where listing_id = $1',
    [listingId],
  );
  return new Map(
    rows.map((row) => [
      row.id,
      { body: row.body, rating: row.rating, at: row.reviewed_at.toISOString() },
    ]),
  );
}

const readCoverage = async (listingId: number) =>
  (await db.pool.query('select * from review_coverage where listing_id = $1', [listingId])).rows[0];
const groundTruthOf = (feed: Feed) =>
  new Map(
    feed
      .truth()
      .map(({ storeReviewId, body, rating, reviewedAt }) => [
        storeReviewId,
        { body, rating, at: reviewedAt! },
      ]),
  );
const swallow = async (reading: Promise<unknown>) =>
  reading.catch((error: unknown) => expect(error).toBeInstanceOf(StoreError));

describe('fetching a country’s reviews', () => {
  test('stops at known reviews', async () => {
    const { feed, sync, listingId } = await begin();
    feed.write(20);
    expect(await sync()).toEqual({ requests: 7 });
    feed.write(2);
    feed.plan({});
    expect(await sync()).toEqual({ requests: 1 });
    expect(await readKept(listingId)).toEqual(groundTruthOf(feed));
    expect(await readCoverage(listingId)).toMatchObject({ known_from: null, exceeded_at: null });
  });

  test('that is interrupted keeps whole pages and leaves no hidden hole', async () => {
    const { feed, sync, listingId } = await begin();
    feed.write(9);
    await sync();
    feed.write(9);
    feed.plan({ failAtPage: 2 });
    await swallow(sync());
    expect((await readKept(listingId)).size).toBe(12);
    feed.plan({});
    await sync();
    expect(await readKept(listingId)).toEqual(groundTruthOf(feed));
  });

  test('that fails at a later page has the cost of all pages', async () => {
    const { feed, sync } = await begin();
    feed.write(9);
    feed.plan({ failAtPage: 3 });
    await expect(sync()).rejects.toMatchObject({ name: 'StoreError', cost: { requests: 2 } });
  });

  test('that fails at the first page writes nothing and reports it', async () => {
    const { feed, sync, listingId } = await begin();
    feed.write(4);
    feed.plan({ failAtPage: 1 });
    await expect(sync()).rejects.toMatchObject({ name: 'StoreError', marker: 'timeout' });
    expect((await readKept(listingId)).size).toBe(0);
    expect(await readCoverage(listingId)).toBeUndefined();
  });

  test('from a feed without reviews is complete', async () => {
    const { sync, listingId } = await begin();
    expect(await sync()).toEqual({ requests: 1 });
    expect(await readCoverage(listingId)).toMatchObject({ known_from: null, exceeded_at: null });
  });

  test('continues past an edited review, and keeps its earlier text', async () => {
    const { feed, sync, listingId, clock } = await begin();
    feed.write(8);
    await sync();
    const firstSeen = clock.now();
    feed.write(7);
    feed.edit(0);
    feed.plan({ failAtPage: 2 });
    await swallow(sync());
    const replaced = clock.now();
    feed.plan({});
    await sync();
    expect(await readKept(listingId)).toEqual(groundTruthOf(feed));
    feed.edit(0);
    await sync();
    const { rows } = await db.pool.query(
      `select v.body, v.seen_at, v.replaced_at, r.edited_at from review_versions v
         join reviews r on r.id = v.review_id
       where r.listing_id = $1 and r.store_review_id = 'r0' order by v.id`,
      [listingId],
    );
    expect(rows).toEqual([
      { body: 'text 0 of r0', seen_at: firstSeen, replaced_at: replaced, edited_at: clock.now() },
      {
        body: 'text 1 of r0',
        seen_at: replaced,
        replaced_at: clock.now(),
        edited_at: clock.now(),
      },
    ]);
  });

  test('reports when more was written than the store shows, and what is complete', async () => {
    const { feed, sync, listingId, clock } = await begin({ pageSize: 3, windowPages: 2 });
    feed.write(10);
    await sync();
    const first = await readCoverage(listingId);
    expect(first).toMatchObject({
      exceeded_at: null,
      known_from: new Date(feed.truth()[5]!.reviewedAt!),
    });
    feed.write(8);
    await sync();
    expect(await readCoverage(listingId)).toMatchObject({
      exceeded_at: clock.now(),
      known_from: new Date(feed.truth()[5]!.reviewedAt!),
    });
    feed.write(1);
    await sync();
    const last = await readCoverage(listingId);
    expect(last.synced_at).toEqual(clock.now());
    expect(last.known_from).toEqual(new Date(feed.truth()[6]!.reviewedAt!));
  });

  test('requests ten pages at most', async () => {
    const { feed, sync, listingId } = await begin({ pageSize: 2, windowPages: 1_000 });
    feed.write(50);
    expect(await sync()).toEqual({ requests: 10 });
    expect(await readCoverage(listingId)).toMatchObject({
      known_from: new Date(feed.truth()[19]!.reviewedAt!),
      exceeded_at: null,
    });
  });

  test('twice at once loses nothing, whichever is interrupted', async () => {
    const { feed, sync, listingId } = await begin();
    feed.write(9);
    await sync();
    feed.write(12);
    await Promise.all([swallow(sync()), swallow(sync())]);
    feed.plan({});
    await sync();
    expect(await readKept(listingId)).toEqual(groundTruthOf(feed));
  });

  test('removes NUL, half characters and the end of long texts', async () => {
    const { feed, listingId } = await begin();
    feed.write(1);
    const hostile = {
      ...feed.truth()[0]!,
      title: 'a\0b\uD800',
      body: `x${'é'.repeat(30_000)}`,
      author: '  two\n lines ',
      reply: { text: '\0', at: 'never' },
    };
    const response = await feed.reviews({ cursor: null });
    feed.reviews = async () => ({
      ...response,
      reviews: [hostile, { ...hostile, body: 'twice' }, { ...hostile, storeReviewId: '\0' }],
    });
    const services = {
      systemDb: db.systemDb,
      clock: new TestClock(`${day}T02:00:00Z`),
      log: silentLogger,
      stores: { ios: storeOf(feed) },
    };
    await syncReviews(
      services as unknown as Services,
      { store: 'ios', listingId, country: 'us' },
      day,
      options,
    );
    const { rows } = await db.pool.query(
      'select title, length(body) as length, author, reply from reviews where listing_id = $1',
      [listingId],
    );
    expect(rows).toEqual([{ title: 'ab', length: 10_000, author: 'two lines', reply: null }]);
  });
});

const step = fc.oneof(
  fc.record({ kind: fc.constant('write' as const), count: fc.integer({ min: 1, max: 12 }) }),
  fc.record({ kind: fc.constant('edit' as const), number: fc.nat(60) }),
  fc.record({
    kind: fc.constant('sync' as const),
    failAtPage: fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined }),
    meanwhile: fc.array(
      fc.record({
        page: fc.integer({ min: 1, max: 5 }),
        count: fc.integer({ min: 0, max: 4 }),
        edit: fc.option(fc.nat(60), { nil: undefined }),
      }),
      {
        maxLength: 3,
      },
    ),
  }),
);

test('in any sequence ends with what the store shows, and correct coverage', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 14 }),
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 2, max: 6 }),
      async (steps, pageSize, windowPages) => {
        const { feed, sync, listingId } = await begin({ pageSize, windowPages });
        for (const now of steps) {
          if (now.kind === 'write') feed.write(now.count);
          else if (now.kind === 'edit') feed.edit(now.number);
          else {
            feed.plan({
              ...(now.failAtPage === undefined ? {} : { failAtPage: now.failAtPage }),
              meanwhile: (page) => {
                for (const event of now.meanwhile.filter((candidate) => candidate.page === page)) {
                  feed.write(event.count);
                  if (event.edit !== undefined) feed.edit(event.edit);
                }
              },
            });
            await swallow(sync());
          }
        }
        feed.plan({});
        await sync();
        const [kept, truth, coverage] = [
          await readKept(listingId),
          groundTruthOf(feed),
          await readCoverage(listingId),
        ];
        const knownFrom = (coverage.known_from as Date | null)?.toISOString() ?? '';
        const known = [...truth].filter(([, review]) => review.at >= knownFrom);
        expect(known.map(([id]) => [id, kept.get(id)])).toEqual(known);
        for (const id of kept.keys()) expect(truth.has(id)).toBe(true);
        const shown = feed.truth().slice(0, pageSize * windowPages);
        for (const review of shown) expect(kept.get(review.storeReviewId)?.body).toBe(review.body);
      },
    ),
    { numRuns: process.env.TORTURE ? 2_000 : 250 },
  );
}, 300_000);
