import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '#config/env.ts';
import { everyPace } from '#config/pace-settings.ts';
import { providersIn } from '#config/provider-settings.ts';
import { beginSeries } from '#domain/tracking/rankings/begin-series.ts';
import { addDays } from '#lib/dates.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { keepOrder } from '../harness/keep-order.ts';
import { startPipeline, type Pipeline } from '../harness/pipeline.ts';

keepOrder('each day follows the day before');

/** Days of a month without other tests' events: web, fallback, healed, web, then iTunes. */
const days = Array.from({ length: 7 }, (_, index) => addDays('2026-06-01', index));
const [first, refused, failing, mended, , switched, last] = days as [
  string,
  string,
  string,
  string,
  string,
  string,
  string,
];
const phrases = ['habit tracker', 'mood journal', 'focus timer'];
const web = 'apps.apple.com';

let pipeline: Pipeline;
let api: TestApi;
let account: Account;
let appId: number;
let keywords: { id: number; phrase: string }[];
let storeAppId: string;

const rows = async <T>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await pipeline.db.pool.query(text, values)).rows as T[];

beforeAll(async () => {
  pipeline = await startPipeline({ day: first, simulator: { world: { apps: 400 } } });
  const { db, clock, runtime, simulator } = pipeline;
  api = await startApi({ db, clock, services: runtime.services });
  account = await api.signUp();
  account = { ...account, headers: (await api.token(account)).headers };
  // An app that both providers show on every day.
  storeAppId = simulator.order({
    store: 'ios',
    phrase: phrases[0]!,
    country: 'us',
    day: first,
  })[8]!;
  const { app } = await api.ok('POST /apps', { body: { store: 'ios', storeAppId } }, account);
  appId = app.id;
  const { added } = await api.ok(
    'POST /apps/{id}/keywords',
    { params: { id: appId }, body: { phrases, countries: ['us'] } },
    account,
  );
  keywords = added.map(({ id, phrase }) => ({ id, phrase }));
  await pipeline.runDay(first);
});
afterAll(async () => {
  await api.close();
  await pipeline.close();
});

const history = (phrase: string) =>
  api.ok(
    'GET /keywords/{keywordId}/rankings',
    {
      params: { keywordId: idOf(phrase) },
      query: { from: first, to: last, fill: 'gaps' },
    },
    account,
  );
const idOf = (phrase: string): number => keywords.find((keyword) => keyword.phrase === phrase)!.id;
const rankOn = async (phrase: string, day: string) =>
  (await history(phrase)).items.find(({ date }) => date === day);
const truth = (phrase: string, day: string, shownOn?: string) =>
  pipeline.simulator.groundTruth({
    store: 'ios',
    phrase,
    country: 'us',
    day,
    storeAppId,
    ...(shownOn && { shownOn }),
  }).position;
const keywordOf = async (phrase: string) => {
  const { items } = await api.ok('GET /apps/{id}/keywords', { params: { id: appId } }, account);
  return items.find((keyword) => keyword.id === idOf(phrase))!;
};

describe('positions', () => {
  test('are those of the search page, which every reading names', async () => {
    for (const phrase of phrases) {
      const position = truth(phrase, first);
      expect(await rankOn(phrase, first)).toMatchObject({ provider: 'web', position });
      expect((await keywordOf(phrase)).latest).toMatchObject({ provider: 'web', position });
    }
    const params = { keywordId: idOf(phrases[0]!) };
    const serp = await api.ok('GET /keywords/{keywordId}/serp', { params, query: {} }, account);
    expect(serp).toMatchObject({ date: first, provider: 'web' });
    const order = pipeline.simulator.order({
      store: 'ios',
      phrase: phrases[0]!,
      country: 'us',
      day: first,
    });
    expect(serp.items.map((item) => item.storeAppId)).toEqual(order.slice(0, 50));
  });

  test('take one request each, and the names of a country one more', async () => {
    const named = await rows<{ name: string | null }>('select name from listings');
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter(({ name }) => name === null)).toEqual([]);
    expect(await rows('select 1 from unnamed_listings')).toEqual([]);
    const log = pipeline.simulator.log().filter(({ store }) => store === 'ios');
    const searches = log.filter(({ host, kind }) => host === web && kind === 'search');
    // The first of a market is confirmed where it is short; and one is the probe.
    expect(new Set(searches.map(({ path }) => path)).size).toBe(phrases.length + 1);
  });

  test('keep the ads that stood between the results', async () => {
    const stored = await rows<{ ads: number[] | null }>('select ads from serps');
    expect(stored.every(({ ads }) => Array.isArray(ads))).toBe(true);
  });
});

