import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startSimulator, type Simulator } from '#simulator/server.ts';
import { anyOptions, openStores } from './store-server.ts';

/** The iOS client against the iOS store over HTTP: it finds the simulator's ground truth. */
let simulator: Simulator;
let open: ReturnType<typeof openStores>;

beforeAll(async () => {
  simulator = await startSimulator({ seed: 7, now: new Date('2026-07-15T12:00:00Z') });
});
afterAll(async () => {
  await simulator.close();
});
// Each test has a client of its own, since earlier responses decide what it accepts.
const opened: (typeof open)[] = [];
const ios = () => {
  open = openStores(simulator.baseUrl, { timeoutMs: 30_000 });
  opened.push(open);
  return open.stores.ios;
};
afterEach(async () => {
  simulator.setFaults([]);
  simulator.clearOverrides();
  simulator.clearLog();
  await Promise.all(opened.splice(0).map((each) => each.close()));
});

const lumen = { storeAppId: '1500000001', country: 'us' };
const reviewsQuery = { ...lumen, cursor: null, knownRatingCount: 9_000 };
const kindsAsked = () => simulator.log().map((entry) => entry.kind);

describe('reviews', () => {
  test('ten pages of fifty, newest first, then the window ends', async () => {
    const store = ios();
    const found = [];
    let cursor: string | null = null;
    const ends: string[] = [];
    do {
      const page = await store.reviews({ ...reviewsQuery, cursor }, anyOptions());
      found.push(...page.reviews);
      ends.push(page.end);
      cursor = page.next;
    } while (cursor !== null);
    expect(ends).toEqual([...Array<string>(9).fill('more'), 'window']);
    const truth = simulator.reviews({ store: 'ios', ...lumen }).slice(0, 500);
    expect(found).toEqual(
      truth.map((review) => ({
        storeReviewId: review.storeReviewId,
        author: review.author,
        rating: review.rating,
        title: review.title,
        body: review.body,
        version: review.version,
        reviewedAt: review.at.toISOString(),
        reply: null,
      })),
    );
    expect(simulator.counts().byKind).toMatchObject({ 'ios:reviews': 10 });
  });

  test('have the language of their storefront, for texts that do not show theirs', async () => {
    for (const [country, language] of [
      ['de', 'de'],
      ['br', 'pt-BR'],
    ] as const)
      expect((await ios().reviews({ ...reviewsQuery, country }, anyOptions())).language).toBe(
        language,
      );
  });

  test('a feed that ends is exhausted, also with one entry, or none if rarely rated', async () => {
    const byCount = (expected: number) =>
      simulator.world.catalogues.ios.apps.find(
        (app) =>
          simulator.reviews({ store: 'ios', storeAppId: app.storeAppId, country: 'us' }).length ===
          expected,
      );
    const one = byCount(1)!;
    const response = await ios().reviews(
      { ...reviewsQuery, storeAppId: one.storeAppId, knownRatingCount: 40 },
      anyOptions(),
    );
    expect([response.reviews.length, response.end, response.next, response.cost.requests]).toEqual([
      1,
      'exhausted',
      null,
      1,
    ]);
    const none = byCount(0)!;
    const silent = await ios().reviews(
      { ...reviewsQuery, storeAppId: none.storeAppId, knownRatingCount: 100 },
      anyOptions(),
    );
    expect([silent.reviews.length, silent.end, silent.cost.requests]).toEqual([0, 'exhausted', 2]);
    const unrated = await ios().reviews(
      { ...reviewsQuery, storeAppId: none.storeAppId, knownRatingCount: 0 },
      anyOptions(),
    );
    expect([unrated.reviews.length, unrated.end, unrated.cost.requests]).toEqual([
      0,
      'exhausted',
      1,
    ]);
  });

  test.each([1, 100, null])(
    'an empty feed is confirmed in the other form: %s ratings',
    async (knownRatingCount) => {
      simulator.setFaults([{ fault: 'soft-empty', path: '/json' }]);
      const response = await ios().reviews({ ...reviewsQuery, knownRatingCount }, anyOptions());
      expect([response.reviews.length, response.end, response.cost.requests]).toEqual([
        50,
        'more',
        2,
      ]);
    },
  );

  test('a feed that was empty is requested once, in the form that works', async () => {
    simulator.setFaults([{ fault: 'soft-empty', path: '/json' }]);
    const first = await ios().reviews(
      { ...reviewsQuery, knownRatingCount: 40, wasEmpty: true },
      anyOptions(),
    );
    expect([first.reviews.length, first.cost.requests]).toEqual([50, 1]);
    simulator.setFaults([{ fault: 'soft-empty' }]);
    const still = await ios().reviews(
      { ...reviewsQuery, knownRatingCount: 40, wasEmpty: true },
      anyOptions(),
    );
    expect([still.reviews.length, still.end, still.cost.requests]).toEqual([0, 'exhausted', 1]);
    const unconfirmed = ios().reviews({ ...reviewsQuery, wasEmpty: true }, anyOptions());
    await expect(unconfirmed).rejects.toMatchObject({
      marker: 'soft-empty',
      cost: { requests: 2 },
    });
  });

  test('an empty JSON feed of a rated app switches to the other form for all pages', async () => {
    simulator.setFaults([{ fault: 'soft-empty', path: '/json' }]);
    const store = ios();
    const first = await store.reviews(reviewsQuery, anyOptions());
    const second = await store.reviews({ ...reviewsQuery, cursor: first.next }, anyOptions());
    const ids = [...first.reviews, ...second.reviews].map((review) => review.storeReviewId);
    expect(ids).toEqual(
      simulator
        .reviews({ store: 'ios', ...lumen })
        .slice(0, 100)
        .map((review) => review.storeReviewId),
    );
    expect([first.cost.requests, second.cost.requests]).toEqual([2, 1]);
  });

  test('an empty page is the end only if the feed named its last page in both forms', async () => {
    const next = { ...reviewsQuery, knownRatingCount: null, cursor: '2-of-1' };
    simulator.setFaults([{ fault: 'soft-empty', path: '/json' }]);
    expect(await ios().reviews(next, anyOptions())).toMatchObject({
      end: 'more',
      next: 'xml-3-of-10',
      cost: { requests: 2 },
    });
    simulator.setFaults([{ fault: 'soft-empty', kind: 'reviews' }]);
    expect(await ios().reviews(next, anyOptions())).toMatchObject({
      reviews: [],
      end: 'exhausted',
      next: null,
      cost: { requests: 2 },
    });
    for (const cursor of ['2', '2-of-2', 'xml-3-of-10']) {
      await expect(ios().reviews({ ...next, cursor }, anyOptions())).rejects.toMatchObject({
        marker: 'soft-empty',
        cost: { requests: 2 },
      });
    }
  });

  test('empty in both forms is soft-empty, never "no reviews", with the cost of both', async () => {
    simulator.setFaults([{ fault: 'soft-empty', kind: 'reviews' }]);
    await expect(ios().reviews(reviewsQuery, anyOptions())).rejects.toMatchObject({
      failure: 'unreadable',
      marker: 'soft-empty',
      cost: { requests: 2 },
    });
  });

  test('an empty page that names a later one as the last is requested again', async () => {
    simulator.setFaults([{ fault: 'entries-withheld', path: '/json' }]);
    for (const knownRatingCount of [0, 40, null]) {
      const response = await ios().reviews({ ...reviewsQuery, knownRatingCount }, anyOptions());
      expect(response).toMatchObject({ end: 'more', next: 'xml-2-of-10', cost: { requests: 2 } });
      expect(response.reviews).toHaveLength(50);
    }
  });

  test('an empty page that names a later one as the last is soft-empty', async () => {
    simulator.setFaults([{ fault: 'entries-withheld', kind: 'reviews' }]);
    const queries = [
      { knownRatingCount: 0 },
      { knownRatingCount: 40 },
      { knownRatingCount: 40, wasEmpty: true },
      { knownRatingCount: null },
      { knownRatingCount: null, cursor: '2-of-1' },
    ];
    for (const query of queries) {
      await expect(
        ios().reviews({ ...reviewsQuery, ...query }, anyOptions()),
      ).rejects.toMatchObject({
        failure: 'unreadable',
        marker: 'soft-empty',
        cost: { requests: 2 },
      });
    }
  });

  test('an unknown cursor and invalid ids and countries are refused unsent', async () => {
    const store = ios();
    for (const cursor of ['1', '11', '0', '-2', 'xml-1', '2/id=7', '2-of-', '2-of-1/x', '']) {
      await expect(store.reviews({ ...reviewsQuery, cursor }, anyOptions())).rejects.toMatchObject({
        failure: 'bad_request',
        marker: 'cursor',
      });
    }
    await expect(
      store.reviews({ ...reviewsQuery, storeAppId: '../1' }, anyOptions()),
    ).rejects.toMatchObject({
      failure: 'bad_request',
      marker: 'id',
    });
    await expect(
      store.reviews({ ...reviewsQuery, country: 'US' }, anyOptions()),
    ).rejects.toMatchObject({ failure: 'bad_request' });
    expect(simulator.log()).toEqual([]);
  });

  test('an edited review keeps its id and has a later date', async () => {
    const overridden = {
      store: 'ios',
      ...lumen,
      rating: 5,
      body: 'Fine',
      storeReviewId: '77777777777',
    } as const;
    simulator.addOverrides({ reviews: [{ ...overridden, at: '2026-07-15T11:00:00Z' }] });
    const store = ios();
    const [before] = (await store.reviews(reviewsQuery, anyOptions())).reviews;
    simulator.addOverrides({
      reviews: [{ ...overridden, at: '2026-07-15T11:30:00Z', rating: 1, body: 'Not fine' }],
    });
    const [after] = (await store.reviews(reviewsQuery, anyOptions())).reviews;
    expect([before, after]).toMatchObject([
      {
        storeReviewId: '77777777777',
        rating: 5,
        title: null,
        reviewedAt: '2026-07-15T11:00:00.000Z',
      },
      {
        storeReviewId: '77777777777',
        rating: 1,
        body: 'Not fine',
        reviewedAt: '2026-07-15T11:30:00.000Z',
      },
    ]);
  });
});

