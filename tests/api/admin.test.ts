import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { operations } from '#contract/index.ts';
import type { Operation } from '#contract/operation.ts';
import { startApi, type Account, type Credential, type TestApi } from '../harness/api.ts';
import { adminEmail, startAdminApi } from '../harness/admin-api.ts';
import { startToprung } from '../harness/process.ts';
import { trackMarkets } from './admin.fixtures.ts';

let api: TestApi;
let operator: Account;
let ann: Account;

beforeAll(async () => {
  ({ api, operator } = await startAdminApi());
});
beforeEach(async () => {
  api.clock.advance(60_000);
  ann = await api.signUp();
});
afterAll(() => api.close());

const one = async (text: string, values: unknown[] = []) =>
  (await api.db.pool.query(text, values)).rows[0];
const suspend = (account: Account, reason = 'too many searches', as: Credential = operator) =>
  api.call(
    'POST /admin/workspaces/{id}/suspend',
    { params: { id: account.workspaceId }, body: { reason } },
    as,
  );
const unsuspend = (account: Account) =>
  api.call(
    'POST /admin/workspaces/{id}/unsuspend',
    { params: { id: account.workspaceId } },
    operator,
  );
const setPlan = (account: Account, plan: 'indie' | 'ultimate' | null) =>
  api.call(
    'PUT /admin/workspaces/{id}/plan',
    { params: { id: account.workspaceId }, body: { plan } },
    operator,
  );

describe('operators', () => {
  const paths = Object.entries(operations as Record<string, Operation>)
    .filter(([, { role }]) => role === 'operator')
    .map(([key]) => key.split(' ') as [string, string]);

  test('are the only ones for whom the paths exist: others get the usual 404', async () => {
    const member = await api.signUp({ workspaceId: ann.workspaceId, role: 'member' });
    const strangers: (Credential | null)[] = [
      null,
      ann,
      member,
      await api.token(ann),
      await api.token(ann, { readOnly: true }),
    ];
    expect(paths).toHaveLength(11);
    // If both a read and a write were counted, their windows differ.
    await api.ok('GET /errors', null, ann);
    await api.ok('PATCH /workspace', { body: { name: 'Northlight' } }, ann);
    const used = async () => (await api.ok('GET /workspace/usage', null, ann)).days.at(-1)!;
    const before = await used();
    for (const [method, template] of paths) {
      const path = template.replace('{id}', String(ann.workspaceId));
      for (const credential of strangers)
        for (const used of new Set([method, 'GET', 'DELETE'])) {
          const [hidden, absent] = [
            await api.raw(path, { method: used }, credential),
            await api.raw(`${path}-absent`, { method: used }, credential),
          ];
          expect([used, path, hidden.status, bare(hidden.text)]).toEqual([
            used,
            path,
            404,
            bare(absent.text).replace('-absent', ''),
          ]);
          expect(headersOf(hidden)).toEqual(headersOf(absent));
        }
    }
    // The earlier read has been counted in the meantime.
    expect(await used()).toEqual({ ...before, read: before.read + 1, total: before.total + 1 });
  });

  const bare = (text: string) => text.replace(/"timestamp":"[^"]*"/, '').replaceAll('-absent', '');
  const headersOf = ({ headers }: { headers: Headers }) =>
    [...headers].filter(([name]) => !['date', 'content-length'].includes(name));

  test('can read with a read-only token but not write', async () => {
    const reader = await api.token(operator, { readOnly: true });
    for (const [method, path] of paths) {
      const response = await api.raw(
        path.replace('{id}', String(ann.workspaceId)),
        { method, ...(method === 'GET' ? {} : json({})) },
        reader,
      );
      expect([method, path, response.status, response.body.code]).toEqual(
        method === 'GET' ? [method, path, 200, undefined] : [method, path, 403, 'read_only_token'],
      );
    }
  });

  const json = (body: unknown) => ({
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });

  test('keep access while their own workspace is suspended or has no plan', async () => {
    expect((await suspend(operator)).status).toBe(200);
    expect((await suspend(ann)).status).toBe(200);
    expect((await unsuspend(operator)).body.state).toBe('trial');
    const setPlan = (status: string, plan: string | null) =>
      api.db.pool.query('update workspaces set status = $2, plan = $3 where id = $1', [
        operator.workspaceId,
        status,
        plan,
      ]);
    await setPlan('lapsed', 'indie');
    expect((await unsuspend(ann)).status).toBe(200);
    await setPlan('trial', null);
  });

  test('get 404 for an unknown id', async () => {
    const params = { id: 2_147_483_000 };
    for (const response of [
      await api.call(
        'POST /admin/workspaces/{id}/suspend',
        { params, body: { reason: 'x' } },
        operator,
      ),
      await api.call('POST /admin/workspaces/{id}/unsuspend', { params }, operator),
      await api.call(
        'PUT /admin/workspaces/{id}/plan',
        { params, body: { plan: 'indie' } },
        operator,
      ),
    ])
      expect([response.status, response.body.code]).toEqual([404, 'not_found']);
  });

  test('are added and removed on the command line, which reports the result', async () => {
    const environment = { DATABASE_URL: api.db.url, OPERATOR_EMAILS: adminEmail };
    const say = async (...words: string[]) => {
      const run = startToprung(['user', 'operator', ...words], environment);
      return [(await run.exited).code, run.output().trim().split('\n').at(-1)];
    };
    expect((await api.call('GET /admin/stores', null, ann)).status).toBe(404);
    expect(await say(ann.email.toUpperCase())).toEqual([0, `${ann.email} is an operator now.`]);
    expect((await api.call('GET /admin/stores', null, ann)).status).toBe(200);
    expect(await say(ann.email)).toEqual([0, `${ann.email} is an operator already.`]);
    expect(await say(ann.email, '--revoke')).toEqual([
      0,
      `${ann.email} is no longer an operator by this grant.`,
    ]);
    expect((await api.call('GET /admin/stores', null, ann)).status).toBe(404);
    expect(await say(adminEmail, '--revoke')).toEqual([
      0,
      `${adminEmail} has no such grant. OPERATOR_EMAILS names it: it stays an operator.`,
    ]);
    expect(await say('nobody@example.org')).toEqual([
      1,
      'toprung: no account has the address nobody@example.org',
    ]);
  });
});

