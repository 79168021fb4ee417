import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startSimulator, type Simulator } from '#simulator/server.ts';
import { startApi, type Account, type Credential, type TestApi } from '../harness/api.ts';
import { openStores } from '../stores/store-server.ts';
import { recordMarketSearch, describeTables, insertApp, marketIdOf } from './keywords.fixtures.ts';
import { publishPhrase } from './popularity.fixtures.ts';
import { follow } from './scores.fixtures.ts';

let simulator: Simulator;
let stores: ReturnType<typeof openStores>;
let api: TestApi;
let ann: Account;
let appId: number;
/** Tables that a request itself changes. */
const seen = ['sessions', 'tokens', 'pacing', 'store_requests'];

beforeAll(async () => {
  simulator = await startSimulator({
    seed: 3,
    now: new Date('2026-11-21T12:00:00Z'),
    compress: false,
    world: { apps: 300, resultsPerSearch: 60 },
  });
  stores = openStores(simulator.baseUrl, { timeoutMs: 30_000 });
  api = await startApi({ stores: stores.stores });
  ann = await api.signUp();
  appId = (await insertApp(api, ann, { storeAppId: '1500000001' })).id;
});
afterAll(async () => {
  await api.close();
  await stores.close();
  await simulator.close();
});
afterEach(() => {
  simulator.setFaults([]);
  simulator.clearLog();
});

const us = { phrase: 'habit tracker', country: 'us' };
const ask = (who: Credential, id: number, query: object) =>
  api.call('GET /apps/{id}/phrase-score', { params: { id }, query: query as never }, who);
const score = (id: number, query = us) =>
  api.ok('GET /apps/{id}/phrase-score', { params: { id }, query }, ann);
const asked = () => simulator.log().map((entry) => entry.kind);

test.each(['ios', 'android'] as const)(
  'scoring on %s fetches one page of results and hints, and stores nothing',
  async (store) => {
    const storeAppId = simulator.order({
      store,
      phrase: us.phrase,
      country: 'us',
      ...(store === 'ios' && { shownOn: 'api' }),
    })[6]!;
    const app = await insertApp(api, ann, { store, storeAppId });
    const before = await describeTables(api, seen);
    const found = await score(app.id, { phrase: '  Habit  TRACKER ', country: 'us' });
    expect(found).toMatchObject({
      phrase: 'habit tracker',
      country: 'us',
      store,
      keywordId: null,
      position: 7,
      unavailable: [],
    });
    // The share of clicks that position 7 leaves, of the traffic in reach.
    expect(found.opportunity).toBeGreaterThan(0);
    expect(found.opportunity).toBeLessThan(found.traffic!);
    expect(found.provenance).toMatchObject({
      store,
      country: 'us',
      observedAt: '2026-11-21',
      inputs: { serpDate: '2026-11-21', hintsDate: '2026-11-21' },
    });
    expect([found.traffic, found.difficulty].every((value) => value !== null && value > 0)).toBe(
      true,
    );
    expect(asked().filter((kind) => kind === 'search')).toHaveLength(1);
    expect(asked().length).toBeLessThanOrEqual(5);
    expect(await describeTables(api, seen)).toEqual(before);
  },
);

test('an absent app has no position but the depth that was examined', async () => {
  for (const [store, storeAppId] of [
    ['ios', '4000000001'],
    ['android', 'com.not.there'],
  ] as const) {
    const app = await insertApp(api, ann, { store, storeAppId });
    const shown = simulator.order({ store, phrase: us.phrase, country: 'us' }).length;
    const { position, depth } = await score(app.id);
    expect([store, position, depth]).toEqual([
      store,
      null,
      store === 'ios' ? 200 : Math.min(30, shown),
    ]);
  }
});

test('missing hints leave out the traffic and are named; the rest is returned', async () => {
  const whole = await score(appId);
  simulator.setFaults([{ fault: '429', kind: 'hints', after: 1, retryAfterSeconds: 90 }]);
  const part = await score(appId);
  expect(part).toMatchObject({
    traffic: null,
    opportunity: null,
    difficulty: whole.difficulty,
    position: whole.position,
    depth: whole.depth,
  });
  expect(part.unavailable).toEqual([{ source: 'hints', reason: 'refused', retryAfterSeconds: 90 }]);
  expect(part.provenance.missing).toContain('traffic.early');
  expect(part.provenance.evidence.filter((piece) => piece.score === 'traffic')).toEqual([]);
  expect(part.provenance.inputs).toMatchObject({
    hintsDate: null,
    hintPrefix: null,
    hintPosition: null,
  });
});

