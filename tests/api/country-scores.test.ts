import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { inTenant } from '#domain/base/context.ts';
import { planCountryScores } from '#domain/insights/country-scores/plan-country-scores.ts';
import { scoreCountries } from '#domain/insights/country-scores/score-countries.ts';
import { plans } from '#domain/base/plans/plans.ts';
import { startApi, type Account, type Credential, type TestApi } from '../harness/api.ts';
import { until } from '../harness/load-recorder.ts';
import { startPipeline, type Pipeline } from '../harness/pipeline.ts';
import { insertApp } from './keywords.fixtures.ts';
import { publishPhrase } from './popularity.fixtures.ts';

let pipeline: Pipeline;
let api: TestApi;
let ann: Account;
const habits = '1500000001';

beforeAll(async () => {
  pipeline = await startPipeline({
    day: '2026-11-21',
    storeTasks: false,
    simulator: { seed: 3, world: { apps: 300, resultsPerSearch: 60 } },
  });
  const { db, clock, runtime } = pipeline;
  api = await startApi({ db, clock, services: runtime.services });
  ann = await api.signUp();
});
afterAll(async () => {
  await api.close();
  await pipeline.close();
});
afterEach(() => {
  pipeline.simulator.setFaults([]);
  pipeline.simulator.clearLog();
});

interface Body {
  phrases: string[] | 'tracked';
  countries: string[];
}

const newApp = async (who: Account = ann, storeAppId = habits) =>
  (await insertApp(api, who, { storeAppId })).id;
const request = (id: number, body: Body, who: Credential = ann) =>
  api.ok('POST /apps/{id}/country-scores', { params: { id }, body }, who);
const preview = async (id: number, body: Body) =>
  (await api.ok('POST /apps/{id}/country-scores/preview', { params: { id }, body }, ann)).cost;
const list = (id: number, query: object = {}) =>
  api.ok('GET /apps/{id}/country-scores', { params: { id }, query }, ann);
/** Searches of these phrases; the day's run sends others. */
const searches = (...phrases: string[]) =>
  pipeline.simulator
    .log()
    .filter(({ kind, phrase }) => kind === 'search' && phrases.includes(phrase ?? '')).length;

const rowOf = (id: number, appId: number) =>
  ({
    id,
    workspaceId: ann.workspaceId,
    appId,
    kind: 'country-scores',
    payload: {},
    attempts: 1,
  }) as const;

async function finish(jobId: number, stepMs = 1_000): Promise<void> {
  const isDone = async () => {
    pipeline.clock.advance(stepMs);
    await pipeline.tick();
    const job = await api.ok('GET /jobs/{jobId}', { params: { jobId } }, ann);
    return job.state !== 'queued' && job.state !== 'running';
  };
  await until(isDone, 60_000, 'the job to end');
}

test('scores and positions are the store’s, and repeated requests cost nothing', async () => {
  const id = await newApp();
  const countries = ['us', 'de', 'jp', 'us'];
  const body = { phrases: ['Habit  Tracker', 'mood journal'], countries };
  const cost = await preview(id, body);
  expect(cost).toMatchObject({ markets: 6, toScore: 6, fresh: 0, tracked: 0, allowance: null });
  expect(cost.requests).toEqual({ min: 12, max: expect.any(Number) });
  expect((await list(id)).items, 'a preview writes nothing').toEqual([]);
  const { job, poll } = await request(id, body);
  expect(poll).toBe(`/apps/${id}/country-scores`);
  expect((await list(id)).waiting).toBe(6);
  await finish(job!.id);
  expect(searches('habit tracker', 'mood journal')).toBe(6);
  const { items, waiting } = await list(id);
  expect([items.length, waiting]).toEqual([6, 0]);
  for (const item of items) {
    const { phrase, country } = item;
    const order = pipeline.simulator.order({ store: 'ios', phrase, country });
    const index = order.indexOf(habits);
    expect([country, phrase, item.position], 'the true position').toEqual([
      country,
      phrase,
      index < 0 ? null : index + 1,
    ]);
    expect([item.state, item.depth! >= 1, item.confidences !== null]).toEqual([
      'scored',
      true,
      true,
    ]);
    const query = { phrase, country };
    const alone = await api.ok('GET /apps/{id}/phrase-score', { params: { id }, query }, ann);
    expect([item.traffic, item.difficulty, item.position, item.depth]).toEqual([
      alone.traffic,
      alone.difficulty,
      alone.position,
      alone.depth,
    ]);
    expect(item.ranges).toEqual(alone.provenance.ranges);
  }
  const opportunities = items.map(({ opportunity }) => opportunity!);
  expect(opportunities).toEqual(opportunities.toSorted((a, b) => b - a));
  expect(new Set(opportunities).size).toBeGreaterThan(1);
  pipeline.simulator.clearLog();
  const again = await request(id, body);
  expect([again.job, again.cost.fresh, again.cost.toScore]).toEqual([null, 6, 0]);
  expect(searches('habit tracker', 'mood journal')).toBe(0);
});