describe('suspending a workspace', () => {
  test('refuses tokens and writes, stops the run, keeps reading; lifting undoes it', async () => {
    const token = await api.token(ann);
    const followed = await trackMarkets(api, ann, ['alpha', 'beta']);
    const demand = async () => {
      const depths = await one(
        'select array_agg(depth order by market_id) as depths from market_schedule where ' +
          'market_id = any($1)',
        [followed.marketIds],
      );
      const listing = await one(
        'select bool_or(active) as active from listing_schedule where listing_id = $1',
        [followed.listingId],
      );
      const storeTasks = await one(
        'select count(*)::int as count from store_task_demand where listing_id = $1',
        [followed.listingId],
      );
      return [depths.depths, listing.active, storeTasks.count > 0];
    };
    const served = [[200, 200], true, true];
    expect(await demand()).toEqual(served);
    const response = await suspend(ann);
    expect([response.status, response.body]).toEqual([
      200,
      expect.objectContaining({
        id: ann.workspaceId,
        state: 'suspended',
        planStatus: 'trial',
        suspendedAt: api.clock.now().toISOString(),
        suspendedReason: 'too many searches',
      }),
    ]);
    expect(await demand()).toEqual([[0, 0], false, false]);
    expect((await api.call('GET /workspace', null, token)).status).toBe(401);
    expect((await api.call('GET /workspace', null, ann)).body).toMatchObject({
      state: 'suspended',
      suspension: { at: api.clock.now().toISOString(), reason: 'too many searches' },
    });
    const refused = await api.call('PATCH /workspace', { body: { name: 'x' } }, ann);
    expect([refused.status, refused.body.code, refused.body.message]).toEqual([
      403,
      'workspace_suspended',
      'The workspace is suspended (too many searches): it can be read, not changed.',
    ]);
    expect((await api.ok('GET /jobs/budget', null, ann)).utilization).toBe(0);

    expect((await unsuspend(ann)).body).toMatchObject({
      state: 'trial',
      suspendedAt: null,
      suspendedReason: null,
    });
    expect(await demand()).toEqual(served);
    expect((await api.call('GET /workspace', null, token)).status).toBe(200);
    expect((await api.call('PATCH /workspace', { body: { name: 'x' } }, ann)).body).toMatchObject({
      name: 'x',
      suspension: null,
    });
  });

  test('does not affect others who track the same markets', async () => {
    const bob = await api.signUp();
    const mine = await trackMarkets(api, ann, ['gamma']);
    await trackMarkets(api, bob, ['gamma']);
    await suspend(ann);
    expect(
      (await one('select depth from market_schedule where market_id = $1', [mine.marketIds[0]]))
        .depth,
    ).toBe(200);
    await suspend(bob);
    expect(
      (await one('select depth from market_schedule where market_id = $1', [mine.marketIds[0]]))
        .depth,
    ).toBe(0);
  });

  test('is also the state of a deleted workspace, and lifting it restores nothing', async () => {
    const bob = await api.signUp();
    const { marketIds } = await trackMarkets(api, bob, ['omega']);
    const visited = async () => (await api.ok('GET /admin/capacity', null, operator)).workspaces;
    const before = await visited();
    const { purgeAt } = await api.ok(
      'DELETE /workspace',
      { body: { confirmName: (await api.ok('GET /workspace', null, bob)).name } },
      bob,
    );
    expect([
      await visited(),
      (await one('select depth from market_schedule where market_id = $1', [marketIds[0]])).depth,
    ]).toEqual([before - 1, 0]);
    const { items } = await api.ok(
      'GET /admin/workspaces',
      { query: { state: 'suspended', q: bob.email } },
      operator,
    );
    expect(items).toMatchObject([
      {
        id: bob.workspaceId,
        state: 'suspended',
        planStatus: 'trial',
        suspendedAt: null,
        deleteAt: purgeAt,
      },
    ]);
    expect((await unsuspend(bob)).body).toMatchObject({ state: 'suspended', deleteAt: purgeAt });
    await suspend(bob);
    expect((await api.call('POST /workspace/restore', null, bob)).body).toMatchObject({
      state: 'suspended',
      deleteAt: null,
      suspension: { reason: 'too many searches' },
    });
    expect((await unsuspend(bob)).body).toMatchObject({ state: 'trial', deleteAt: null });
    expect(await visited()).toBe(before);
  });

  test('is idempotent; a new reason replaces the old one, visible to the workspace', async () => {
    const first = await suspend(ann);
    api.clock.advance(1_000);
    expect((await suspend(ann)).body).toEqual(first.body);
    expect((await suspend(ann, 'unpaid')).body).toEqual({
      ...first.body,
      suspendedReason: 'unpaid',
    });
    await unsuspend(ann);
    expect((await unsuspend(ann)).body.state).toBe('trial');
    const { items } = await api.ok('GET /workspace/audit', null, ann);
    expect(
      items.map(({ action, actor, detail, credential }) => [
        action,
        actor,
        detail,
        credential.kind,
      ]),
    ).toEqual([
      ['workspace.unsuspended', adminEmail, {}, 'session'],
      ['workspace.suspended', adminEmail, { reason: 'unpaid' }, 'session'],
      ['workspace.suspended', adminEmail, { reason: 'too many searches' }, 'session'],
    ]);
  });

  test('requires a reason', async () => {
    const response = await suspend(ann, '   ');
    expect([response.status, response.body.code]).toEqual([400, 'invalid_request']);
    expect(
      (await one('select suspended_at from workspaces where id = $1', [ann.workspaceId]))
        .suspended_at,
    ).toBe(null);
  });
});