describe('charts', () => {
  test.each(['free', 'paid', 'grossing'] as const)(
    '%s: overall and of a category, in the true order',
    async (chart) => {
      for (const category of [null, '6013']) {
        const response = await ios().chart(
          { chart, category, country: 'de', limit: 200 },
          anyOptions(),
        );
        const truth = simulator.chart({ store: 'ios', country: 'de', chart, category });
        expect(response.items.map((app) => app.storeAppId)).toEqual(truth);
        expect([response.depthReached, response.cost.requests]).toEqual([truth.length, 1]);
      }
      expect(kindsAsked()).toEqual(['chart', 'chart']);
    },
  );

  test('a limit applies, and a card has name, developer, bundle and icon', async () => {
    const { items } = await ios().chart(
      { chart: 'free', category: null, country: 'us', limit: 7 },
      anyOptions(),
    );
    expect(items).toHaveLength(7);
    expect(items[0]).toMatchObject({
      rating: null,
      ratingCount: null,
      bundleId: expect.stringContaining('.') as string,
      developer: expect.any(String) as string,
    });
    expect(items[0]!.iconUrl).toContain('/100x100bb.png');
  });

  test('the chart of all apps is never taken for that of a genre', async () => {
    simulator.setFaults([{ fault: 'genre-ignored' }]);
    const query = { chart: 'free', category: '6013', country: 'us', limit: 200 } as const;
    await expect(ios().chart(query, anyOptions())).rejects.toMatchObject({
      failure: 'unreadable',
      marker: 'other-genre',
      cost: { requests: 1 },
    });
  });

  test('an empty feed is a failure, not an empty chart', async () => {
    simulator.setFaults([{ fault: 'soft-empty', kind: 'chart' }]);
    const query = { chart: 'free', category: null, country: 'us', limit: 200 } as const;
    await expect(ios().chart(query, anyOptions())).rejects.toMatchObject({
      failure: 'unreadable',
      marker: 'soft-empty',
    });
  });
});

