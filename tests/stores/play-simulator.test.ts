import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startSimulator, type FaultName, type Simulator } from '#simulator/server.ts';
import type { ReviewsResponse, StoreReview } from '#domain/base/ports.ts';
import { anyOptions, openStores } from './store-server.ts';

/** The Android client against the simulator over HTTP: it finds the simulator's ground truth. */
let simulator: Simulator;
let open: ReturnType<typeof openStores>;

beforeAll(async () => {
  simulator = await startSimulator({
    seed: 7,
    now: new Date('2026-07-15T12:00:00Z'),
    world: { requireSessionCookie: true },
  });
  open = openStores(simulator.baseUrl, { timeoutMs: 30_000 });
});
afterAll(async () => {
  await open.close();
  await simulator.close();
});
afterEach(() => {
  simulator.setFaults([]);
  simulator.clearOverrides();
  simulator.clearLog();
  simulator.setNow(new Date('2026-07-15T12:00:00Z'));
});

const popular = 'app.babel.translate';
const demo = 'app.lumen.habits';
const store = () => open.stores.android;
const reviews = (
  more: Partial<{
    storeAppId: string;
    country: string;
    cursor: string | null;
    knownRatingCount: number | null;
  }> = {},
) =>
  store().reviews(
    { storeAppId: popular, country: 'us', cursor: null, knownRatingCount: null, ...more },
    anyOptions(),
  );
const chart = (
  more: Partial<{
    chart: 'free' | 'paid' | 'grossing';
    category: string | null;
    country: string;
    limit: number;
  }> = {},
) =>
  store().chart(
    { chart: 'free', category: null, country: 'us', limit: 200, ...more },
    anyOptions(),
  );
const hints = (prefix: string, country = 'us') => store().hints({ prefix, country }, anyOptions());
const page = (storeAppId = demo, country = 'us') =>
  store().page({ storeAppId, country }, anyOptions());
const similar = (storeAppId = demo, country = 'us') =>
  store().similar({ storeAppId, country }, anyOptions());
const idsOf = (apps: { storeAppId: string }[]) => apps.map((app) => app.storeAppId);
const kinds = () => simulator.log().map((entry) => entry.kind);

async function readAll(
  more: { storeAppId?: string; country?: string } = {},
): Promise<{ found: StoreReview[]; ends: ReviewsResponse['end'][] }> {
  const found: StoreReview[] = [];
  const ends: ReviewsResponse['end'][] = [];
  for (let cursor: string | null = null, round = 0; round < 10; round++) {
    const response: ReviewsResponse = await reviews({ ...more, cursor });
    found.push(...response.reviews);
    ends.push(response.end);
    if (response.end !== 'more') break;
    cursor = response.next;
  }
  return { found, ends };
}

describe('reviews', () => {
  test.each(['us', 'de', 'jp'])(
    'all of them in %s, 150 a page and newest first',
    async (country) => {
      const truth = simulator.reviews({ store: 'android', storeAppId: popular, country });
      const { found, ends } = await readAll({ country });
      expect(found).toEqual(
        truth.map((review) => ({
          storeReviewId: review.storeReviewId,
          author: review.author,
          rating: review.rating,
          title: null,
          body: review.body,
          version: review.version,
          reviewedAt: review.at.toISOString(),
          reply:
            review.reply === null
              ? null
              : { text: review.reply.text, at: review.reply.at.toISOString() },
        })),
      );
      expect(found.some((review) => review.reply !== null)).toBe(true);
      expect(ends).toEqual([
        ...Array<string>(Math.ceil(truth.length / 150) - 1).fill('more'),
        'exhausted',
      ]);
    },
  );

  test('pages of one fetch are of one list, while more are written', async () => {
    const before = simulator.reviews({ store: 'android', storeAppId: popular, country: 'us' });
    const first = await reviews();
    simulator.addOverrides({
      reviews: [
        {
          store: 'android',
          storeAppId: popular,
          country: 'us',
          at: '2026-07-15T12:00:30Z',
          rating: 1,
          body: 'Just now',
        },
      ],
    });
    simulator.setNow(new Date('2026-07-15T12:01:00Z'));
    const second = await reviews({ cursor: first.next });
    expect(second.reviews.map((review) => review.storeReviewId)).toEqual(
      before.slice(150, 300).map((review) => review.storeReviewId),
    );
    expect((await reviews()).reviews[0]).toMatchObject({
      body: 'Just now',
      rating: 1,
      reviewedAt: '2026-07-15T12:00:30.000Z',
    });
  });

  test('an edited review keeps its id', async () => {
    const written = {
      store: 'android',
      storeAppId: demo,
      country: 'us',
      storeReviewId: 'one-and-the-same',
    } as const;
    simulator.addOverrides({
      reviews: [
        { ...written, at: '2026-07-15T10:00:00Z', rating: 1, body: 'Broken' },
        { ...written, at: '2026-07-15T11:00:00Z', rating: 5, body: 'Mended' },
      ],
    });
    const found = (await reviews({ storeAppId: demo })).reviews.filter(
      (review) => review.storeReviewId === 'one-and-the-same',
    );
    expect(found).toMatchObject([
      { rating: 5, body: 'Mended', reviewedAt: '2026-07-15T11:00:00.000Z' },
    ]);
  });

  test('no reviews are accepted, unless too many have rated for that', async () => {
    simulator.setFaults([{ fault: 'soft-empty', kind: 'reviews' }]);
    expect(await reviews({ knownRatingCount: 40 })).toMatchObject({
      reviews: [],
      next: null,
      end: 'exhausted',
    });
    expect(await reviews()).toMatchObject({ reviews: [], end: 'exhausted' });
    await expect(reviews({ knownRatingCount: 50_000 })).rejects.toMatchObject({
      failure: 'unreadable',
      marker: 'soft-empty',
      cost: { requests: 1 },
    });
    simulator.setFaults([{ fault: 'null-payload', kind: 'reviews' }]);
    await expect(reviews({ knownRatingCount: 50_000 })).rejects.toMatchObject({
      marker: 'soft-empty',
    });
  });

  test('a rejected cursor is the end of the window, not of all reviews', async () => {
    const { next } = await reviews();
    simulator.setFaults([{ fault: 'null-payload', kind: 'reviews' }]);
    expect(await reviews({ cursor: next, knownRatingCount: 50_000 })).toMatchObject({
      reviews: [],
      next: null,
      end: 'window',
    });
  });
});