describe('a day on which the provider does not respond', () => {
  const [phrase, other] = phrases as [string, string];

  test('is a gap with what the fallback said', async () => {
    pipeline.simulator.setFaults([{ fault: '503', host: web, phrase }]);
    await pipeline.runDay(refused);
    pipeline.simulator.setFaults([]);
    expect(await rankOn(phrase, refused)).toMatchObject({
      state: 'not_checked',
      reason: 'store_error',
      fallback: { provider: 'itunes', position: truth(phrase, refused, 'api'), depth: 200 },
    });
    expect(await rankOn(other, refused)).toMatchObject({ provider: 'web' });
    expect(await rows('select 1 from serps where on_date = $1', [refused])).toHaveLength(2);
  });

  test('changes neither the newest position nor the record', async () => {
    const keyword = await keywordOf(phrase);
    expect(keyword.latest).toMatchObject({ date: first, provider: 'web' });
    expect(keyword.best).toEqual({ date: first, position: truth(phrase, first) });
  });

  test('is counted in the run', async () => {
    const run = await api.ok('GET /runs/{date}', { params: { date: refused } }, account);
    expect(run.storeHealth.find(({ store }) => store === 'ios')).toMatchObject({
      state: 'ok',
      fallbacks: 1,
      providers: [
        { provider: 'web', state: 'ok' },
        { provider: 'itunes', state: 'ok' },
      ],
    });
  });

  test('is exported as a gap with the fallback beside it', async () => {
    const path = `/apps/${appId}/exports/rankings?format=json&from=${refused}&to=${refused}`;
    const exported = await api.raw(path, {}, account);
    expect(exported.body.items).toContainEqual(
      expect.objectContaining({
        phrase,
        fallback: expect.objectContaining({ provider: 'itunes' }),
      }),
    );
  });
});

describe('a provider whose probe fails', () => {
  const runAWhile = async () => {
    for (let tick = 0; tick < 20; tick += 1) await pipeline.runUntilIdle();
  };
  /** The first failures may be chance: no market is searched by another provider. */
  const failProbes = async () => {
    for (let failures = 1; failures <= 2; failures += 1) {
      await runAWhile();
      const today = pipeline.clock.now().toISOString().slice(0, 10);
      expect(await rows('select 1 from fallback_checks where on_date = $1', [today])).toEqual([]);
      pipeline.clock.advance(5 * 60_000);
    }
    await runAWhile();
  };

  test('is left out until it passes; then its markets are searched after all', async () => {
    pipeline.simulator.setFaults([{ fault: 'rpc-renamed', host: web, kind: 'search' }]);
    pipeline.clock.set(`${failing}T02:00:00Z`);
    pipeline.simulator.setNow(pipeline.clock.now());
    await failProbes();
    for (const phrase of phrases)
      expect(await rankOn(phrase, failing)).toMatchObject({
        state: 'not_checked',
        fallback: { provider: 'itunes', position: truth(phrase, failing, 'api') },
      });
    expect(
      await rows('select marker from market_gaps where on_date = $1 group by marker', [failing]),
    ).toEqual([{ marker: 'probe' }]);
    pipeline.simulator.setFaults([]);
    pipeline.clock.advance(6 * 60_000);
    await runAWhile();
    for (const phrase of phrases)
      expect(await rankOn(phrase, failing)).toMatchObject({
        provider: 'web',
        position: truth(phrase, failing),
      });
    expect(await rows('select 1 from fallback_checks where on_date = $1', [failing])).toEqual([]);
    expect(await rows('select 1 from market_gaps where on_date = $1', [failing])).toEqual([]);
  });

  test('sends nothing to its host meanwhile but probes', async () => {
    pipeline.simulator.setFaults([{ fault: 'rpc-renamed', host: web, kind: 'search' }]);
    pipeline.clock.set(`${mended}T02:00:00Z`);
    pipeline.simulator.setNow(pipeline.clock.now());
    pipeline.simulator.clearLog();
    await failProbes();
    const searches = pipeline.simulator
      .log()
      .filter(({ host, kind }) => host === web && kind === 'search');
    expect(new Set(searches.map(({ phrase }) => phrase))).toEqual(new Set(['weather']));
    pipeline.simulator.setFaults([]);
    pipeline.clock.advance(6 * 60_000);
    await runAWhile();
    for (const phrase of phrases)
      expect(await rankOn(phrase, mended)).toMatchObject({ provider: 'web' });
  });
});