test('a published number is the traffic, and others have the bound of the list', async () => {
  await publishPhrase(api, 'sleep sounds');
  const id = await newApp(ann, '1500000041');
  const { job } = await request(id, {
    phrases: ['sleep sounds', 'water reminder'],
    countries: ['us', 'de'],
  });
  await finish(job!.id);
  const { items } = await list(id, { sort: 'phrase' });
  const of = (phrase: string, country: string) =>
    items.find((item) => item.phrase === phrase && item.country === country)!;
  const month = { granularity: 'month', period: '2026-10-01', source: 'file' };
  expect(of('sleep sounds', 'us')).toMatchObject({
    traffic: 77,
    trafficBasis: 'published',
    ranges: { traffic: { low: 77, high: 77 } },
    published: { popularity: 77, genre: 'travel', rankInGenre: 3, ...month },
  });
  const unlisted = of('water reminder', 'us');
  expect(unlisted).toMatchObject({
    trafficBasis: 'bound',
    published: { popularity: null, ...month },
  });
  expect(unlisted.traffic).toBe(unlisted.published!.atMost);
  for (const phrase of ['sleep sounds', 'water reminder'])
    expect(of(phrase, 'de')).toMatchObject({ trafficBasis: 'estimate', published: null });
  expect(of('sleep sounds', 'us').opportunity).toBeGreaterThan(unlisted.opportunity!);
  await api.db.pool.query('truncate popularity, popularity_sets cascade');
});

test('lists are filtered, sorted and paged', async () => {
  const id = await newApp(ann, '1500000003');
  const { job } = await request(id, { phrases: ['habit tracker'], countries: ['us', 'gb', 'fr'] });
  await finish(job!.id);
  const first = await list(id, { sort: 'country', limit: 2 });
  expect(first.items.map(({ country }) => country)).toEqual(['fr', 'gb']);
  const next = await list(id, { sort: 'country', limit: 2, cursor: first.nextCursor });
  expect([next.items.map(({ country }) => country), next.nextCursor]).toEqual([['us'], null]);
  expect((await list(id, { country: 'gb' })).total).toBe(1);
  expect((await list(id, { phrase: ' HABIT tracker' })).total).toBe(3);
  expect((await list(id, { phrase: 'another' })).total).toBe(0);
  const least = Math.max(...first.items.map(({ traffic }) => traffic!));
  for (const { traffic } of (await list(id, { minTraffic: least })).items)
    expect(traffic).toBeGreaterThanOrEqual(least);
  expect((await list(id, { maxDifficulty: 0 })).total).toBe(0);
  expect((await list(id, { state: 'failed' })).total).toBe(0);
});