describe('a plan set by an operator', () => {
  test('starts, changes and ends, with the state, the run and the audit log', async () => {
    const { marketIds } = await trackMarkets(api, ann, ['delta']);
    const depth = async () =>
      (await one('select depth from market_schedule where market_id = $1', [marketIds[0]])).depth;
    const setPlanAndRead = async (plan: 'indie' | 'ultimate' | null) => {
      const { status, body } = await setPlan(ann, plan);
      return [status, body.state, body.plan, await depth()];
    };
    expect(await setPlanAndRead(null)).toEqual([200, 'trial', null, 200]);
    expect(await setPlanAndRead('indie')).toEqual([200, 'live', 'indie', 200]);
    expect(await setPlanAndRead('ultimate')).toEqual([200, 'live', 'ultimate', 200]);
    expect(await setPlanAndRead('ultimate')).toEqual([200, 'live', 'ultimate', 200]);
    expect(await setPlanAndRead(null)).toEqual([200, 'lapsed', 'ultimate', 0]);
    expect((await api.call('PATCH /workspace', { body: { name: 'x' } }, ann)).status).toBe(402);
    expect(await setPlanAndRead('indie')).toEqual([200, 'live', 'indie', 200]);
    const { items } = await api.ok('GET /workspace/audit', null, ann);
    expect(
      items
        .filter(({ action }) => action.startsWith('plan.'))
        .map(({ action, actor }) => [action, actor]),
    ).toEqual([
      ['plan.started', adminEmail],
      ['plan.ended', adminEmail],
      ['plan.changed', adminEmail],
      ['plan.started', adminEmail],
    ]);
  });

  test('does not lift a suspension, and shows the state after it', async () => {
    await suspend(ann);
    expect((await setPlan(ann, 'indie')).body).toMatchObject({
      state: 'suspended',
      planStatus: 'live',
      plan: 'indie',
    });
    expect((await unsuspend(ann)).body).toMatchObject({ state: 'live', plan: 'indie' });
  });
});