describe('hints', () => {
  test('ten in store order, with entities decoded once', async () => {
    const store = ios();
    const { terms, cost } = await store.hints({ prefix: 'habit', country: 'us' }, anyOptions());
    expect([terms, cost.requests]).toEqual([
      simulator.hints({ store: 'ios', country: 'us', prefix: 'habit' }),
      1,
    ]);
    expect((await store.hints({ prefix: 'yoga', country: 'us' }, anyOptions())).terms).toContain(
      'yoga & more',
    );
    expect((await store.hints({ prefix: 'gesund', country: 'de' }, anyOptions())).terms).toContain(
      'gesundheit',
    );
    expect(simulator.log().map((entry) => entry.country)).toEqual(['us', 'us', 'de']);
  });

  test('none is accepted only if the storefront offers others, which is checked once', async () => {
    const store = ios();
    const nothing = { prefix: 'zzqx', country: 'us' };
    expect(await store.hints(nothing, anyOptions())).toMatchObject({
      terms: [],
      cost: { requests: 2 },
    });
    expect(await store.hints(nothing, anyOptions())).toMatchObject({
      terms: [],
      cost: { requests: 1 },
    });
    expect(await store.hints({ ...nothing, country: 'fr' }, anyOptions())).toMatchObject({
      terms: [],
      cost: { requests: 2 },
    });
  });

  test('many empty responses at once are confirmed by one request', async () => {
    simulator.clearLog();
    const store = ios();
    const asked = ['qqxzv', 'qqxzw', 'qqxzu', 'qqxzt'].map((prefix) =>
      store.hints({ prefix, country: 'us' }, anyOptions()),
    );
    expect((await Promise.all(asked)).map((response) => response.terms)).toEqual([[], [], [], []]);
    expect(simulator.log()).toHaveLength(5);
  });

  test('many empty responses at once are refused if no letter has hints', async () => {
    simulator.setFaults([{ fault: 'soft-empty', kind: 'hints' }]);
    const store = ios();
    const asked = ['qqxzv', 'qqxzw', 'qqxzu'].map((prefix) =>
      store.hints({ prefix, country: 'us' }, anyOptions()),
    );
    const outcomes = await Promise.allSettled(asked);
    expect(
      outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.marker),
    ).toEqual(['soft-empty', 'soft-empty', 'soft-empty']);
  });

  test('a storefront without any hints is soft-empty', async () => {
    simulator.setFaults([{ fault: 'soft-empty', kind: 'hints' }]);
    await expect(
      ios().hints({ prefix: 'habit', country: 'us' }, anyOptions()),
    ).rejects.toMatchObject({
      failure: 'unreadable',
      marker: 'soft-empty',
      cost: { requests: 2 },
    });
  });

  test('a country without a known storefront is not offered, without a request', async () => {
    await expect(
      ios().hints({ prefix: 'habit', country: 'kp' }, anyOptions()),
    ).rejects.toMatchObject({
      failure: 'not_offered',
      marker: 'storefront',
    });
    await expect(ios().hints({ prefix: '  ', country: 'us' }, anyOptions())).rejects.toMatchObject({
      failure: 'bad_request',
      marker: 'prefix',
    });
    expect(simulator.log()).toEqual([]);
  });
});