test('a store without usable results is 503, and no hints are requested', async () => {
  for (const fault of ['429', 'captcha', 'empty', 'truncated-gzip', 'no-results'] as const) {
    simulator.setFaults([{ fault, kind: 'search' }]);
    const { status, body } = await ask(ann, appId, us);
    expect([fault, status, body.code, body.retryAfterSeconds > 0]).toEqual([
      fault,
      503,
      'store_unavailable',
      true,
    ]);
  }
  expect(asked()).not.toContain('hints');
});

test('few results are confirmed by a second search, or the depth is reduced', async () => {
  const whole = await score(appId);
  simulator.setFaults([{ fault: 'shorter', kind: 'search', times: 1 }]);
  simulator.clearLog();
  expect((await score(appId)).provenance.inputs.serpSize).toBe(whole.provenance.inputs.serpSize);
  const other = await insertApp(api, ann, { storeAppId: '4000000002' });
  simulator.setFaults([{ fault: 'shorter', kind: 'search' }]);
  const { position, depth, provenance } = await score(other.id);
  expect([position, depth]).toEqual([null, provenance.inputs.serpSize]);
  expect(depth).toBeLessThan(20);
  expect(asked().filter((kind) => kind === 'search')).toHaveLength(4);
});

test('a tracked phrase returns its keyword, and nothing shows that others track it', async () => {
  const bob = await api.signUp();
  const query = { phrase: 'mood journal', country: 'us' };
  const alone = await score(appId, query);
  const questions = asked();
  simulator.clearLog();
  const other = await follow(api, bob, query.phrase);
  await recordMarketSearch(api, { marketId: other.marketId, listingIds: [] });
  const { scoredAt: _, ...shown } = await score(appId, query);
  expect([shown, asked()]).toEqual(
    [{ ...alone, scoredAt: undefined }, questions].map((value) =>
      JSON.parse(JSON.stringify(value)),
    ),
  );
  const { keywordId } = await follow(api, ann, query.phrase, { appId });
  expect(await marketIdOf(api, query.phrase)).toBe(other.marketId);
  expect((await score(appId, query)).keywordId).toBe(keywordId);
});

test('a published number is the traffic, beside its list and the estimate', async () => {
  const estimate = await score(appId);
  expect([estimate.published, estimate.trafficBasis]).toEqual([null, 'estimate']);
  await publishPhrase(api, us.phrase);
  const list = { genre: 'travel', granularity: 'month', period: '2026-10-01', source: 'file' };
  const found = await score(appId);
  expect(found).toMatchObject({
    traffic: 77,
    trafficBasis: 'published',
    difficulty: estimate.difficulty,
    published: { popularity: 77, rankInGenre: 3, atMost: null, ...list },
    provenance: {
      inputs: { published: { popularity: 77 }, publishedList: list },
      estimate: { traffic: estimate.traffic },
      ranges: { traffic: { low: 77, high: 77 } },
    },
  });
  simulator.setFaults([{ fault: '429', kind: 'hints' }]);
  expect(await score(appId)).toMatchObject({ traffic: 77, provenance: { estimate: null } });
  simulator.setFaults([]);
  await publishPhrase(api, us.phrase, '2026-03-01');
  const old = await score(appId);
  expect([old.traffic, old.trafficBasis]).toEqual([estimate.traffic, 'estimate']);
  expect(old.published?.popularity).toBe(77);
});