describe('listing workspaces as an operator', () => {
  test('returns owners and usage, newest first, in pages', async () => {
    await trackMarkets(api, ann, ['epsilon', 'zeta']);
    await api.ok('GET /apps', null, ann);
    const bob = await api.signUp();
    const [page, all] = [
      await api.ok('GET /admin/workspaces', { query: { limit: '1' } }, operator),
      await api.ok('GET /admin/workspaces', null, operator),
    ];
    expect(page.items.map((item) => item.id)).toEqual([bob.workspaceId]);
    expect([page.total, all.nextCursor]).toEqual([all.items.length, null]);
    const next = await api.ok(
      'GET /admin/workspaces',
      { query: { limit: '1', cursor: page.nextCursor! } },
      operator,
    );
    expect(next.items).toEqual([
      {
        id: ann.workspaceId,
        name: expect.any(String),
        state: 'trial',
        planStatus: 'trial',
        plan: null,
        owners: [ann.email],
        createdAt: expect.any(String),
        trialEndsAt: expect.any(String),
        suspendedAt: null,
        suspendedReason: null,
        deleteAt: null,
        overLimitSince: null,
        usage: { apps: 1, keywordMarkets: 2, members: 1 },
        requestsToday: 2,
      },
    ]);
  });

  test('filters by current state, name and an owner’s address', async () => {
    const ids = async (query: { state?: 'trial' | 'live' | 'lapsed' | 'suspended'; q?: string }) =>
      (
        await api.ok('GET /admin/workspaces', { query: { ...query, limit: '500' } }, operator)
      ).items.map((item) => item.id);
    await api.ok('PATCH /workspace', { body: { name: 'Northlight 100%' } }, ann);
    expect(await ids({ q: 'LIGHT 100%' })).toEqual([ann.workspaceId]);
    expect(await ids({ q: ann.email.toUpperCase() })).toEqual([ann.workspaceId]);
    expect(await ids({ q: 'n_rthlight' })).toEqual([]);
    expect(await ids({ state: 'trial' })).toContain(ann.workspaceId);
    await one('update workspaces set trial_ends_at = $2 where id = $1', [
      ann.workspaceId,
      api.clock.now(),
    ]);
    expect([
      await ids({ state: 'trial', q: ann.email }),
      await ids({ state: 'lapsed', q: ann.email }),
    ]).toEqual([[], [ann.workspaceId]]);
    await suspend(ann);
    expect([
      await ids({ state: 'lapsed', q: ann.email }),
      await ids({ state: 'suspended', q: ann.email }),
    ]).toEqual([[], [ann.workspaceId]]);
    expect(
      (await api.call('GET /admin/workspaces', { query: { cursor: 'AAAA' } }, operator)).body.code,
    ).toBe('invalid_cursor');
  });
});

