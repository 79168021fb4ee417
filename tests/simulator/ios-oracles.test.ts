import * as appStore from '@perttu/app-store-scraper';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startSimulator, type Simulator } from '#simulator/server.ts';
import { storefrontCountries } from '#lib/apple-storefronts.ts';

// The library was written against the real store: what it can read is the store's format.
let simulator: Simulator;
beforeAll(async () => {
  simulator = await startSimulator({ seed: 7, now: new Date('2026-07-01T09:00:00Z') });
});
afterAll(() => simulator.close());
beforeEach(() => {
  simulator.clearLog();
  simulator.setFaults([]);
});

const toSimulator = {
  fetch: ((url: string, init?: RequestInit) =>
    fetch(String(url).replace('https://', `${simulator.baseUrl}/`), init)) as typeof fetch,
};
const lumen = { store: 'ios', storeAppId: '1500000001', country: 'us' } as const;
const getJson = async <Shape>(path: string) =>
  (await (await fetch(simulator.baseUrl + path)).json()) as Shape;

describe('@perttu/app-store-scraper reads', () => {
  it('500 true reviews in ten pages, newest first', async () => {
    const truth = simulator.reviews(lumen).slice(0, 500);
    const pages = [];
    for (let page = 1; page <= 10; page++)
      pages.push(
        ...(await appStore.reviews({
          id: 1500000001,
          country: 'us',
          page,
          requestOptions: toSimulator,
        })),
      );
    expect(pages).toHaveLength(500);
    expect(
      pages.map((review) => [
        review.id,
        review.score,
        review.title,
        review.text,
        review.userName,
        review.version,
      ]),
    ).toEqual(
      truth.map((review) => [
        review.storeReviewId,
        review.rating,
        review.title,
        review.body,
        review.author,
        review.version,
      ]),
    );
    expect(pages.map((review) => Date.parse(review.updated ?? ''))).toEqual(
      truth.map((review) => review.at.getTime()),
    );
    expect(simulator.counts().byKind).toEqual({ 'ios:reviews': 10 });
  });

  it('a chart of 200, and one of a category', async () => {
    for (const category of [undefined, 6013] as const) {
      const collection = appStore.collection.TOP_FREE_IOS;
      const found = await appStore.list({
        collection,
        num: 200,
        country: 'de',
        fullDetail: false,
        requestOptions: toSimulator,
        ...(category ? { category } : {}),
      } as never);
      const truth = simulator.chart({
        store: 'ios',
        country: 'de',
        chart: 'free',
        category: category === undefined ? null : String(category),
      });
      expect(found.map((app) => String(app.id))).toEqual(truth);
    }
  });

  it('decoded hints in every country it knows, and none without a storefront', async () => {
    const terms = async (term: string, country: string) =>
      (await appStore.suggest({ term, country, requestOptions: toSimulator })).map(
        (hint) => hint.term,
      );
    expect(await terms('habit', 'us')).toEqual(
      simulator.hints({ store: 'ios', country: 'us', prefix: 'habit' }),
    );
    expect((await terms('yoga', 'us')).join('|')).toContain('yoga & more');
    for (const country of storefrontCountries()) {
      expect([country, await terms('ga', country)]).toEqual([
        country,
        simulator.hints({ store: 'ios', country, prefix: 'ga' }),
      ]);
    }
    const bare = await fetch(
      `${simulator.baseUrl}/search.itunes.apple.com/WebObjects/MZSearchHints.woa/wa/hints?clientApplication=Software&term=habit&country=us`,
    );
    expect(await bare.text()).toContain('<array/>');
  });

  it('the stars one by one, the same as in the listing', async () => {
    const { ratings, histogram } = await appStore.ratings({
      id: 1500000001,
      country: 'us',
      requestOptions: toSimulator,
    });
    const app = await appStore.app({ id: 1500000001, country: 'us', requestOptions: toSimulator });
    expect(ratings).toBe(app.reviews);
    expect(Object.values(histogram).reduce((sum, count) => sum + count, 0)).toBe(ratings);
  });
});

