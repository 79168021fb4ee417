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

const days = Array.from({ length: 4 }, (_, index) => addDays('2026-06-01', index));
const [first, failing, mzOnly, mzFirst] = days as [string, string, string, string];
const phrases = ['habit tracker', 'mood journal'];
const devices = ['iphone', 'ipad', 'mac'];
const web = 'apps.apple.com';
/** All attempts of a market fit into few steps. */
const retriesTogether = { stepMs: 30 * 60_000 };

let pipeline: Pipeline;
let api: TestApi;
let account: Account;
let appId: number;
let storeAppId: string;
let keywords: { id: number; phrase: string; device: string }[];

beforeAll(async () => {
  pipeline = await startPipeline({ day: first, simulator: { world: { apps: 400 } } });
  const { db, clock, runtime, simulator } = pipeline;
  api = await startApi({ db, clock, services: runtime.services });
  account = await api.signUp();
  account = { ...account, headers: (await api.token(account)).headers };
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
    { params: { id: appId }, body: { phrases, countries: ['us'], devices } },
    account,
  );
  keywords = added;
  await pipeline.runDay(first);
});
afterAll(async () => {
  await api.close();
  await pipeline.close();
});

const truth = (phrase: string, day: string, shownOn: string) =>
  pipeline.simulator.groundTruth({
    store: 'ios',
    phrase,
    country: 'us',
    day,
    storeAppId,
    shownOn,
  }).position;
/** The names of the orders of iTunes. */
const itunesOrders = { iphone: 'api', ipad: 'api-ipad', mac: 'api-mac' } as Record<string, string>;
const rankOn = async (keywordId: number, day: string) => {
  const query = { from: day, to: day, fill: 'gaps' as const };
  const { items } = await api.ok(
    'GET /keywords/{keywordId}/rankings',
    { params: { keywordId }, query },
    account,
  );
  return items[0];
};
const ranksOf = (day: string) =>
  Promise.all(
    keywords.map(async (keyword) => ({ ...keyword, rank: await rankOn(keyword.id, day) })),
  );
const configure = (providers: string) => {
  const config = readConfig({ ...everyPace('1000000'), SCRAPE_IOS_PROVIDERS: providers });
  pipeline.runtime.services.settings.searchProviders = providersIn(config);
  return beginSeries(pipeline.runtime.services);
};

describe('three devices', () => {
  test('have a keyword, an order and a position each', async () => {
    expect(keywords.map(({ phrase, device }) => `${phrase} ${device}`)).toEqual(
      phrases.flatMap((phrase) => devices.map((device) => `${phrase} ${device}`)),
    );
    for (const { phrase, device, rank } of await ranksOf(first))
      expect(rank).toMatchObject({ provider: 'web', position: truth(phrase, first, device) });
    const orders = await Promise.all(
      keywords.map(async ({ id, phrase, device }) => {
        const params = { keywordId: id };
        const serp = await api.ok('GET /keywords/{keywordId}/serp', { params, query: {} }, account);
        const order = serp.items.map((item) => item.storeAppId);
        const market = { store: 'ios', phrase, country: 'us', day: first } as const;
        const expected = pipeline.simulator.order({ ...market, shownOn: device });
        expect(order).toEqual(expected.slice(0, 50));
        expect(serp.items.filter(({ name }) => name === null)).toEqual([]);
        return order.join();
      }),
    );
    expect(new Set(orders).size).toBe(keywords.length);
  });

  test('take a search each, and a lookup of names for each device', async () => {
    const log = pipeline.simulator.log().filter(({ store }) => store === 'ios');
    const searched = log.filter(({ host, kind }) => host === web && kind === 'search');
    for (const device of devices)
      expect(
        new Set(searched.filter(({ path }) => path.includes(`/us/${device}/`)).map((r) => r.phrase))
          .size,
      ).toBe(device === 'iphone' ? phrases.length + 1 : phrases.length);
    const lookups = log.filter(({ kind }) => kind === 'lookup').map(({ path }) => path);
    expect(lookups.some((path) => path.includes('entity=macSoftware'))).toBe(true);
    expect(lookups.some((path) => !path.includes('entity='))).toBe(true);
  });

  test('are compared by provider each for itself', async () => {
    for (const { id, phrase, device } of keywords.slice(0, 3)) {
      const compared = await api.ok(
        'GET /keywords/{keywordId}/providers',
        { params: { keywordId: id }, query: {} },
        account,
      );
      expect(compared).toMatchObject({
        device,
        searches: [
          { provider: 'web', position: truth(phrase, first, device) },
          { provider: 'itunes', position: truth(phrase, first, itunesOrders[device]!) },
        ],
      });
    }
  });

  test('are searched live and scored by their own results', async () => {
    const query = { store: 'ios', phrase: phrases[0]!, country: 'us', depth: 10 } as const;
    for (const device of devices) {
      const serp = await api.ok('GET /store/serp', { query: { ...query, device } }, account);
      const market = { store: 'ios', phrase: phrases[0]!, country: 'us', day: first } as const;
      const expected = pipeline.simulator.order({ ...market, shownOn: device });
      expect(serp.device).toBe(device);
      expect(serp.items.map((item) => item.storeAppId)).toEqual(expected.slice(0, 10));
      const score = await api.ok(
        'GET /apps/{id}/phrase-score',
        { params: { id: appId }, query: { phrase: phrases[0]!, country: 'us', device } },
        account,
      );
      expect(score).toMatchObject({
        device,
        keywordId: keywords.find((keyword) => keyword.device === device)!.id,
        position: truth(phrases[0]!, first, device),
      });
    }
    const usual = await api.ok('GET /store/serp', { query }, account);
    expect(usual.device).toBe('iphone');
  });
});