test('a failed attempt is said, writes no result, and is tried again', async () => {
  const id = await newApp(ann, '1500000004');
  pipeline.simulator.setFaults([
    { fault: '429', kind: 'search', country: 'us', times: 1 },
    { fault: '429', kind: 'search', country: 'zw' },
  ]);
  const { job } = await request(id, { phrases: ['daily planner'], countries: ['us', 'zw'] });
  await finish(job!.id, 1_200_000);
  const { items } = await list(id, { sort: 'country' });
  expect(items).toMatchObject([
    { country: 'us', state: 'scored', failure: null },
    {
      country: 'zw',
      state: 'failed',
      failure: { reason: 'refused' },
      position: null,
      depth: null,
      traffic: null,
      difficulty: null,
      opportunity: null,
      scoredAt: null,
    },
  ]);
  // The result is old by now, and the store refuses every further attempt.
  await api.db.pool.query(
    `update country_scores set scored_at = scored_at - interval '8 days' where app_id = $1`,
    [id],
  );
  const [old] = (await list(id, { country: 'us' })).items;
  pipeline.simulator.setFaults([{ fault: '429', kind: 'search' }]);
  const later = await request(id, { phrases: ['daily planner'], countries: ['us'] });
  expect(later.cost.toScore).toBe(1);
  await finish(later.job!.id, 3_600_000);
  const [us] = (await list(id, { country: 'us' })).items;
  expect(us).toEqual({
    ...old,
    requestedAt: us!.requestedAt,
    state: 'failed',
    failure: { reason: 'refused', at: us!.failure!.at },
  });
});

test('a killed job goes on with what is left, and nothing is scored twice', async () => {
  const id = await newApp(ann, '1500000005');
  const countries = ['us', 'gb', 'de', 'fr', 'it', 'es', 'jp', 'br', 'ca', 'au'];
  const { job } = await request(id, { phrases: ['focus timer'], countries });
  const row = rowOf(job!.id, id);
  const kill = new AbortController();
  const run = scoreCountries(pipeline.runtime.services, row, kill.signal, async () =>
    kill.abort(new Error('killed')),
  );
  await expect(run).rejects.toThrow('killed');
  const before = (await list(id, { state: 'waiting' })).items.length;
  expect(before).toBe(6);
  const { rows } = await api.db.pool.query('select done from jobs where id = $1', [job!.id]);
  expect(rows[0].done).toBe(4);
  pipeline.simulator.clearLog();
  await finish(job!.id);
  expect(searches('focus timer')).toBe(6);
  expect((await list(id, { state: 'scored' })).total).toBe(10);
});

test('a score that a clock which was ahead has rescheduled is not left waiting', async () => {
  const id = await newApp(ann, '1500000021');
  const { job } = await request(id, { phrases: ['focus timer'], countries: ['us', 'gb'] });
  await api.db.pool.query("update country_scores set due_at = due_at + interval '2 days'");
  await finish(job!.id);
  expect((await list(id, { state: 'scored' })).total).toBe(2);
});

test('a run ends after twenty seconds, behind other jobs, and another one goes on', async () => {
  const id = await newApp(ann, '1500000013');
  const countries = ['us', 'gb', 'de', 'fr', 'it', 'es', 'jp', 'br', 'ca', 'au'];
  const { job } = await request(id, { phrases: ['water reminder'], countries });
  const row = rowOf(job!.id, id);
  const { services } = pipeline.runtime;
  const end = await scoreCountries(services, row, new AbortController().signal, async () =>
    pipeline.clock.advance(20_000),
  );
  expect(end).toEqual({ continueAt: new Date(pipeline.clock.now().getTime() + 1_000) });
  expect((await list(id, { state: 'scored' })).total).toBe(4);
  await finish(job!.id);
  expect((await list(id, { state: 'scored' })).total).toBe(10);
});