describe('the iOS store', () => {
  const feed = (path: string) =>
    fetch(`${simulator.baseUrl}/itunes.apple.com/us/rss/customerreviews${path}`);

  it('writes none, one or many entries as Apple does, in either order of the parts', async () => {
    const small = simulator.world.catalogues.ios.apps.find(
      (app) => simulator.reviews({ ...lumen, storeAppId: app.storeAppId }).length === 1,
    )!;
    type Body = { feed: { entry?: unknown } };
    const entryOf = async (path: string) => ((await (await feed(path)).json()) as Body).feed.entry;
    expect(await entryOf('/page=1/id=999/sortby=mostrecent/json')).toBeUndefined();
    expect(await entryOf(`/page=1/id=${small.storeAppId}/sortby=mostrecent/json`)).toMatchObject({
      'im:rating': { label: expect.any(String) as string },
    });
    expect(await entryOf('/id=1500000001/sortBy=mostRecent/json')).toHaveLength(50);
    expect(await (await feed('/page=11/id=1500000001/sortby=mostrecent/json')).text()).toBe(
      'CustomerReviews RSS page depth is limited to 10',
    );
  });

  it('publishes reviews by the second', async () => {
    const first = simulator
      .reviews({ ...lumen, at: new Date('2026-07-20T00:00:00Z') })
      .find((review) => !review.edited && review.at > new Date('2026-07-02T00:00:00Z'))!;
    const page = async (instant: number) => {
      simulator.setNow(new Date(instant));
      return (await feed('/page=1/id=1500000001/sortby=mostrecent/json')).text();
    };
    expect(await page(first.at.getTime() - 1)).not.toContain(first.storeReviewId);
    expect(await page(first.at.getTime())).toContain(first.storeReviewId);
    simulator.setNow(new Date('2026-07-01T09:00:00Z'));
  });

  it('has trends by storefront, and a newer chart that ends at 100', async () => {
    const path = 'WebObjects/MZSearchHints.woa/wa/trends?clientApplication=Software';
    const trends = `${simulator.baseUrl}/search.itunes.apple.com/${path}`;
    const named = (await (
      await fetch(trends, { headers: { 'x-apple-store-front': '143443-1,29' } })
    ).json()) as { trendingSearches: unknown[] };
    expect(named.trendingSearches).toHaveLength(10);
    expect(await (await fetch(trends)).json()).toMatchObject({ trendingSearches: [] });
    type V2 = { feed: { results: { id: string }[] } };
    const { feed: top } = await getJson<V2>(
      '/rss.marketingtools.apple.com/api/v2/us/apps/top-free/100/apps.json',
    );
    expect(top.results.map((app) => app.id)).toEqual(
      simulator.chart({ store: 'ios', country: 'us', chart: 'free', category: null }).slice(0, 100),
    );
    expect(
      (
        await fetch(
          `${simulator.baseUrl}/rss.marketingtools.apple.com/api/v2/us/apps/top-free/200/apps.json`,
        )
      ).status,
    ).toBe(500);
  });
});

describe('control', () => {
  const post = (path: string, body: unknown) =>
    fetch(`${simulator.baseUrl}/_sim${path}`, { method: 'POST', body: JSON.stringify(body) });

  it('returns the ground truth of reviews, charts and hints', async () => {
    const { reviews } = await getJson<{ reviews: { storeReviewId: string }[] }>(
      '/_sim/reviews?store=ios&storeAppId=1500000001&country=us',
    );
    expect(reviews.map((review) => review.storeReviewId)).toEqual(
      simulator.reviews(lumen).map((review) => review.storeReviewId),
    );
    const chart = await getJson<{ storeAppIds: string[] }>(
      '/_sim/chart?store=ios&country=us&chart=free&category=6013&day=2026-07-03',
    );
    expect(chart.storeAppIds).toEqual(
      simulator.chart({
        store: 'ios',
        country: 'us',
        chart: 'free',
        category: '6013',
        day: '2026-07-03',
      }),
    );
    expect(await getJson('/_sim/hints?store=android&country=us&prefix=hab')).toEqual({
      terms: simulator.hints({ store: 'android', country: 'us', prefix: 'hab' }),
    });
    expect(
      (await fetch(`${simulator.baseUrl}/_sim/chart?store=ios&country=us&chart=best`)).status,
    ).toBe(400);
  });

  it('adds and removes overrides, and refuses invalid ones', async () => {
    const review = {
      ...lumen,
      at: '2026-07-01T08:59:00Z',
      rating: 1,
      title: 'Planted',
      body: 'Crash.',
    };
    const release = {
      store: 'ios',
      storeAppId: '1500000001',
      day: '2026-07-01',
      fields: { title: 'Lumen Reborn' },
    };
    const lookup = async () =>
      (await fetch(`${simulator.baseUrl}/itunes.apple.com/lookup?id=1500000001&country=us`)).text();
    expect(await lookup()).not.toContain('Lumen Reborn');
    expect((await post('/overrides', { reviews: [review], releases: [release] })).status).toBe(200);
    expect(simulator.reviews(lumen)[0]).toMatchObject({ title: 'Planted', rating: 1 });
    expect(await lookup()).toContain('Lumen Reborn');
    for (const broken of [
      { reviews: [{ ...review, rating: 0 }] },
      { releases: [{ ...release, day: 'soon' }] },
      { reviews: [{ ...review, at: '?' }] },
    ]) {
      expect((await post('/overrides', broken)).status).toBe(400);
    }
    expect((await fetch(`${simulator.baseUrl}/_sim/overrides`, { method: 'DELETE' })).status).toBe(
      200,
    );
    expect(await lookup()).not.toContain('Lumen Reborn');
    expect(simulator.overrides()).toEqual({
      rerankings: [],
      reviews: [],
      releases: [],
      entrants: [],
      positions: [],
    });
  });
});
