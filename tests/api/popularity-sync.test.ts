import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { discardOldPopularity, purgeDiscardedPopularity } from '#db/queries/popularity/sets.ts';
import { startSimulator, type Simulator } from '#simulator/server.ts';
import { startApi, type Account, type Credential, type TestApi } from '../harness/api.ts';
import { insertApp } from './keywords.fixtures.ts';
import {
  makeTerms,
  openAdsApi,
  registerAdsKey,
  runSync,
  type AdsCredentials,
} from './popularity-sync.fixtures.ts';

let simulator: Simulator;
let api: TestApi;
let operator: Account;
let member: Account;
let key: AdsCredentials;
let waits: number[];

/** A Saturday: the newest published week begins on 2026-11-08. */
const start = '2026-11-21T12:00:00Z';
const newest = '2026-11-08';
const weeks = ['2026-10-18', '2026-10-25', '2026-11-01', newest];

beforeAll(async () => {
  simulator = await startSimulator({ now: new Date(start) });
  simulator.appleAds.requestsPerSecond = 1_000;
  api = await startApi();
  const opened = openAdsApi(simulator, api.clock);
  ({ waits } = opened);
  api.services.popularityApi = opened.api;
  operator = await api.signUp();
  await api.db.pool.query('update users set operator = true where id = $1', [operator.userId]);
  member = await api.signUp();
  await track('us');
});
afterAll(async () => {
  await api.close();
  await simulator.close();
});

beforeEach(async () => {
  waits.length = 0;
  setNow(start);
  simulator.appleAds.fail();
  simulator.appleAds.refused.clear();
  simulator.appleAds.setTerms(() => makeTerms(20));
  simulator.appleAds.queries.length = 0;
  await api.db.pool.query(
    'truncate popularity_sync, popularity_weeks, popularity, popularity_sets cascade',
  );
  await api.db.pool.query("delete from keywords where country <> 'us'");
  key = registerAdsKey(simulator);
});

function setNow(instant: string): void {
  api.clock.set(instant);
  simulator.setNow(new Date(instant));
}

async function track(country: string): Promise<void> {
  const { id: appId } = await insertApp(api, member);
  await api.db.pool.query(
    `with m as (insert into markets (store, country, device, phrase)
       values ('ios', $2, 'iphone', 'games term 1') returning id)
     insert into keywords (workspace_id, app_id, market_id, country, phrase, device, depth,
       tracking_periods, created_at)
     select $1, $3, id, $2, 'games term 1', 'iphone', 200, '[["2026-11-01", 200]]', now() from m`,
    [member.workspaceId, country, appId],
  );
}

const save = (credentials: object = key, account: Credential = operator) =>
  api.call('PUT /popularity/credentials', { body: credentials as never }, account);
const getSync = () => api.ok('GET /popularity/sync', {}, operator);
const getQuarantine = async () => (await api.ok('GET /popularity/quarantine', {}, operator)).items;
const requestNow = () => api.ok('POST /popularity/sync', {}, operator);
const listTerms = (period = newest) =>
  api.ok(
    'GET /popularity/terms',
    { query: { country: 'us', granularity: 'week', period, limit: '500' } },
    member,
  );
const countHidden = async () => {
  const { rows } = await api.db.pool.query(
    "select count(*)::int as count from popularity_sets where state = 'staging'",
  );
  return rows[0].count as number;
};