test('a running job is cancelled: it ends after the scores under way, which stay', async () => {
  const id = await newApp(ann, '1500000012');
  const countries = ['us', 'gb', 'de', 'fr', 'it', 'es', 'jp', 'br', 'ca', 'au'];
  const { job } = await request(id, { phrases: ['sleep sounds'], countries });
  await api.db.pool.query(`update jobs set state = 'running' where id = $1`, [job!.id]);
  const row = rowOf(job!.id, id);
  const cancel = () => api.ok('POST /jobs/{jobId}/cancel', { params: { jobId: job!.id } }, ann);
  const { services } = pipeline.runtime;
  const end = await scoreCountries(services, row, new AbortController().signal, async () => {
    expect((await cancel()).state).toBe('cancelled');
  });
  expect(end).toBeNull();
  expect(searches('sleep sounds')).toBe(4);
  const { items, waiting } = await list(id);
  expect([items.filter(({ state }) => state === 'scored').length, waiting]).toEqual([4, 0]);
  await pipeline.tick();
  expect((await cancel()).state).toBe('cancelled');
  expect(searches('sleep sounds')).toBe(4);
});

test('a job whose app is archived fails, and a retry goes on once it is restored', async () => {
  const id = await newApp(ann, '1500000011');
  const countries = ['us', 'gb', 'de', 'fr', 'it', 'es', 'jp', 'br', 'ca', 'au'];
  const { job } = await request(id, { phrases: ['focus timer'], countries });
  const params = { jobId: job!.id };
  const uses = async () =>
    (await api.db.pool.query('select * from on_demand_hours order by workspace_id, kind, hour'))
      .rows;
  const used = await uses();
  await scoreCountries(
    pipeline.runtime.services,
    rowOf(job!.id, id),
    new AbortController().signal,
    async () => pipeline.clock.advance(20_000),
  );
  await api.ok('DELETE /apps/{id}', { params: { id } }, ann);
  await finish(job!.id);
  expect(await api.ok('GET /jobs/{jobId}', { params }, ann)).toMatchObject({
    state: 'failed',
    progress: { done: 4, total: 10 },
    error: 'the app was archived meanwhile; restore it and try again',
    result: null,
  });
  expect((await list(id, { state: 'not_scored' })).total).toBe(6);
  await api.ok('POST /apps/{id}/restore', { params: { id } }, ann);
  await api.ok('POST /jobs/{jobId}/retry', { params }, ann);
  await finish(job!.id);
  expect(await api.ok('GET /jobs/{jobId}', { params }, ann)).toMatchObject({
    state: 'succeeded',
    progress: { done: 10, total: 10 },
    error: null,
  });
  expect((await list(id, { state: 'scored' })).total).toBe(10);
  expect(searches('focus timer')).toBe(10);
  expect(await uses()).toEqual(used);
});

test('the duration counts searches at the pace of their host', async () => {
  const id = await newApp(ann, '1500000014');
  const body = { phrases: ['water reminder'], countries: ['us', 'de'], device: undefined };
  const costAt = async (webPerMinute: number, provider = 'web') => {
    const settings = {
      ...ann.ctx.settings,
      searchProviders: { ios: [provider], android: ['web'] },
      requestsPerMinute: { ios: 15, android: 15 },
      hostRequestsPerMinute: { 'apps.apple.com': webPerMinute },
    };
    const plan = await inTenant(ann.ctx, (tx) =>
      planCountryScores(tx, { ...ann.ctx, settings }, id, body),
    );
    return [plan.cost.requests, plan.cost.seconds];
  };
  // Each of two scores takes a search and a list, up to two searches, four lists and names.
  const requests = { min: 4, max: 14 };
  expect(await costAt(15)).toEqual([requests, { min: 16, max: 56 }]);
  expect(await costAt(60)).toEqual([requests, { min: 10, max: 44 }]);
  expect(await costAt(60, 'itunes')).toEqual([
    { min: 4, max: 12 },
    { min: 16, max: 48 },
  ]);
});