describe('charts', () => {
  test.each([
    ['free', null],
    ['paid', null],
    ['grossing', null],
    ['free', 'GAME'],
    ['grossing', 'HEALTH_AND_FITNESS'],
  ] as const)('%s of %s is the true chart, in full depth', async (name, category) => {
    const truth = simulator.chart({ store: 'android', country: 'de', chart: name, category });
    const response = await chart({ chart: name, category, country: 'de' });
    expect(truth.length).toBeGreaterThan(20);
    expect(idsOf(response.items)).toEqual(truth);
    expect([response.depthReached, response.cost.requests]).toEqual([truth.length, 1]);
  });

  test('no more positions than requested are returned', async () => {
    const response = await chart({ limit: 10 });
    expect([idsOf(response.items), response.depthReached]).toEqual([
      simulator
        .chart({ store: 'android', country: 'us', chart: 'free', category: null })
        .slice(0, 10),
      10,
    ]);
  });

  test('an unknown category is an error, not an empty chart', async () => {
    simulator.setFaults([{ fault: 'no-results', kind: 'chart', times: 1 }]);
    await expect(chart()).rejects.toMatchObject({ failure: 'not_offered', marker: 'no-chart' });
    await expect(chart({ category: 'NO_SUCH_THING' })).rejects.toMatchObject({
      failure: 'not_offered',
      marker: 'no-chart',
      cost: { requests: 1 },
    });
  });
});

describe('hints', () => {
  test.each(['hab', 'photo', 'wetter', 'habit t'])(
    '%s: the store’s own, in its order',
    async (prefix) => {
      for (const country of ['us', 'de']) {
        const truth = simulator.hints({ store: 'android', country, prefix });
        expect((await hints(prefix, country)).terms).toEqual(truth);
      }
    },
  );

  test('may be none', async () => {
    expect(await hints('zzqqxx')).toMatchObject({ terms: [], cost: { requests: 1 } });
  });

  test('of quotes and brackets arrive as typed', async () => {
    for (const prefix of ['"],null,"x', "o'clock", 'a\\b', '日記&=?'])
      expect((await hints(prefix)).terms).toEqual([]);
    expect(simulator.log().every((entry) => entry.status === 200)).toBe(true);
  });
});