describe('credentials', () => {
  test('are tested, stored encrypted and never returned', async () => {
    const saved = await save();
    expect([saved.status, saved.body.credentials.state, saved.body.state]).toEqual([
      200,
      'accepted',
      'due',
    ]);
    expect(saved.body.credentials).toMatchObject({ keyId: 'key-1', accountId: '4815162' });
    const { rows } = await api.db.pool.query(
      'select t.* from popularity_sync t union all select t.* from popularity_sync t',
    );
    const lines = key.privateKey.split('\n').filter((line) => line.length > 20);
    const stored = rows[0].private_key.toString('latin1') + JSON.stringify(rows);
    for (const line of lines.slice(0, 2)) {
      expect(JSON.stringify(saved.body)).not.toContain(line);
      expect(stored).not.toContain(line);
    }
    const { rows: audit } = await api.db.pool.query(
      "select detail from audit where action = 'popularity.credentials_saved'",
    );
    expect(audit.at(-1).detail).toEqual({
      clientId: key.clientId,
      teamId: key.teamId,
      keyId: key.keyId,
    });
  });

  test('in both forms of PEM are accepted', async () => {
    expect((await save(registerAdsKey(simulator, 'key-pkcs8'))).status).toBe(200);
  });

  test('that Apple does not know are refused, and the old ones stay', async () => {
    await save();
    const refused = await save({ ...key, keyId: 'other' });
    expect([refused.status, refused.body.code]).toEqual([409, 'popularity_key_rejected']);
    expect(refused.body.message).toContain('invalid_client');
    expect((await getSync()).credentials?.keyId).toBe('key-1');
  });

  test('without an ad account are refused, and a failing Apple is another error', async () => {
    simulator.appleAds.fail({ kind: 'no-accounts', times: 1 });
    expect((await save()).body.message).toMatch(/no ad account/);
    simulator.appleAds.fail({ kind: 'unavailable' });
    const failed = await save();
    expect([failed.status, failed.body.code, failed.body.retryAfterSeconds]).toEqual([
      503,
      'popularity_source_unavailable',
      60,
    ]);
    expect((await getSync()).credentials).toBeNull();
  });

  test.for([
    ['null', null],
    ['a number', 7],
    ['an empty text', ''],
    ['10,000 characters', 'x'.repeat(10_000)],
    ['a text that is no PEM', 'not a key '.repeat(20)],
    [
      'PEM without a key',
      `-----BEGIN EC PRIVATE KEY-----\n${'A'.repeat(100)}\n-----END EC PRIVATE KEY-----`,
    ],
  ] as const)('of %s as the private key are refused with what to do', async ([, privateKey]) => {
    const refused = await save({ ...key, privateKey });
    expect([refused.status, refused.body.code]).toEqual([400, 'invalid_request']);
    expect(refused.body.issues[0].path).toBe('privateKey');
  });

  test('with bad identifiers are refused', async () => {
    for (const clientId of [null, 7, '', 'x'.repeat(10_000), 'a b', 'a\nb', {}])
      expect((await save({ ...key, clientId })).body.code).toBe('invalid_request');
  });

  test('are managed by operators alone, and not with a read-only token', async () => {
    const reader = await api.token(operator, { readOnly: true });
    expect((await save(key, member)).body.code).toBe('forbidden');
    expect((await save(key, reader)).body.code).toBe('read_only_token');
    for (const operation of ['GET /popularity/sync', 'GET /popularity/quarantine'] as const) {
      expect((await api.call(operation, {}, member)).body.code).toBe('forbidden');
      expect((await api.call(operation, {}, reader)).status).toBe(200);
    }
    for (const operation of ['POST /popularity/sync', 'DELETE /popularity/credentials'] as const) {
      expect((await api.call(operation, {}, member)).body.code).toBe('forbidden');
      expect((await api.call(operation, {}, reader)).body.code).toBe('read_only_token');
    }
    for (const verb of ['accept', 'discard'] as const) {
      const operation = `POST /popularity/quarantine/{setId}/${verb}` as const;
      const request = { params: { setId: 1 } };
      expect((await api.call(operation, request, member)).body.code).toBe('forbidden');
      expect((await api.call(operation, request, reader)).body.code).toBe('read_only_token');
      expect((await api.call(operation, request, operator)).body.code).toBe('not_found');
      for (const setId of ['0', 'null', '99999999999', 'x'.repeat(10_000)])
        expect(
          (await api.call(operation, { params: { setId } }, operator)).status,
        ).toBeGreaterThanOrEqual(400);
    }
  });

  test('are removed, and published numbers stay', async () => {
    await save();
    await runSync(api);
    await api.ok('DELETE /popularity/credentials', {}, operator);
    expect(await getSync()).toMatchObject({ credentials: null, state: 'off', nextAt: null });
    expect((await listTerms()).total).toBe(300);
    const missing = await api.call('POST /popularity/sync', {}, operator);
    expect(missing.body.code).toBe('popularity_key_missing');
  });
});