describe('admin capacity', () => {
  test('sums the demand of all active workspaces and lists the largest', async () => {
    for (const { id } of (
      await api.ok('GET /admin/workspaces', { query: { limit: '500' } }, operator)
    ).items)
      if (id !== ann.workspaceId && id !== operator.workspaceId)
        await suspend({ ...ann, workspaceId: id });
    const bob = await api.signUp();
    await trackMarkets(api, ann, ['one', 'two', 'three']);
    await trackMarkets(api, bob, ['one']);
    const [anns, bobs, all] = [
      await api.ok('GET /jobs/budget', null, ann),
      await api.ok('GET /jobs/budget', null, bob),
      await api.ok('GET /admin/capacity', null, operator),
    ];
    const [mine, theirs, whole] = [anns, bobs, all].map((budget) =>
      budget.fanOut.find((row) => row.store === 'ios')!,
    );
    expect(whole!.kinds.rankChecks).toEqual({ jobs: 4, requests: 4 });
    expect(whole!.requests).toBeCloseTo(mine!.requests + theirs!.requests - 1, 1);
    expect(all.utilization).toBeCloseTo(whole!.requests / whole!.capacity.requestsPerDay, 5);
    expect(all.searches).toEqual([
      { store: 'ios', asked: 4, distinct: 3 },
      { store: 'android', asked: 0, distinct: 0 },
    ]);
    expect(
      all.consumers.map(({ workspaceId, keywordMarkets, owners, state, plan }) => ({
        workspaceId,
        keywordMarkets,
        owners,
        state,
        plan,
      })),
    ).toEqual([
      {
        workspaceId: ann.workspaceId,
        keywordMarkets: 3,
        owners: [ann.email],
        state: 'trial',
        plan: null,
      },
      {
        workspaceId: bob.workspaceId,
        keywordMarkets: 1,
        owners: [bob.email],
        state: 'trial',
        plan: null,
      },
    ]);
    expect(all.consumers.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 5);
    expect(all.consumers[0]!.requestsPerDay).toBeCloseTo(mine!.requests - 1, 1);
    await suspend(ann);
    const without = await api.ok('GET /admin/capacity', null, operator);
    expect(without.consumers.map((consumer) => consumer.workspaceId)).toEqual([bob.workspaceId]);
    expect(without.fanOut.find((row) => row.store === 'ios')!.kinds.rankChecks.jobs).toBe(1);
  });
});