describe('another first provider', () => {
  const configure = (providers: string) => {
    const config = readConfig({ ...everyPace('1000000'), SCRAPE_IOS_PROVIDERS: providers });
    const { settings } = pipeline.runtime.services;
    settings.searchProviders = providersIn(config);
    return beginSeries(pipeline.runtime.services);
  };

  test('begins with the next day, and nothing is compared across', async () => {
    await pipeline.runDay(days[4]!);
    const before = await keywordOf(phrases[0]!);
    expect(before.change1d.kind).not.toBe('unknown');
    await configure('itunes,web');
    expect(await rankOn(phrases[0]!, days[4]!)).toMatchObject({ provider: 'web' });
    await pipeline.runDay(switched);
    for (const phrase of phrases) {
      const position = truth(phrase, switched, 'api');
      expect(await rankOn(phrase, switched)).toMatchObject({ provider: 'itunes', position });
      const keyword = await keywordOf(phrase);
      expect(keyword).toMatchObject({
        latest: { date: switched, provider: 'itunes', position },
        change1d: { kind: 'unknown' },
        change7d: { kind: 'unknown' },
        best: { date: switched, position },
      });
    }
    const { segments } = await history(phrases[0]!);
    expect(segments).toEqual([
      { from: first, provider: 'web' },
      { from: switched, provider: 'itunes' },
    ]);
  });

  test('is no move, no entrant and no alert, and a note on the timeline', async () => {
    const params = { id: appId };
    const range = { from: days[4]!, to: switched };
    const movers = await api.ok(
      'GET /apps/{id}/rankings/movers',
      { params, query: range },
      account,
    );
    expect(movers).toMatchObject({ gained: [], lost: [], entered: [], left: [] });
    expect(movers).toMatchObject({ compared: 0, notComparable: 3 });
    const compared = await api.ok(
      'GET /apps/{id}/rankings/compare',
      { params, query: { a: days[4]!, b: switched } },
      account,
    );
    expect(compared.items.map(({ delta, isComparable }) => [delta, isComparable])).toEqual(
      Array(3).fill([null, false]),
    );
    const entrants = await api.ok(
      'GET /apps/{id}/serp/entrants',
      { params, query: { from: switched, to: switched } },
      account,
    );
    expect(entrants.items).toEqual([]);
    const timeline = await api.ok(
      'GET /apps/{id}/timeline',
      { params, query: { from: first, to: switched, kind: 'provider' } },
      account,
    );
    expect(timeline.items).toMatchObject([
      { date: switched, fact: { kind: 'provider', before: 'web', after: 'itunes' } },
    ]);
  });

  test('is compared again from its second day on', async () => {
    await pipeline.runDay(last);
    expect((await keywordOf(phrases[0]!)).change1d.kind).not.toBe('unknown');
  });

  test('that is changed back on the same day never began', async () => {
    await configure('web,itunes');
    await configure('itunes,web');
    const series = await rows(
      "select provider from position_series where store = 'ios' order by from_day",
    );
    expect(series).toEqual([{ provider: 'web' }, { provider: 'itunes' }]);
  });
});

describe('a comparison', () => {
  const params = () => ({ keywordId: idOf(phrases[0]!) });
  const compare = (query: { estimate?: 'true' }) =>
    api.ok('GET /keywords/{keywordId}/providers', { params: params(), query }, account);

  test('says what it costs without a request', async () => {
    pipeline.simulator.clearLog();
    expect(await compare({ estimate: 'true' })).toMatchObject({
      requests: 2,
      providers: [
        { provider: 'itunes', isOfPositions: true },
        { provider: 'web', isOfPositions: false },
      ],
      searches: [],
      items: [],
      distance: null,
    });
    expect(pipeline.simulator.log()).toEqual([]);
  });

  test('shows both orders side by side', async () => {
    const compared = await compare({});
    expect(compared.searches).toMatchObject([
      { provider: 'itunes', position: truth(phrases[0]!, last, 'api'), ads: null },
      { provider: 'web', position: truth(phrases[0]!, last) },
    ]);
    const order = pipeline.simulator.order({
      store: 'ios',
      phrase: phrases[0]!,
      country: 'us',
      day: last,
    });
    for (const { storeAppId: id, positions } of compared.items)
      expect(positions[1] ?? null).toBe(order.includes(id) ? order.indexOf(id) + 1 : null);
    expect(compared.items.filter(({ isOwn }) => isOwn)).toMatchObject([{ storeAppId }]);
    expect(compared.distance!.medianDistance).toBeGreaterThan(0);
    expect(compared.distance!.correlation).toBeGreaterThan(0.8);
  });

  test('names the provider that fails beside the one that responds', async () => {
    pipeline.simulator.setFaults([{ fault: '429', host: web }]);
    expect(await compare({})).toMatchObject({
      searches: [
        { provider: 'itunes', state: 'ok' },
        { provider: 'web', state: 'failed', failure: 'refused', marker: '429' },
      ],
      distance: null,
    });
    pipeline.simulator.setFaults([]);
  });

  test('is made of a sample of the markets, and reported', async () => {
    const { settings } = pipeline.runtime.services;
    settings.comparisonPercent = 100;
    const week = Array.from({ length: 7 }, (_, index) => addDays(last, index + 1));
    for (const day of week) await pipeline.runDay(day);
    expect(await rows('select distinct market_id from provider_comparisons')).toHaveLength(3);
    expect(await rows('select 1 from provider_comparisons')).toHaveLength(3);
    const { items } = await api.ok('GET /providers', {}, account);
    expect(items.find(({ store }) => store === 'ios')!.comparisons).toMatchObject([
      { a: 'itunes', b: 'web', markets: 3, correlation: expect.closeTo(0.95, 1) },
    ]);
    const runs = await api.ok(
      'GET /runs',
      { query: { from: week[0]!, to: week.at(-1)! } },
      account,
    );
    const sampled = runs.items.flatMap(({ comparisons }) => comparisons);
    expect(sampled.reduce((sum, { markets }) => sum + markets, 0)).toBe(3);
  });
});