describe('a sync', () => {
  test('is due from a request until it begins, and not before its time', async () => {
    const saved = await save();
    expect([saved.body.state, saved.body.nextAt]).toEqual(['due', new Date(start).toISOString()]);
    await runSync(api);
    expect((await getSync()).state).toBe('waiting');
    expect((await requestNow()).state).toBe('due');
    const { popularityApi } = api.services;
    const states: string[] = [];
    api.services.popularityApi = {
      ...popularityApi,
      readWeek: async (...given) => {
        states.push((await getSync()).state);
        return popularityApi.readWeek(...given);
      },
    };
    await runSync(api);
    api.services.popularityApi = popularityApi;
    expect([new Set(states), (await getSync()).state]).toEqual([new Set(['running']), 'waiting']);
    await requestNow();
    simulator.appleAds.fail({ kind: 'unavailable' });
    await runSync(api);
    const failed = await getSync();
    expect(failed.state).toBe('retrying');
    setNow(failed.nextAt!);
    expect(await getSync()).toMatchObject({ state: 'due', failure: { code: 'unavailable' } });
  });

  test('reads the newest weeks, keyed by their Sunday, and is due again within a day', async () => {
    await save();
    await runSync(api);
    const sync = await getSync();
    expect(sync).toMatchObject({ state: 'waiting', newestWeek: newest, failure: null });
    expect(sync.weeks.map(({ week, outcome, terms }) => [week, outcome, terms])).toEqual(
      weeks.toReversed().map((week) => [week, 'synced', 300]),
    );
    expect((await listTerms()).set).toMatchObject({ period: newest, source: 'api', genres: 15 });
    expect(sync.nextAt).toBe('2026-11-22T12:00:00.000Z');
    const { length } = simulator.appleAds.queries;
    setNow('2026-11-22T12:00:01Z');
    await runSync(api);
    expect(simulator.appleAds.queries.length).toBe(length);
    // The next week is published on Monday at seven.
    expect((await getSync()).nextAt).toBe('2026-11-23T07:00:00.000Z');
    setNow('2026-11-23T07:00:00Z');
    await runSync(api);
    expect((await getSync()).weeks[0]).toMatchObject({ week: '2026-11-15', outcome: 'synced' });
  });

  test('reads a country of several pages, and waits between requests', async () => {
    simulator.appleAds.setTerms(() => makeTerms(400));
    await save();
    await runSync(api);
    expect((await listTerms()).total).toBe(6_000);
    const offsets = simulator.appleAds.queries.map(({ offset }) => offset);
    expect(offsets.slice(0, 2)).toEqual([0, 5_000]);
    expect(waits.length).toBeGreaterThanOrEqual(offsets.length);
    expect(Math.min(...waits)).toBe(1_000);
  });

  test('waits as long as a 429 says and goes on', async () => {
    await save();
    simulator.appleAds.fail({ kind: 'limited', times: 2, retryAfterSeconds: 7 });
    await runSync(api);
    expect(waits.filter((ms) => ms === 7_000)).toHaveLength(2);
    expect((await getSync()).weeks).toHaveLength(4);
  });

  test('ends at a long 429, and continues with the week where it was', async () => {
    await save();
    simulator.appleAds.fail({ kind: 'limited', after: 2, times: 1, retryAfterSeconds: 7_200 });
    await runSync(api);
    const sync = await getSync();
    expect(sync).toMatchObject({ state: 'retrying', failure: { code: 'limited' } });
    expect(sync.nextAt).toBe('2026-11-21T14:00:00.000Z');
    expect(sync.weeks.map(({ week }) => week)).toEqual(weeks.slice(0, 2).toReversed());
    // A person does not shorten it.
    expect((await requestNow()).nextAt).toBe('2026-11-21T14:00:00.000Z');
    setNow('2026-11-21T14:00:00Z');
    await runSync(api);
    expect((await getSync()).weeks).toHaveLength(4);
    expect(simulator.appleAds.queries.map(({ week }) => week)).toEqual(weeks);
  });

  test.for(['unavailable', 'truncated'] as const)(
    'survives a response that is %s, and retries later when it lasts',
    async (kind) => {
      await save();
      simulator.appleAds.fail({ kind, times: 2 });
      await runSync(api);
      expect(await listTerms()).toMatchObject({ total: 300 });
      expect(waits).toContain(4_000);
      await requestNow();
      simulator.appleAds.setTerms(() => makeTerms(21));
      simulator.appleAds.fail({ kind });
      await runSync(api);
      const failed = await getSync();
      expect(failed).toMatchObject({ state: 'retrying', failure: { code: 'unavailable' } });
      expect(failed.nextAt).toBe('2026-11-21T12:05:00.000Z');
      expect(await listTerms()).toMatchObject({ total: 300 });
      simulator.appleAds.fail();
      setNow('2026-11-21T12:05:00Z');
      await runSync(api);
      expect(await listTerms()).toMatchObject({ total: 315 });
      expect((await getSync()).state).toBe('waiting');
    },
  );

  test('shows the old week until the new one is whole', async () => {
    simulator.appleAds.setTerms(() => makeTerms(400));
    await save();
    await runSync(api);
    simulator.appleAds.setTerms(() => makeTerms(420));
    await requestNow();
    simulator.appleAds.fail({ kind: 'unavailable', after: 1 });
    await runSync(api);
    expect((await listTerms()).total).toBe(6_000);
    expect(await countHidden()).toBe(1);
    simulator.appleAds.fail();
    setNow('2026-11-21T12:10:00Z');
    await runSync(api);
    expect((await listTerms()).total).toBe(6_300);
    expect(await countHidden()).toBe(0);
    const { rows } = await api.db.pool.query('select count(*)::int as count from popularity');
    expect(rows[0].count).toBe(3 * 6_000 + 6_300);
  });

  test('stops at a revoked key, without further requests, until a new one is saved', async () => {
    await save();
    await runSync(api);
    simulator.appleAds.revoke('key-1');
    await requestNow();
    await runSync(api);
    const stopped = await getSync();
    expect(stopped).toMatchObject({
      state: 'stopped',
      nextAt: null,
      credentials: { state: 'rejected' },
      failure: { code: 'rejected' },
    });
    expect(stopped.failure?.message).toMatch(/does not accept this key/);
    const { length } = simulator.log();
    setNow('2026-11-24T12:00:00Z');
    await runSync(api);
    expect(simulator.log().length).toBe(length);
    const refused = await api.call('POST /popularity/sync', {}, operator);
    expect(refused.body.code).toBe('popularity_key_rejected');
    expect((await listTerms()).total).toBe(300);
    await save(registerAdsKey(simulator, 'key-2'));
    await runSync(api);
    expect(await getSync()).toMatchObject({ state: 'waiting', failure: null });
  });

  test('leaves nothing half replaced when its credentials change meanwhile', async () => {
    await save();
    const { popularityApi } = api.services;
    api.services.popularityApi = {
      ...popularityApi,
      readWeek: async (access, query, options) => {
        const page = await popularityApi.readWeek(access, query, options);
        if (query.week === newest) await api.ok('DELETE /popularity/credentials', {}, operator);
        return page;
      },
    };
    await runSync(api);
    api.services.popularityApi = popularityApi;
    expect((await listTerms()).set).toBeNull();
    expect((await listTerms(weeks[2])).total).toBe(300);
  });

  test('of a country without data records it as empty, and waits for a late week', async () => {
    simulator.appleAds.setTerms(() => []);
    setNow('2026-11-16T08:00:00Z');
    await save();
    await runSync(api);
    const sync = await getSync();
    expect(sync.weeks.map(({ week, outcome }) => [week, outcome])).toEqual(
      weeks
        .slice(0, 3)
        .toReversed()
        .map((week) => [week, 'empty']),
    );
    expect(sync.nextAt).toBe('2026-11-16T09:00:00.000Z');
  });

  test('is not stopped by a clock that was ahead, and finds no week empty', async () => {
    await save();
    simulator.appleAds.setTerms(() => []);
    await api.db.pool.query(
      "insert into runs (date, opened_at, state) values ('2026-11-21', $1, 'running')",
      [start],
    );
    try {
      setNow('2027-11-21T12:00:00Z');
      await runSync(api);
    } finally {
      await api.db.pool.query('delete from runs');
    }
    const { rows } = await api.db.pool.query(
      'select next_at as "nextAt", (select count(*)::int from popularity_weeks) as weeks ' +
        'from popularity_sync',
    );
    expect(rows).toEqual([{ nextAt: new Date('2027-11-21T13:00:00Z'), weeks: 0 }]);
    setNow(start);
    simulator.appleAds.setTerms(() => makeTerms(20));
    await runSync(api);
    expect((await getSync()).weeks.map(({ week }) => week)).toEqual(weeks.toReversed());
  });

  test('reads the other countries when one is refused, and retries that later', async () => {
    await track('ca');
    simulator.appleAds.refused.add('ca');
    await save();
    await runSync(api);
    const { state, failure } = await getSync();
    expect([state, failure?.code]).toEqual(['retrying', 'unreadable']);
    expect(failure?.message).toMatch(/as wrong .* The country was CA\.$/);
    expect(await listTerms()).toMatchObject({ total: 300 });
    simulator.appleAds.refused.clear();
    setNow('2026-11-21T12:05:00Z');
    await runSync(api);
    expect(await getSync()).toMatchObject({ state: 'waiting', failure: null });
    const { queries } = simulator.appleAds;
    expect(queries.map(({ country }) => country)).toEqual([
      ...Array(4).fill('us'),
      ...Array(4).fill('ca'),
    ]);
  });

  test('has a limit of requests a day', async () => {
    await save();
    await api.db.pool.query(
      "update popularity_sync set requests = 1000, requests_on = '2026-11-21'",
    );
    await runSync(api);
    expect(await getSync()).toMatchObject({ nextAt: '2026-11-22T00:00:00.000Z', failure: null });
  });
});