test('tracked phrases are free, show their keyword, and can be named as a whole', async () => {
  const id = await newApp(ann, '1500000006');
  const none = await api.call(
    'POST /apps/{id}/country-scores',
    { params: { id }, body: { phrases: 'tracked', countries: ['us'] } },
    ann,
  );
  expect([none.status, none.body.code]).toEqual([400, 'invalid_request']);
  const keywords = [
    { phrase: 'daily planner', country: 'us' },
    { phrase: 'gratitude journal', country: 'us' },
  ];
  const { added } = await api.ok(
    'POST /apps/{id}/keywords',
    { params: { id }, body: { keywords } },
    ann,
  );
  const { job, cost } = await request(id, { phrases: 'tracked', countries: ['us', 'de'] });
  expect(cost).toMatchObject({ markets: 4, tracked: 2, toScore: 2 });
  await finish(job!.id);
  const { items } = await list(id, { sort: 'phrase' });
  expect(items.map(({ phrase, country, state }) => [phrase, country, state])).toEqual([
    ['daily planner', 'de', 'scored'],
    ['daily planner', 'us', 'tracked'],
    ['gratitude journal', 'de', 'scored'],
    ['gratitude journal', 'us', 'tracked'],
  ]);
  expect(items[1]!.keywordId).toBe(added.find(({ phrase }) => phrase === 'daily planner')!.id);
  const scored = items[0]!;
  const body = { keywords: [{ phrase: scored.phrase, country: scored.country }] };
  await api.ok('POST /apps/{id}/keywords', { params: { id }, body }, ann);
  const [now] = (await list(id, { phrase: scored.phrase, country: 'de' })).items;
  expect([now!.state, now!.traffic, now!.keywordId === null]).toEqual([
    'tracked',
    scored.traffic,
    false,
  ]);
});

test('hostile requests, other workspaces and read-only tokens change nothing', async () => {
  const id = await newApp(ann, '1500000007');
  const bob = await api.signUp();
  const reader = await api.token(ann, { readOnly: true });
  const good = { phrases: ['calm'], countries: ['us'] };
  const post = (body: unknown, who: Credential = ann, app = id) =>
    api.call('POST /apps/{id}/country-scores', { params: { id: app }, body: body as never }, who);
  const refusals: [unknown, string][] = [
    [null, 'invalid_request'],
    [{}, 'invalid_request'],
    [{ ...good, phrases: null }, 'invalid_request'],
    [{ ...good, phrases: 'calm' }, 'invalid_request'],
    [{ ...good, phrases: [] }, 'invalid_request'],
    [{ ...good, phrases: [5] }, 'invalid_request'],
    [{ ...good, phrases: ['x'.repeat(10_000)] }, 'phrase_too_long'],
    [{ ...good, phrases: ['x'.repeat(10_001)] }, 'invalid_request'],
    [{ ...good, phrases: ['a b c d e f'] }, 'too_many_words'],
    [{ ...good, phrases: ['a\u0000'] }, 'invalid_request'],
    [{ ...good, phrases: ['\u200b'] }, 'invalid_request'],
    [{ ...good, countries: ['US'] }, 'invalid_country'],
    [{ ...good, countries: [null] }, 'invalid_request'],
    [{ ...good, countries: 'us' }, 'invalid_request'],
    [{ ...good, device: 'toaster' }, 'invalid_request'],
    [{ ...good, more: 1 }, 'invalid_request'],
    [
      {
        phrases: Array.from({ length: 51 }, (_, index) => `phrase ${index}`),
        countries: ['us', 'de', 'fr', 'it', 'es', 'jp', 'gb', 'ca', 'au', 'br'],
      },
      'invalid_request',
    ],
  ];
  for (const [body, code] of refusals) {
    const response = await post(body);
    const about = JSON.stringify(body).slice(0, 80);
    expect([response.status, response.body.code], about).toEqual([400, code]);
  }
  const [foreign, absent] = [await post(good, bob), await post(good, ann, 2_000_000_000)];
  expect([foreign.status, foreign.body.code]).toEqual([404, 'not_found']);
  expect([absent.status, absent.body.code]).toEqual([404, 'not_found']);
  expect((await post(good, reader)).status).toBe(403);
  for (const query of [{ limit: '5x' }, { sort: 'x' }, { cursor: 'x' }, { minTraffic: '101' }]) {
    const response = await api.call(
      'GET /apps/{id}/country-scores',
      { params: { id }, query: query as never },
      ann,
    );
    expect([response.status, Object.keys(query)]).toEqual([400, Object.keys(query)]);
  }
  expect((await list(id)).total).toBe(0);
  await api.ok('DELETE /apps/{id}', { params: { id } }, ann);
  expect((await post(good)).body.code).toBe('invalid_request');
  expect(searches('calm')).toBe(0);
});

