import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startSimulator, type Simulator } from '#simulator/server.ts';
import { readAutocomplete } from '#domain/insights/suggestions/autocomplete-candidates.ts';
import { startApi, type Account, type Credential, type TestApi } from '../harness/api.ts';
import { openStores } from '../stores/store-server.ts';
import {
  recordMarketSearch,
  describeTables,
  endFirstChecks,
  insertApp,
  marketIdOf,
} from './keywords.fixtures.ts';
import { publishPhrase } from './popularity.fixtures.ts';

let simulator: Simulator;
let stores: ReturnType<typeof openStores>;
let api: TestApi;
const seen = ['sessions', 'tokens', 'pacing', 'store_requests', 'autocomplete_lists'];

beforeAll(async () => {
  simulator = await startSimulator({
    seed: 3,
    now: new Date('2026-11-21T12:00:00Z'),
    compress: false,
    world: { apps: 300 },
  });
  stores = openStores(simulator.baseUrl, { timeoutMs: 30_000 });
  api = await startApi({ stores: stores.stores });
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

const suggest = async (who: Credential, id: number, query: object = {}) =>
  (await api.ok('GET /apps/{id}/keyword-suggestions', { params: { id }, query }, who)).items;
const ask = (who: Credential, id: number, query: object = {}) =>
  api.call('GET /apps/{id}/keyword-suggestions', { params: { id }, query }, who);

const texts = {
  name: 'Lumen: Habit Tracker',
  developer: 'Lumen Labs',
  subtitle: 'Daily goals',
  summary: null,
  description: null,
  category: 'Health',
};
/** The rows that a reading leaves. */
async function insertSnapshot(listingId: number, fields: object, country = 'us'): Promise<void> {
  await api.db.pool.query(
    'insert into snapshots (listing_id, country, taken_at, content_hash, fields) values ($1, ' +
      '$2, $3, $4, $5)',
    [listingId, country, api.clock.now(), Buffer.alloc(32), JSON.stringify(fields)],
  );
  await api.db.pool.query(
    `insert into listing_days (listing_id, country, on_date, read_at)
       values ($1, $2, ($3::timestamptz at time zone 'UTC')::date, $3) on conflict do nothing`,
    [listingId, country, api.clock.now()],
  );
}

async function insertListings(names: string[]): Promise<number[]> {
  const { rows } = await api.db.pool.query(
    `insert into listings (store, store_app_id, name) select 'ios', (8000000 + (random() * ` +
      '1e9)::bigint)::text, name from unnest($1::text[]) name returning id',
    [names],
  );
  return rows.map((row) => row.id as number);
}

async function follow(me: Account, id: number, phrases: string[], countries = ['us']) {
  return (
    await api.ok('POST /apps/{id}/keywords', { params: { id }, body: { phrases, countries } }, me)
  ).added;
}

test.each(['ios', 'android'] as const)(
  'a seed returns what %s offers, in its order, with positions',
  async (store) => {
    const me = await api.signUp();
    const app = await insertApp(api, me, {
      store,
      storeAppId: store === 'ios' ? '5551' : 'com.hints',
    });
    const before = await describeTables(api, seen);
    const items = await suggest(me, app.id, { phrase: ' Habit ', source: 'autocomplete' });
    const offered = simulator.hints({ store, country: 'us', prefix: 'habit' });
    expect(offered.length).toBeGreaterThan(1);
    expect(items.map((item) => item.phrase)).toEqual(offered);
    expect(items.map((item) => item.evidence)).toEqual(
      offered.map((_, index) => [{ source: 'autocomplete', prefix: 'habit', position: index + 1 }]),
    );
    expect(
      items.every(
        (item) =>
          item.source === 'autocomplete' && !item.alreadyTracked && item.estTraffic === null,
      ),
    ).toBe(true);
    expect(await describeTables(api, seen)).toEqual(before);
    const query = { phrase: 'habit', source: 'autocomplete', limit: 1 };
    const limited = await api.ok(
      'GET /apps/{id}/keyword-suggestions',
      { params: { id: app.id }, query },
      me,
    );
    expect([limited.items.map((item) => item.phrase), limited.total]).toEqual([
      offered.slice(0, 1),
      offered.length,
    ]);
  },
);

test('without a seed, at most three store requests are sent, for listing phrases', async () => {
  const me = await api.signUp();
  const app = await insertApp(api, me);
  await insertSnapshot(app.listingId, texts);
  const items = await suggest(me, app.id, { source: 'autocomplete' });
  const prefixes = new Set(
    items.flatMap((item) =>
      item.evidence.flatMap((piece) => (piece.source === 'autocomplete' ? [piece.prefix] : [])),
    ),
  );
  expect(prefixes).toContain('habit tracker');
  expect(prefixes.size).toBeLessThanOrEqual(3);
  expect(simulator.log().length).toBeLessThanOrEqual(6);
});

test('autocomplete is kept for seven days, for each workspace, until it is refreshed', async () => {
  const [me, you] = [await api.signUp(), await api.signUp()];
  const [mine, yours] = [await insertApp(api, me), await insertApp(api, you)];
  const began = api.clock.now();
  const read = async (who: Credential, id: number, query: object = {}) => {
    simulator.clearLog();
    const list = await api.ok(
      'GET /apps/{id}/keyword-suggestions',
      { params: { id }, query: { phrase: 'habit', ...query } },
      who,
    );
    return { ...list, requests: simulator.log().length };
  };
  const first = await read(me, mine.id);
  expect([first.requests, first.autocompleteReadAt]).toEqual([1, began.toISOString()]);
  api.clock.advance(6 * 86_400_000);
  const token = await api.token(me);
  const again = await read(token, mine.id);
  expect(again).toEqual({ ...first, requests: 0 });
  expect((await read(token, mine.id, { country: 'de' })).requests).toBe(1);
  const theirs = await api.token(you);
  expect((await read(theirs, yours.id)).requests).toBe(1);
  const without = await read(token, mine.id, { source: 'listing,serp' });
  expect([without.requests, without.autocompleteReadAt]).toEqual([0, null]);
  const fresh = await read(token, mine.id, { refresh: true });
  expect([fresh.requests, fresh.autocompleteReadAt]).toEqual([1, api.clock.now().toISOString()]);
  api.clock.advance(6 * 86_400_000);
  expect((await read(token, mine.id)).requests).toBe(0);
  api.clock.advance(2 * 86_400_000);
  expect((await read(token, mine.id)).requests).toBe(1);
  const { rows } = await api.db.pool.query(
    'select country, prefix, read_at from autocomplete_lists where workspace_id = $1',
    [me.workspaceId],
  );
  expect(rows).toEqual([{ country: 'us', prefix: 'habit', read_at: api.clock.now() }]);
  api.clock.set(began.toISOString());
});

test('a refresh that fails keeps the list that is known', async () => {
  const me = await api.signUp();
  const app = await insertApp(api, me);
  const query = { phrase: 'habit', source: 'autocomplete' };
  const known = await suggest(me, app.id, query);
  simulator.setFaults([{ fault: '429' }]);
  expect((await ask(me, app.id, { ...query, refresh: true })).body.code).toBe('store_unavailable');
  expect(await suggest(me, app.id, query)).toEqual(known);
});

test('a response that queried the store uses the allowance, and a refused one too', async () => {
  const me = await api.signUp();
  const app = await insertApp(api, me);
  const used = async () => {
    const { onDemand } = await api.ok('GET /workspace/usage', null, me);
    return onDemand.find(({ kind }) => kind === 'suggestions')!.used;
  };
  const query = { phrase: 'habit' };
  await suggest(me, app.id, query);
  await expect.poll(used).toBe(1);
  await suggest(me, app.id, query);
  simulator.setFaults([{ fault: '429' }]);
  await suggest(me, app.id, { ...query, refresh: true });
  await expect.poll(used).toBe(2);
});

test('a suggestion has the scores that were requested for the app in the country', async () => {
  const me = await api.signUp();
  const [app, other] = [await insertApp(api, me), await insertApp(api, me)];
  await insertSnapshot(app.listingId, texts);
  const query = { source: 'listing' };
  for (const { score } of await suggest(me, app.id, query)) expect(score).toBeNull();
  const body = { phrases: ['habit tracker', 'goals'], countries: ['us', 'de'] };
  const { job } = await api.ok(
    'POST /apps/{id}/country-scores',
    { params: { id: app.id }, body },
    me,
  );
  const { rowCount } = await api.db.pool.query(
    `update country_scores set scored_at = $1, depth = 200, position = 7, traffic = 41,
       difficulty = 30, job_id = null, due_at = null,
       certainty = '{"ranges": {"traffic": {"low": 20, "high": 60}, "difficulty": null},
         "confidences": {"traffic": "low", "difficulty": "high"}, "trafficBasis": "estimate",
         "published": null}'
     where app_id = $2 and country = 'us' and phrase = 'habit tracker'`,
    [api.clock.now(), app.id],
  );
  expect(rowCount).toBe(1);
  const items = await suggest(me, app.id, query);
  const scoreOf = (phrase: string) => items.find((item) => item.phrase === phrase)!.score;
  expect(scoreOf('habit tracker')).toEqual({
    state: 'scored',
    keywordId: null,
    jobId: null,
    requestedAt: api.clock.now().toISOString(),
    scoredAt: api.clock.now().toISOString(),
    position: 7,
    depth: 200,
    traffic: 41,
    difficulty: 30,
    opportunity: expect.any(Number),
    ranges: { traffic: { low: 20, high: 60 }, difficulty: null },
    confidences: { traffic: 'low', difficulty: 'high' },
    trafficBasis: 'estimate',
    failure: null,
  });
  expect(scoreOf('goals')).toMatchObject({
    state: 'waiting',
    jobId: job!.id,
    traffic: null,
    scoredAt: null,
  });
  await insertSnapshot(other.listingId, texts);
  for (const { score } of await suggest(me, other.id, query)) expect(score).toBeNull();
  for (const item of await suggest(me, app.id, { ...query, device: 'ipad' }))
    expect(item.score).toBeNull();
});

test('listing, competitors and stored results give phrases without store requests', async () => {
  const me = await api.signUp();
  const app = await insertApp(api, me);
  await insertSnapshot(app.listingId, texts);
  await follow(me, app.id, ['tracker', 'routine']);
  const [first, second, third] = await insertListings([
    'Streaks: Routine Planner',
    'Bloom: Routine Planner',
    'Moody: Mood Diary',
  ]);
  await recordMarketSearch(api, {
    marketId: await marketIdOf(api, 'routine'),
    listingIds: [first!, app.listingId, second!, third!],
  });
  await api.db.pool.query(
    'insert into competitors (workspace_id, app_id, listing_id, created_at, tracking_periods, ' +
      `followed_at) values ($1, $2, $3, $4, '[["2026-11-21", 200]]', $4)`,
    [me.workspaceId, app.id, third, api.clock.now()],
  );
  await insertSnapshot(third!, {
    ...texts,
    name: 'Moody: Mood Diary',
    developer: 'Moody',
    subtitle: 'Feelings journal',
  });
  const items = await suggest(me, app.id, { source: 'listing,competitors,serp', limit: 100 });
  const find = (phrase: string) => items.find((item) => item.phrase === phrase);
  expect(find('habit tracker')).toMatchObject({
    source: 'listing',
    evidence: [{ source: 'listing', field: 'title', country: 'us' }],
    alreadyTracked: false,
  });
  expect(find('routine planner')).toMatchObject({
    source: 'serp',
    evidence: [
      {
        source: 'serp',
        apps: 2,
        markets: 1,
        bestPosition: 1,
        newest: '2026-11-21',
        names: ['Streaks: Routine Planner', 'Bloom: Routine Planner'],
      },
    ],
  });
  expect(find('feelings journal')).toMatchObject({
    source: 'competitors',
    evidence: [{ competitors: 1, apps: [{ name: 'Moody: Mood Diary' }] }],
  });
  expect(find('mood diary')!.evidence.map((piece) => piece.source)).toEqual(['competitors']);
  expect(find('tracker')!.alreadyTracked).toBe(true);
  expect(items.findIndex((item) => item.alreadyTracked)).toBe(
    items.length - items.filter((item) => item.alreadyTracked).length,
  );
  expect(new Set(items.map((item) => item.phrase)).size).toBe(items.length);
  expect(
    (await suggest(me, app.id, { source: 'listing,competitors,serp', phrase: 'planner' })).map(
      (item) => item.phrase,
    ),
  ).toEqual(expect.arrayContaining(['routine planner']));
  expect(await suggest(me, app.id, { source: 'listing', phrase: 'nothing like it' })).toEqual([]);
  expect(simulator.log()).toEqual([]);
});

test('stored results are used for tracked days and depths only', async () => {
  const [me, you] = [await api.signUp(), await api.signUp()];
  const [mine, yours] = [await insertApp(api, me), await insertApp(api, you)];
  await follow(you, yours.id, ['shared market']);
  const listingIds = await insertListings([
    'Sleep Sounds',
    'Sleep Sounds Pro',
    'Rain Noise',
    'Rain Noise Plus',
  ]);
  const marketId = await marketIdOf(api, 'shared market');
  await recordMarketSearch(api, { marketId, listingIds, at: '2026-11-20T06:00:00Z' });
  await follow(me, mine.id, ['shared market']);
  // Tracked and checked since, but earlier results are not its own.
  await api.db.pool.query(
    `update keywords set latest_on = '2026-11-21', latest_depth = 200, latest_at = now() ` +
      'where app_id = $1',
    [mine.id],
  );
  expect(await suggest(me, mine.id, { source: 'serp' })).toEqual([]);
  expect((await suggest(you, yours.id, { source: 'serp' })).map((item) => item.phrase)).toEqual([]);
  await api.db.pool.query(
    `update keywords set tracking_periods = '[["2026-11-20", 200]]', latest_on = '2026-11-20', ` +
      'latest_depth = 200 where app_id = $1',
    [yours.id],
  );
  expect((await suggest(you, yours.id, { source: 'serp' })).map((item) => item.phrase)).toContain(
    'sleep sounds',
  );
  await api.db.pool.query(
    `update keywords set tracking_periods = '[["2026-11-20", 2]]' where app_id = $1`,
    [yours.id],
  );
  const shallow = (await suggest(you, yours.id, { source: 'serp' })).map((item) => item.phrase);
  expect(shallow).toContain('sleep sounds');
  expect(shallow).not.toContain('rain noise');
});

test('an untracked country reveals nothing about other workspaces', async () => {
  const me = await api.signUp();
  const app = await insertApp(api, me);
  await insertSnapshot(app.listingId, texts);
  await insertSnapshot(app.listingId, { ...texts, name: 'Lumen: Gewohnheiten' }, 'de');
  const phrasesIn = async (country: string) =>
    (await suggest(me, app.id, { source: 'listing', country })).map((item) => item.phrase);
  expect(await phrasesIn('de')).toContain('habit tracker');
  await follow(me, app.id, ['etwas'], ['de']);
  expect(await phrasesIn('de')).toContain('gewohnheiten');
});

test.each([
  ['Chinese', '写真編集', '写真加工と動画編集：無料コラージュ', 'jp', '動画編集'],
  ['Thai', 'แอป', 'แต่งรูป: โปรแกรมแต่งภาพ', 'th', 'แต่งรูป'],
  ['Arabic', 'تطبيق', 'لومن: متتبع العادات اليومية', 'sa', 'متتبع العادات'],
])('a listing in %s is split at its words', async (_language, phrase, name, country, expected) => {
  const me = await api.signUp();
  const app = await insertApp(api, me);
  await insertSnapshot(
    app.listingId,
    { ...texts, name, developer: null, subtitle: null, category: null },
    country,
  );
  await follow(me, app.id, [phrase], [country]);
  const items = await suggest(me, app.id, { source: 'listing', country });
  expect(items.map((item) => item.phrase)).toContain(expected);
});

test('traffic is given for tracked markets only', async () => {
  const [me, you] = [await api.signUp(), await api.signUp()];
  const [mine, other, yours] = [
    await insertApp(api, me),
    await insertApp(api, me),
    await insertApp(api, you),
  ];
  await insertSnapshot(mine.listingId, {
    ...texts,
    name: 'Lumen: Budget Planner',
    subtitle: 'Money diary',
  });
  await follow(me, other.id, ['budget planner']);
  await follow(you, yours.id, ['money diary']);
  for (const phrase of ['budget planner', 'money diary']) {
    await api.db.pool.query(
      `with s as (insert into scores (market_id, scored_at, observed_on, traffic, difficulty,
         formula)
         values ($1, '2026-11-21T12:00:00Z', '2026-11-21', 47, 31, 'test@1') returning *)
       insert into market_scores (market_id, score_id, scored_at, observed_on, traffic, difficulty,
         confidence, traffic_low, traffic_high)
         select market_id, id, scored_at, observed_on, traffic, difficulty, 'low', 12, 71 from s`,
      [await marketIdOf(api, phrase)],
    );
    await endFirstChecks(api, await marketIdOf(api, phrase), '2026-11-21');
  }
  const items = await suggest(me, mine.id, { source: 'listing' });
  expect(items.find((item) => item.phrase === 'budget planner')).toMatchObject({
    estTraffic: 47,
    estTrafficRange: { low: 12, high: 71 },
    alreadyTracked: false,
  });
  expect(items.find((item) => item.phrase === 'money diary')).toMatchObject({
    estTraffic: null,
    estTrafficRange: null,
  });
});

test('each suggestion has what the store publishes about its phrase', async () => {
  const me = await api.signUp();
  const app = await insertApp(api, me);
  await insertSnapshot(app.listingId, {
    ...texts,
    name: 'Lumen: Budget Planner',
    subtitle: 'Money diary',
  });
  const query = { source: 'listing' };
  for (const item of await suggest(me, app.id, query)) expect(item.published).toBeNull();
  await publishPhrase(api, 'budget planner');
  const list = { granularity: 'month', period: '2026-10-01', source: 'file' };
  const items = await suggest(me, app.id, query);
  const publishedOf = (phrase: string) => items.find((item) => item.phrase === phrase)?.published;
  const listed = { popularity: 77, rankInGenre: 3, atMost: null, genre: 'travel' };
  const unlisted = { popularity: null, rankInGenre: null, atMost: 4, genre: null };
  expect(publishedOf('budget planner')).toEqual({ ...listed, ...list });
  expect(publishedOf('money diary')).toEqual({ ...unlisted, ...list });
  for (const item of await suggest(me, app.id, { ...query, country: 'de' }))
    expect(item.published).toBeNull();
  await api.db.pool.query('truncate popularity, popularity_sets cascade');
});

test('a failing store is reported, with the results of the other sources', async () => {
  const me = await api.signUp();
  const app = await insertApp(api, me);
  await insertSnapshot(app.listingId, texts);
  const stored = await suggest(me, app.id, { source: 'listing,competitors,serp', phrase: 'habit' });
  expect(stored.length).toBeGreaterThan(0);
  for (const [fault, reason] of [
    ['429', 'refused'],
    ['captcha', 'refused'],
    ['truncated-gzip', 'unavailable'],
  ] as const) {
    simulator.setFaults([{ fault }]);
    const { items, unavailable } = await api.ok(
      'GET /apps/{id}/keyword-suggestions',
      { params: { id: app.id }, query: { phrase: 'habit' } },
      me,
    );
    expect(items).toEqual(stored);
    expect(unavailable).toEqual([
      {
        source: 'autocomplete',
        reason,
        prefixes: ['habit'],
        retryAfterSeconds: expect.any(Number),
      },
    ]);
    const alone = await ask(me, app.id, { phrase: 'habit', source: 'autocomplete' });
    expect([fault, alone.status, alone.body.code, alone.body.retryAfterSeconds > 0]).toEqual([
      fault,
      503,
      'store_unavailable',
      true,
    ]);
  }
  simulator.setFaults([]);
  const { unavailable } = await api.ok(
    'GET /apps/{id}/keyword-suggestions',
    { params: { id: app.id }, query: { phrase: 'habit' } },
    me,
  );
  expect(unavailable).toEqual([]);
});

test('responses before a failure are kept, and missing sources are named', async () => {
  const me = await api.signUp();
  const app = await insertApp(api, me);
  await insertSnapshot(app.listingId, texts);
  simulator.setFaults([{ fault: '429', after: 1, retryAfterSeconds: 90 }]);
  const query = { source: 'autocomplete' };
  const { items, unavailable } = await api.ok(
    'GET /apps/{id}/keyword-suggestions',
    { params: { id: app.id }, query },
    me,
  );
  const searchedPrefixes = new Set(
    items.flatMap((item) =>
      item.evidence.flatMap((piece) => (piece.source === 'autocomplete' ? [piece.prefix] : [])),
    ),
  );
  expect(searchedPrefixes.size).toBe(1);
  expect(unavailable).toEqual([
    {
      source: 'autocomplete',
      reason: 'refused',
      prefixes: [expect.any(String), expect.any(String)],
      retryAfterSeconds: 90,
    },
  ]);
  expect(new Set([...searchedPrefixes, ...unavailable[0]!.prefixes]).size).toBe(3);
  expect(simulator.log()).toHaveLength(2);
});

test('a hanging store times out, and a client that leaves ends the request', async () => {
  simulator.setFaults([{ fault: 'hang' }]);
  const question = { store: 'ios', country: 'us', prefixes: ['habit', 'tracker'] } as const;
  const { lists, failure, hasAskedStore } = await readAutocomplete(
    { stores: stores.stores, workspaceId: 1, clock: api.clock },
    question,
    new AbortController().signal,
    50,
  );
  expect([lists, failure!.error.failure, failure!.error.marker, failure!.prefixes]).toEqual([
    [],
    'unavailable',
    'deadline',
    ['habit', 'tracker'],
  ]);
  expect(hasAskedStore).toBe(true);
  await expect(
    readAutocomplete(
      { stores: stores.stores, workspaceId: 1, clock: api.clock },
      question,
      AbortSignal.abort(new Error('gone')),
      50,
    ),
  ).rejects.toThrow('gone');
});

test('suggestions refuse others, archived apps, bad input; allow read-only tokens', async () => {
  const [me, you] = [await api.signUp(), await api.signUp()];
  const app = await insertApp(api, me);
  const reader = await api.token(me, { readOnly: true });
  expect((await ask(reader, app.id, { phrase: 'habit' })).status).toBe(200);
  expect((await ask(you, app.id, { phrase: 'habit' })).body.code).toBe('not_found');
  simulator.clearLog();
  const refusals: [object, string][] = [
    [{ phrase: 'x'.repeat(101) }, 'invalid_request'],
    [{ phrase: 'ﬃ'.repeat(40) }, 'phrase_too_long'],
    [{ phrase: 'a b c d e f' }, 'too_many_words'],
    [{ phrase: '' }, 'invalid_request'],
    [{ phrase: '\u200b' }, 'invalid_request'],
    [{ phrase: 'a\u0007' }, 'invalid_request'],
    [{ country: 'US' }, 'invalid_country'],
    [{ source: 'guess' }, 'invalid_request'],
    [{ source: '' }, 'invalid_request'],
    [{ limit: 101 }, 'invalid_request'],
    [{ limit: 0 }, 'invalid_request'],
    [{ refresh: 'yes' }, 'invalid_request'],
    [{ refresh: '' }, 'invalid_request'],
    [{ term: 'x' }, 'invalid_request'],
  ];
  for (const [query, code] of refusals) {
    const response = await ask(me, app.id, query);
    expect([response.status, response.body.code], JSON.stringify(query)).toEqual([400, code]);
  }
  await api.ok('DELETE /apps/{id}', { params: { id: app.id } }, me);
  expect((await ask(me, app.id, { phrase: 'habit' })).body.code).toBe('invalid_request');
  expect(simulator.log()).toEqual([]);
});