describe('an implausible week', () => {
  const implausible = {
    few_terms: () => makeTerms(8),
    few_genres: () => makeTerms(60).filter(({ genre }) => /^(games|travel|sports)$/.test(genre)),
    few_shared_terms: () => makeTerms(20, { shift: 1_000 }),
    same_value: () => makeTerms(20).map((row) => ({ ...row, popularity: 50 })),
    unreadable_rows: () =>
      makeTerms(20).map((row) => ({ ...row, rank: row.rank === 20 ? 501 : row.rank })),
  };

  test.for(Object.keys(implausible) as (keyof typeof implausible)[])(
    'is quarantined, and what was visible stays: %s',
    async (reason) => {
      await save();
      await runSync(api);
      simulator.appleAds.setTerms(implausible[reason]);
      await requestNow();
      await runSync(api);
      const [found] = await getQuarantine();
      expect(found!.reasons.map((one) => one.reason)).toContain(reason);
      expect(found).toMatchObject({ country: 'us', week: newest, termsBefore: 300 });
      expect(found!.first).toHaveLength(10);
      const { items } = await listTerms();
      expect(items).toHaveLength(300);
      expect(items.some(({ term }) => term === 'games term 1')).toBe(true);
    },
  );

  const quarantine = async () => {
    await save();
    await runSync(api);
    simulator.appleAds.setTerms(implausible.few_terms);
    await requestNow();
    await runSync(api);
    const [found] = await getQuarantine();
    return found!.id;
  };

  test('becomes visible when an operator accepts it', async () => {
    const setId = await quarantine();
    await api.ok('POST /popularity/quarantine/{setId}/accept', { params: { setId } }, operator);
    expect((await listTerms()).total).toBe(120);
    expect(await getQuarantine()).toEqual([]);
    const again = await api.call(
      'POST /popularity/quarantine/{setId}/accept',
      { params: { setId } },
      operator,
    );
    expect(again.body.code).toBe('not_found');
  });

  test('is not read again by itself once it was discarded, but on request', async () => {
    const setId = await quarantine();
    await api.ok('POST /popularity/quarantine/{setId}/discard', { params: { setId } }, operator);
    expect((await listTerms()).total).toBe(300);
    const { length } = simulator.appleAds.queries;
    setNow('2026-11-22T12:10:00Z');
    await runSync(api);
    expect(simulator.appleAds.queries.length).toBe(length);
    simulator.appleAds.setTerms(() => makeTerms(19));
    await requestNow();
    await runSync(api);
    expect((await listTerms()).total).toBe(285);
  });

  test('is read again on request once it was discarded, also behind a newer one', async () => {
    const setId = await quarantine();
    await api.ok('POST /popularity/quarantine/{setId}/discard', { params: { setId } }, operator);
    simulator.appleAds.setTerms(() => makeTerms(19));
    setNow('2026-11-23T07:00:00Z');
    await runSync(api);
    expect([(await listTerms('2026-11-15')).total, (await listTerms()).total]).toEqual([285, 300]);
    await requestNow();
    await runSync(api);
    expect((await listTerms()).total).toBe(285);
    // The request is done, and the week is read no more.
    const { length } = simulator.appleAds.queries;
    setNow('2026-11-24T08:00:00Z');
    await runSync(api);
    expect(simulator.appleAds.queries.length).toBe(length);
  });

  test('is replaced by a plausible one on request, and deleted with its retention', async () => {
    await quarantine();
    simulator.appleAds.setTerms(() => makeTerms(22));
    setNow('2026-11-21T13:00:00Z');
    await requestNow();
    await runSync(api);
    expect(await getQuarantine()).toEqual([]);
    expect((await listTerms()).total).toBe(330);
    const { systemDb } = api.services;
    await discardOldPopularity(systemDb, { before: '2026-11-15', staleBefore: new Date(0) });
    while ((await purgeDiscardedPopularity(systemDb)) > 0);
    const { rows } = await api.db.pool.query(
      'select (select count(*) from popularity)::int as terms, ' +
        '(select count(*) from popularity_weeks)::int as weeks',
    );
    expect(rows[0]).toEqual({ terms: 0, weeks: 0 });
  });
});

test('GET /retention names how long published popularity is kept', async () => {
  const periods = await api.ok('GET /retention', {}, member);
  expect(periods.popularityDays).toBe(455);
});