describe('the app page', () => {
  test('has no subtitle if the store shows the genre instead', async () => {
    const released = { store: 'ios', storeAppId: lumen.storeAppId, day: '2026-07-10' } as const;
    simulator.addOverrides({ releases: [{ ...released, fields: { subtitle: '' } }] });
    for (const country of ['us', 'de'])
      expect((await ios().page({ ...lumen, country }, anyOptions())).subtitle).toBeNull();
  });

  test('has subtitle, stars and similar apps of the ground truth', async () => {
    const app = simulator.world.findApp('ios', lumen.storeAppId, 'us', simulator.day())!;
    const listing = simulator.world.listing(app, {
      country: 'us',
      language: 'en',
      day: simulator.day(),
    });
    const page = await ios().page(lumen, anyOptions());
    expect(page).toMatchObject({
      subtitle: listing.subtitle,
      ratingCount: listing.ratingCount,
      histogram: listing.histogram.toReversed(),
    });
    expect(page.rating).toBeCloseTo(listing.rating!, 1);
    const similar = simulator.world
      .similar(app, 'us', simulator.day())
      .map((other) => other.storeAppId);
    expect(page.similar.map((other) => other.storeAppId)).toEqual(similar);
    const asked = await ios().similar(lumen, anyOptions());
    expect([asked.items, asked.cost.requests]).toEqual([page.similar, 1]);
    expect(opened.at(-1)!.events.map((event) => event.kind)).toEqual(['similar']);
  });

  test('of a new app has null instead of 0 for stars', async () => {
    const { apps } = simulator.world.catalogues.ios;
    const today = Math.floor(simulator.now().getTime() / 86_400_000);
    const fresh = apps.find(
      (app) =>
        today - app.releasedOn < 14 &&
        today >= app.releasedOn &&
        simulator.world.findApp('ios', app.storeAppId, 'us', simulator.day()) !== null,
    )!;
    const page = await ios().page({ storeAppId: fresh.storeAppId, country: 'us' }, anyOptions());
    expect(page).toMatchObject({ rating: null, ratingCount: null, histogram: null });
    expect(page.similar.length).toBeGreaterThan(0);
  });

  test('of an unknown app is not offered; one removed from a country only there', async () => {
    simulator.setFaults([{ fault: 'gone', storeAppId: lumen.storeAppId, country: 'fr' }]);
    const store = ios();
    await expect(
      store.page({ storeAppId: '999999999', country: 'us' }, anyOptions()),
    ).rejects.toMatchObject({
      failure: 'not_offered',
      marker: '404',
    });
    await expect(store.similar({ ...lumen, country: 'fr' }, anyOptions())).rejects.toMatchObject({
      failure: 'not_offered',
      marker: '404',
    });
    expect((await store.page(lumen, anyOptions())).subtitle).not.toBeNull();
  });
});