test('a failed score returns its use to the hour of its job, not of a later request', async () => {
  const id = await newApp(ann, '1500000015');
  const { pool } = api.db;
  const own = [ann.workspaceId];
  await pool.query('delete from on_demand_hours where workspace_id = $1', own);
  const uses = async () => {
    const { rows } = await pool.query<{ uses: number }>(
      `select uses from on_demand_hours where workspace_id = $1 and kind = 'country-score'
       order by hour`,
      own,
    );
    return rows.map((row) => row.uses);
  };
  pipeline.simulator.setFaults([{ fault: '429', kind: 'search', country: 'zw' }]);
  const { job } = await request(id, { phrases: ['sleep log'], countries: ['zw'] });
  pipeline.clock.advance(3_600_000);
  const later = await request(id, { phrases: ['sleep log'], countries: ['zw', 'us'] });
  expect(later.cost).toMatchObject({ open: 1, toScore: 1 });
  expect(await uses()).toEqual([1, 1]);
  await finish(job!.id, 1_200_000);
  expect(await uses()).toEqual([0, 1]);
  await finish(later.job!.id);
});

test('a plan limits the scores of a day, and failures do not count', async () => {
  const metered = await startApi({
    db: api.db,
    clock: api.clock,
    deps: { authSecret: api.authSecret },
    services: {
      ...pipeline.runtime.services,
      settings: { ...pipeline.runtime.services.settings, billingEnabled: true },
    },
  });
  const id = await newApp(ann, '1500000008');
  const limit = plans.indie.countryScoresPerDay;
  const used = async () => {
    const { rows } = await api.db.pool.query<{ uses: number }>(
      `select coalesce(sum(uses), 0)::int as uses from on_demand_hours
       where workspace_id = $1 and kind = 'country-score' and hour >= $2`,
      [ann.workspaceId, `${api.clock.now().toISOString().slice(0, 10)}T00:00:00Z`],
    );
    return rows[0]!.uses;
  };
  const hour = `${api.clock.now().toISOString().slice(0, 13)}:00:00Z`;
  await api.db.pool.query(
    `delete from on_demand_hours where workspace_id = $1 and kind = 'country-score'`,
    [ann.workspaceId],
  );
  await api.db.pool.query(
    `insert into on_demand_hours as o values ($1, 'country-score', $2, $3)
     on conflict (workspace_id, kind, hour) do update set uses = $3`,
    [ann.workspaceId, hour, limit - 1],
  );
  const post = (countries: string[]) =>
    metered.call(
      'POST /apps/{id}/country-scores',
      { params: { id }, body: { phrases: ['calm'], countries } },
      ann,
    );
  const refused = await post(['us', 'de']);
  expect([refused.status, refused.body.code, refused.body.rateLimit]).toMatchObject([
    429,
    'on_demand_cap',
    { limit, window: 'day' },
  ]);
  expect(await used()).toBe(limit - 1);
  pipeline.simulator.setFaults([{ fault: '429', kind: 'search', country: 'zw' }]);
  const accepted = await post(['zw']);
  expect([accepted.status, await used()]).toEqual([202, limit]);
  await finish(accepted.body.job.id, 1_200_000);
  const { rows } = await api.db.pool.query<{ uses: number }>(
    `select uses from on_demand_hours
     where workspace_id = $1 and kind = 'country-score' and hour = $2`,
    [ann.workspaceId, hour],
  );
  expect(rows[0]!.uses).toBe(limit - 1);
  await metered.close();
});