describe('pages and similar apps', () => {
  test('one request returns the listing’s histogram and the first similar apps', async () => {
    const response = await page();
    const [listing] = (await store().listings({ storeAppIds: [demo], country: 'us' }, anyOptions()))
      .found;
    expect([response.rating, response.ratingCount]).toEqual([
      listing!.rating,
      listing!.ratingCount,
    ]);
    expect(response.histogram!.reduce((sum, count) => sum + count, 0)).toBe(listing!.ratingCount);
    const mean =
      response.histogram!.reduce((sum, count, index) => sum + count * (index + 1), 0) /
      listing!.ratingCount!;
    expect(mean).toBeCloseTo(listing!.rating!, 3);
    const { world } = simulator;
    const app = world.findApp('android', demo, 'us', simulator.day())!;
    expect(idsOf(response.similar)).toEqual(
      world.similar(app, 'us', simulator.day(), 6).map((other) => other.storeAppId),
    );
    expect([response.subtitle, response.cost.requests]).toEqual([null, 1]);
  });

  test('similar apps come from the page, the cluster and its further pages', async () => {
    const response = await similar();
    const { world } = simulator;
    const app = world.findApp('android', demo, 'us', simulator.day())!;
    expect(idsOf(response.items)).toEqual(
      world.similar(app, 'us', simulator.day(), 80).map((other) => other.storeAppId),
    );
    expect(kinds()).toEqual(['details', 'cluster', 'continuation', 'continuation']);
    expect([response.items.length, response.cost.requests, open.events.at(-1)!.kind]).toEqual([
      80,
      4,
      'similar',
    ]);
  });

  test('the developer’s own apps before them are not taken for similar ones', async () => {
    const { world } = simulator;
    const apps = world.catalogues.android.apps.filter(
      (app) => world.findApp('android', app.storeAppId, 'us', simulator.day()) !== null,
    );
    const [one, other] = [...Map.groupBy(apps, (app) => app.developerId).values()].find(
      (group) => group.length > 1 && group[0]!.subject !== group[1]!.subject,
    )!;
    const found = idsOf((await page(one!.storeAppId)).similar);
    expect(found).toHaveLength(6);
    expect(found).not.toContain(other!.storeAppId);
  });

  test('an app that is not in the country is not offered there', async () => {
    simulator.setFaults([{ fault: 'gone', storeAppId: demo }]);
    await expect(page()).rejects.toMatchObject({
      failure: 'not_offered',
      marker: '404',
      cost: { requests: 1 },
    });
    await expect(similar()).rejects.toMatchObject({
      failure: 'not_offered',
      cost: { requests: 1 },
    });
  });
});

describe('faults', () => {
  const everything = (): Promise<unknown>[] => [
    reviews(),
    chart(),
    hints('hab'),
    page(),
    similar(),
  ];
  const cases: [FaultName, string][] = [
    ['403', 'refused'],
    ['429', 'refused'],
    ['502', 'unavailable'],
    ['503', 'refused'],
    ['sorry', 'refused'],
    ['captcha', 'refused'],
    ['reset', 'unavailable'],
    ['truncated-gzip', 'unavailable'],
    ['empty', 'refused'],
    ['rpc-renamed', 'unreadable'],
    ['index-moved', 'unreadable'],
  ];
  test.each(cases)(
    '%s is a failure of every kind, never an empty response',
    async (fault, failure) => {
      simulator.setFaults([{ fault }]);
      const outcomes = await Promise.allSettled(everything());
      expect(
        outcomes.map((result) =>
          result.status === 'rejected'
            ? (result.reason as { failure: string }).failure
            : 'answered',
        ),
      ).toEqual(Array(5).fill(failure));
    },
  );

  test('an error inside a response is a refusal of every rpc, heard by the pacer', async () => {
    const { next } = await reviews();
    simulator.setFaults([{ fault: 'rpc-error' }]);
    open.refusals.length = 0;
    const asked = [reviews(), reviews({ cursor: next }), chart(), hints('hab'), similar()];
    for (const outcome of await Promise.allSettled(asked)) {
      expect(outcome).toMatchObject({
        status: 'rejected',
        reason: { failure: 'refused', marker: 'rpc-error' },
      });
    }
    expect(open.refusals.map((refusal) => refusal.marker)).toEqual(
      Array<string>(asked.length).fill('rpc-error'),
    );
  });

  test('moved data keys change nothing', async () => {
    const { items } = await similar();
    simulator.setFaults([{ fault: 'ds-shifted' }]);
    expect((await similar()).items).toEqual(items);
    expect((await page()).similar).toHaveLength(6);
  });

  test('a consent page costs one more request', async () => {
    const fresh = openStores(simulator.baseUrl);
    simulator.setFaults([{ fault: 'consent' }]);
    const response = await fresh.stores.android.hints(
      { prefix: 'hab', country: 'us' },
      anyOptions(),
    );
    expect([response.terms.length, response.cost.requests]).toEqual([5, 2]);
    await fresh.close();
  });

  test('a refusal on the way to similar apps discards the results', async () => {
    simulator.setFaults([{ fault: '429', kind: 'continuation' }]);
    await expect(similar()).rejects.toMatchObject({ failure: 'refused', cost: { requests: 3 } });
  });
});