describe('faults', () => {
  const questions = {
    reviews: () => ios().reviews(reviewsQuery, anyOptions()),
    chart: () =>
      ios().chart({ chart: 'free', category: null, country: 'us', limit: 200 }, anyOptions()),
    hints: () => ios().hints({ prefix: 'habit', country: 'us' }, anyOptions()),
    page: () => ios().page(lumen, anyOptions()),
  };
  const kinds = Object.keys(questions) as (keyof typeof questions)[];

  test.each(kinds)('%s: a refusal is a refusal, and is reported to the pacer', async (kind) => {
    for (const [fault, marker] of [
      ['403', '403-empty'],
      ['429', '429'],
      ['empty', 'empty'],
    ] as const) {
      simulator.setFaults([{ fault }]);
      await expect(questions[kind]()).rejects.toMatchObject({
        failure: 'refused',
        marker,
        cost: { requests: 1 },
      });
      expect(open.refusals).toMatchObject([{ marker }]);
    }
  });

  test.each(kinds)('%s: a captcha page with 200 is refused, never parsed', async (kind) => {
    simulator.setFaults([{ fault: 'captcha' }]);
    await expect(questions[kind]()).rejects.toMatchObject({ failure: 'refused' });
  });

  test.each(kinds)(
    '%s: a changed layout is unreadable, with its start kept for debugging',
    async (kind) => {
      simulator.setFaults([{ fault: 'rpc-renamed' }]);
      await expect(questions[kind]()).rejects.toMatchObject({ failure: 'unreadable' });
      expect(open.samples).toHaveLength(1);
    },
  );

  test('index-moved: reviews, charts and pages are unreadable', async () => {
    simulator.setFaults([{ fault: 'index-moved' }]);
    for (const kind of ['reviews', 'chart', 'page'] as const)
      await expect(questions[kind]()).rejects.toMatchObject({ failure: 'unreadable' });
  });

  test.each(kinds)(
    '%s: a gateway that fails once gets a second request, and both are counted',
    async (kind) => {
      simulator.setFaults([{ fault: '503', times: 1 }]);
      expect((await questions[kind]()).cost.requests).toBe(2);
    },
  );
});