describe('the page of another device', () => {
  test('gives no position, and each device has a fallback of its own', async () => {
    pipeline.simulator.setFaults([
      { fault: 'wrong-platform', host: web, path: '/ipad/search' },
      { fault: '503', host: web, path: '/mac/search' },
    ]);
    await pipeline.runDay(failing, retriesTogether);
    pipeline.simulator.setFaults([]);
    for (const { phrase, device, rank } of await ranksOf(failing)) {
      const position = truth(phrase, failing, device === 'iphone' ? device : `api-${device}`);
      expect([device, rank]).toMatchObject([
        device,
        device === 'iphone'
          ? { provider: 'web', position }
          : { reason: 'store_error', fallback: { provider: 'itunes', position } },
      ]);
    }
    const { rows } = await pipeline.db.pool.query(
      'select m.device, g.marker, count(*)::int from market_gaps g join markets m on m.id = ' +
        'g.market_id where on_date = $1 group by 1, 2 order by 1',
      [failing],
    );
    expect(rows).toEqual([
      { device: 'ipad', marker: 'web-platform', count: 2 },
      { device: 'mac', marker: '503', count: 2 },
    ]);
  });
});

describe('a first provider without results of a device', () => {
  const expectGaps = async (day: string, fallback: object | null) => {
    for (const { phrase, device, rank } of await ranksOf(day)) {
      if (device === 'iphone')
        expect(rank).toMatchObject({
          provider: 'mzstore',
          position: truth(phrase, day, 'mzstore'),
        });
      else
        expect(rank).toMatchObject({
          state: 'not_checked',
          reason: 'not_served',
          fallback: fallback && { ...fallback, position: truth(phrase, day, device) },
        });
    }
    const run = await api.ok('GET /runs/{date}', { params: { date: day } }, account);
    expect(run.gaps).toMatchObject({ not_served: 4, store_error: 0 });
    expect(run).toMatchObject({ planned: 6, done: 2, failed: 0, waiting: 0 });
  };

  test('leaves a gap that says so, without a request', async () => {
    await configure('mzstore');
    pipeline.simulator.clearLog();
    await pipeline.runDay(mzOnly);
    await expectGaps(mzOnly, null);
    const paths = pipeline.simulator.log().map(({ path }) => path);
    expect(paths.filter((path) => /\/(ipad|mac)\/search|entity=/.test(path))).toEqual([]);
    const { items } = await api.ok('GET /apps/{id}/keywords', { params: { id: appId } }, account);
    for (const { device, pending, latest } of items)
      expect([device, pending, latest!.provider]).toEqual([
        device,
        device === 'iphone' ? null : 'not_served',
        device === 'iphone' ? 'mzstore' : 'web',
      ]);
    const actions = await api.ok('GET /actions', { query: { appId } }, account);
    expect(actions.items.map(({ type }) => type)).not.toContain('store-check-failing');
  });

  test('shows the next provider that has them beside the gap, never in the series', async () => {
    await configure('mzstore,web');
    await pipeline.runDay(mzFirst);
    await expectGaps(mzFirst, { provider: 'web' });
  });
});