test('a phrase that is not listed has at most the bound of the genre of its results', async () => {
  await publishPhrase(api, 'another phrase');
  const inputsOf = async () => {
    const { traffic, trafficBasis, published, provenance } = await score(appId);
    return { traffic, trafficBasis, published, bound: provenance.inputs.popularityBound };
  };
  // Nothing is known about its results, so it may belong to any genre.
  expect(await inputsOf()).toMatchObject({
    traffic: 4,
    trafficBasis: 'bound',
    published: { popularity: null, rankInGenre: null, atMost: 4, genre: null },
    bound: 4,
  });
  const shown = simulator.order({
    store: 'ios',
    phrase: us.phrase,
    country: 'us',
    shownOn: 'iphone',
  });
  for (const storeAppId of shown.slice(0, 3)) {
    const { rows } = await api.db.pool.query(
      `insert into listings (store, store_app_id, name) values ('ios', $1, 'A game')
       on conflict (store, store_app_id) do update set name = excluded.name returning id`,
      [storeAppId],
    );
    await api.db.pool.query(
      `insert into snapshots (listing_id, country, taken_at, content_hash, fields)
       values ($1, 'us', now(), 'x', '{"categoryId": "6014"}')`,
      [rows[0].id],
    );
  }
  expect(await inputsOf()).toMatchObject({
    traffic: 3,
    trafficBasis: 'bound',
    published: { atMost: 3, genre: 'games' },
  });
  const mac = await score(appId, { ...us, device: 'mac' } as never);
  expect([mac.published, mac.trafficBasis]).toEqual([null, 'estimate']);
  await api.db.pool.query('truncate popularity, popularity_sets cascade');
});

test('a score refuses others, archived apps and bad input; read-only tokens get it', async () => {
  const bob = await api.signUp();
  const reader = await api.token(ann, { readOnly: true });
  expect((await ask(reader, appId, us)).status).toBe(200);
  simulator.clearLog();
  const before = await describeTables(api, seen);
  const foreign = await ask(bob, appId, us);
  expect([foreign.status, foreign.body.code]).toEqual([404, 'not_found']);
  const refusals: [object, string][] = [
    [{ ...us, phrase: 'x'.repeat(101) }, 'phrase_too_long'],
    [{ ...us, phrase: 'ﬃ'.repeat(40) }, 'phrase_too_long'],
    [{ ...us, phrase: 'a b c d e f' }, 'too_many_words'],
    [{ ...us, phrase: 'x'.repeat(1_001) }, 'invalid_request'],
    [{ ...us, phrase: '' }, 'invalid_request'],
    [{ ...us, phrase: ' ' }, 'invalid_request'],
    [{ ...us, phrase: '\u200b' }, 'invalid_request'],
    [{ ...us, phrase: 'a\u0007' }, 'invalid_request'],
    [{ ...us, country: 'US' }, 'invalid_country'],
    [{ ...us, country: 'usa' }, 'invalid_country'],
    [{ country: 'us' }, 'invalid_request'],
    [{ phrase: 'calm' }, 'invalid_request'],
    [{ ...us, depth: 10 }, 'invalid_request'],
  ];
  for (const [query, code] of refusals) {
    const response = await ask(ann, appId, query);
    expect([response.status, response.body.code], JSON.stringify(query)).toEqual([400, code]);
  }
  expect(await describeTables(api, seen)).toEqual(before);
  const gone = await insertApp(api, ann);
  await api.ok('DELETE /apps/{id}', { params: { id: gone.id } }, ann);
  expect((await ask(ann, gone.id, us)).body.code).toBe('invalid_request');
  expect(asked()).toEqual([]);
});

test('a score counts for the day, is refunded on failure, and can be used up', async () => {
  await api.db.pool.query(
    `insert into on_demand_hours values ($1, 'score', '2026-11-21T12:00:00Z', 99)`,
    [ann.workspaceId],
  );
  const metered = await startApi({
    db: api.db,
    clock: api.clock,
    deps: { authSecret: api.authSecret },
    stores: stores.stores,
    settings: { billingEnabled: true },
  });
  const askMetered = () =>
    metered.call('GET /apps/{id}/phrase-score', { params: { id: appId }, query: us }, ann);
  simulator.setFaults([{ fault: '429', kind: 'search' }]);
  expect((await askMetered()).status).toBe(503);
  simulator.setFaults([]);
  expect((await askMetered()).status).toBe(200);
  simulator.clearLog();
  const { status, body } = await askMetered();
  expect([status, body.code, body.rateLimit]).toMatchObject([
    429,
    'on_demand_cap',
    { window: 'day', rateClass: 'store', limit: 100 },
  ]);
  expect(asked()).toEqual([]);
  await metered.close();
});