describe('admin stores and egress endpoints', () => {
  test('show how often each field had a value on a day, and which ones drift', async () => {
    await api.db.pool.query(`
      insert into field_drifts (store, source, field, began_at, ended_at) values
        ('android', 'search/web', 'rating', '2026-11-20T03:00:00Z', '2026-11-20T04:00:00Z'),
        ('android', 'search/web', 'rating', '2026-11-20T05:00:00Z', null)`);
    await api.db.pool.query(`
      insert into field_days (on_date, store, source, field, read, missing, lost) values
        ('2026-11-20', 'android', 'search/web', 'rating', 30, 20, 10),
        ('2026-11-20', 'android', 'listing', 'releaseNotes', 0, 7, 0)`);
    const of = (date: string) => api.ok('GET /admin/fields', { query: { date } }, operator);
    expect((await of('2026-11-20')).items).toEqual([
      {
        date: '2026-11-20',
        store: 'android',
        source: 'listing',
        provider: null,
        field: 'releaseNotes',
        read: 0,
        missing: 7,
        lost: 0,
        lostShare: null,
        drift: null,
      },
      {
        date: '2026-11-20',
        store: 'android',
        source: 'search',
        provider: 'web',
        field: 'rating',
        read: 30,
        missing: 20,
        lost: 10,
        lostShare: 0.25,
        drift: { beganAt: '2026-11-20T05:00:00.000Z', endedAt: null },
      },
    ]);
    expect((await of('2026-11-19')).items).toEqual([]);
    expect((await api.ok('GET /admin/fields', null, operator)).items).toHaveLength(2);
    expect((await api.call('GET /admin/fields', null, ann)).status).toBe(404);
  });

  test('show the state of parsers, pace and endpoints without secrets', async () => {
    const egress = () => [
      { name: 'proxy.example:8080', consecutiveFailures: 0, unavailableUntil: null },
      {
        name: 'proxy.example:8081',
        consecutiveFailures: 4,
        unavailableUntil: new Date('2026-11-21T12:30:00Z'),
      },
    ];
    const pooled = await startApi({
      db: api.db,
      deps: { authSecret: api.authSecret },
      settings: { egress, operatorEmails: [adminEmail] },
    });
    await api.db.pool.query(`
      insert into store_probes (store, provider, date, state, probed_at, attempts, marker) values
        ('ios', 'itunes', '2026-11-20', 'ok', '2026-11-20T02:00:00Z', 1, null),
          ('ios', 'itunes', '2026-11-21', 'degraded', '2026-11-21T02:05:00Z', 2, 'shape')`);
    await api.db.pool.query(
      'insert into store_requests (store, on_date, kind, requests, bytes, refused) values ' +
        `('ios', '2026-11-21', 'search', 40, 1, 3)`,
    );
    await api.db.pool.query(`
      insert into pacing (store, endpoint, interval_us, next_at, cooldown_until, strikes,
        slow_factor, recovered_at, granted, refused, last_refusal_at, last_marker) values
        ('ios', 'proxy.example:8080', 9000000, now(), null, 0, 2.5, now() - interval '11 minutes',
          9007199254740993, 2, '2026-11-21T10:00:00Z', 'http-429'),
        ('ios', 'proxy.example:8081', 4000000, now(), '2099-01-01T00:00:00Z', 3, 1, null, 5, 1,
          '2026-11-21T11:00:00Z', 'http-403'),
        ('android', 'proxy.example:8081', 60000000, now(), null, 0, 16, now() - interval '1 day',
          5, 1, null, null),
        ('ios', 'gone.example:1', 4000000, now(), null, 0, 1, null, 5, 1, '2026-11-21T11:30:00Z',
          'http-403')`);
    const stores = await pooled.ok('GET /admin/stores', null, operator);
    expect(stores.items).toEqual([
      {
        store: 'ios',
        probe: {
          date: '2026-11-21',
          state: 'degraded',
          probedAt: '2026-11-21T02:05:00.000Z',
          attempts: 2,
          marker: 'shape',
        },
        requestsPerMinute: { allowed: 30, inUse: 7.5 },
        requestsToday: 40,
        refusedToday: 3,
        lastRefusal: {
          at: '2026-11-21T11:00:00.000Z',
          endpoint: 'proxy.example:8081',
          marker: 'http-403',
          cooldownUntil: '2099-01-01T00:00:00.000Z',
        },
        hosts: [
          {
            host: 'apps.apple.com',
            requestsPerMinute: { allowed: 30, inUse: 30 },
            lastRefusal: null,
          },
          {
            host: 'is1-ssl.mzstatic.com',
            lastRefusal: null,
            requestsPerMinute: { allowed: 120, inUse: 120 },
          },
        ],
      },
      {
        store: 'android',
        probe: null,
        requestsPerMinute: { allowed: 30, inUse: 30 },
        requestsToday: 0,
        refusedToday: 0,
        lastRefusal: null,
        hosts: [
          {
            host: 'play-lh.googleusercontent.com',
            lastRefusal: null,
            requestsPerMinute: { allowed: 120, inUse: 120 },
          },
        ],
      },
    ]);
    const proxies = await pooled.raw('/admin/proxies', {}, operator);
    expect(proxies.text).toContain('"granted":9007199254740993');
    expect(proxies.body.items).toMatchObject([
      {
        endpoint: 'proxy.example:8080',
        connection: { state: 'ok', consecutiveFailures: 0, unavailableUntil: null },
        stores: [
          {
            store: 'ios',
            host: null,
            state: 'slowed',
            slowFactor: 2,
            cooldownUntil: null,
            lastRefusedAt: '2026-11-21T10:00:00.000Z',
          },
        ],
      },
      {
        endpoint: 'proxy.example:8081',
        connection: {
          state: 'resting',
          consecutiveFailures: 4,
          unavailableUntil: '2026-11-21T12:30:00.000Z',
        },
        stores: [
          { store: 'ios', state: 'cooling', strikes: 3, cooldownUntil: '2099-01-01T00:00:00.000Z' },
          // It was slowed, and has recovered without a request.
          { store: 'android', state: 'ok', slowFactor: 1 },
        ],
      },
    ]);
    // Another process has seen the first one fail.
    const until = '2099-01-02T00:00:00.000Z';
    await api.db.pool.query(
      `update pacing set connection_failures = 3, unavailable_until = $1
       where endpoint = 'proxy.example:8080'`,
      [until],
    );
    const { items } = await pooled.ok('GET /admin/proxies', null, operator);
    expect(items[0]!.connection).toEqual({
      state: 'resting',
      consecutiveFailures: 3,
      unavailableUntil: until,
    });
    await api.db.pool.query('delete from pacing');
    await pooled.close();
  });
});
