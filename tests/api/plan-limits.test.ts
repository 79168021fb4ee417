import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { operationList, type OperationKey } from '#contract/index.ts';
import { MemoryCounters } from '#counters/memory.ts';
import type { Identity } from '#domain/accounts/auth/authenticate.ts';
import { getOpenWindowUsage, recordUsage } from '#domain/accounts/workspaces/workspace-usage.ts';
import { StoreError, type Store } from '#domain/base/ports.ts';
import { silentLogger } from '#lib/logger.ts';
import {
  startApi,
  type Account,
  type Credential,
  type RawResponse,
  type TestApi,
} from '../harness/api.ts';
import { describeTables, insertApp } from './keywords.fixtures.ts';

let api: TestApi;
let ann: Account;

beforeAll(async () => {
  api = await startApi({ settings: { billingEnabled: true } });
});
beforeEach(async () => {
  api.clock.set('2026-11-21T12:00:10Z');
  ann = await api.signUp();
});
afterAll(() => api.close());

const headersOf = ({ headers }: { headers: Headers }) =>
  ['limit', 'remaining', 'reset'].map((name) => headers.get(`ratelimit-${name}`));
const reads = (count: number, as: Credential = ann) =>
  Promise.all(Array.from({ length: count }, () => api.call('GET /errors', null, as)));
/** One after the other, since only sixteen may be open at once. */
async function readSequentially(count: number, as: Credential = ann) {
  const responses = [];
  for (let left = count; left > 0; left -= 10)
    responses.push(...(await reads(Math.min(10, left), as)));
  return responses;
}
/** Tables that a request of any kind changes. */
const counted = ['request_days', 'on_demand_hours', 'sessions'];
const rename = (as: Credential = ann) =>
  api.call('PATCH /workspace', { body: { name: 'Northlight' } }, as);

/** What counts against the plan, by window. */
const usesOf = async ({ workspaceId }: Account, { app } = api) => {
  const caller = { workspaceId, plan: 'indie' } as Identity;
  const operation = { rateClass: 'store', onDemand: 'suggestions' } as const;
  const uses = await app.api.limits.plan!.look(caller, operation);
  return Object.fromEntries(uses.map(({ name, used }) => [name, used]));
};
/** What `GET /workspace/usage` adds to the stored counts. */
const countsOf = ({ workspaceId }: Account, { app } = api) => {
  const { requests, onDemand } = app.api.limits.usage.pending();
  const own = <C extends { workspaceId: number }>(counts: readonly C[]) =>
    counts.filter((count) => count.workspaceId === workspaceId);
  return {
    requests: own(requests).reduce((sum, count) => sum + count.requests, 0),
    uses: own(onDemand).reduce((sum, count) => sum + count.uses, 0),
  };
};

describe('a metered instance', () => {
  test('returns headers for the rate limit nearest to its end', async () => {
    expect(headersOf(await api.call('GET /errors', null, ann))).toEqual(['300', '299', '50']);
    expect(headersOf(await rename())).toEqual(['60', '59', '50']);
    expect(headersOf(await api.call('GET /errors', null, ann))).toEqual(['300', '298', '50']);
    // A request rejected for another reason consumes nothing, and its headers say so.
    expect(headersOf(await api.raw('/nowhere', {}, ann))).toEqual(['300', '298', '50']);
    expect(headersOf(await api.raw('/workspace', { method: 'POST' }, ann))).toEqual([
      '300',
      '298',
      '50',
    ]);
    expect(headersOf(await rename(await api.token(ann, { readOnly: true })))).toEqual([
      '60',
      '59',
      '50',
    ]);
    expect(headersOf(await api.raw('/workspace', {}))).toEqual([null, null, null]);
    expect(headersOf(await api.raw('/auth/state', {}, ann))).toEqual(['300', '298', '50']);
    // A request that was accepted and is malformed counts.
    const malformed = await api.raw(
      '/workspace',
      { method: 'PATCH', body: '{}', headers: { 'content-type': 'application/json' } },
      ann,
    );
    expect([malformed.status, headersOf(malformed)]).toEqual([400, ['60', '58', '50']]);
  });

  test('refuses the next request with Retry-After and accepts it after that time', async () => {
    const responses = await readSequentially(300);
    expect(responses.every((response) => response.status === 200)).toBe(true);
    const refused = await api.call('GET /errors', null, ann);
    expect(refused.status).toBe(429);
    expect(headersOf(refused)).toEqual(['300', '0', '50']);
    expect(refused.headers.get('retry-after')).toBe('50');
    expect(refused.body).toMatchObject({
      code: 'rate_limited',
      retryAfterSeconds: 50,
      rateLimit: {
        window: 'minute',
        rateClass: 'read',
        plan: 'indie',
        limit: 300,
        resetSeconds: 50,
        upgradeTo: 'ultimate',
      },
    });
    expect((await rename()).status).toBe(200);
    api.clock.set('2026-11-21T12:01:00Z');
    const next = await api.call('GET /errors', null, ann);
    // By now the day has less left than the minute.
    expect([next.status, headersOf(next)]).toEqual([200, ['40000', '39698', '43140']]);
  });

  test('counts a workspace’s tokens and members together', async () => {
    const member = await api.signUp({ workspaceId: ann.workspaceId, role: 'member' });
    const everybody = [
      ann,
      member,
      await api.token(ann),
      await api.token(member, { readOnly: true }),
    ];
    for (let count = 0; count < 300; count += 4)
      await Promise.all(everybody.map((each) => api.call('GET /errors', null, each)));
    for (const each of everybody)
      expect((await api.call('GET /errors', null, each)).status).toBe(429);
    expect((await api.call('GET /errors', null, await api.signUp())).status).toBe(200);
  });

  test('counts writes and store lookups together, also by read-only tokens', async () => {
    const reader = await api.token(ann, { readOnly: true });
    const lookup = () =>
      api.call(
        'GET /store/apps/search',
        { query: { store: 'ios', country: 'us', q: 'sleep' } },
        reader,
      );
    for (let count = 0; count < 59; count += 1) await rename();
    expect(headersOf(await lookup())).toEqual(['60', '0', '50']);
    const refused = await lookup();
    expect([refused.status, refused.body.rateLimit]).toEqual([
      429,
      expect.objectContaining({ rateClass: 'store', limit: 60 }),
    ]);
    expect((await rename()).status).toBe(429);
    expect((await api.call('GET /errors', null, reader)).status).toBe(200);
  });

  test('limits the day for all classes until midnight UTC', async () => {
    await api.db.pool.query(
      `insert into request_days values ($1, '2026-11-21', 0, 'read', 39000), ($1, ` +
        `'2026-11-21', 0, 'write', 998)`,
      [ann.workspaceId],
    );
    api.clock.set('2026-11-21T23:59:59Z');
    expect(headersOf(await api.call('GET /errors', null, ann))).toEqual(['40000', '1', '1']);
    expect(headersOf(await rename())).toEqual(['40000', '0', '1']);
    const refused = await api.call('GET /errors', null, ann);
    expect(refused.body.rateLimit).toMatchObject({ window: 'day', limit: 40_000, resetSeconds: 1 });
    api.clock.set('2026-11-22T00:00:00Z');
    expect(headersOf(await api.call('GET /errors', null, ann))).toEqual(['300', '299', '60']);
  });

  test('lets people revoke access, pay and leave when a token has used up the day', async () => {
    const flood = await api.token(ann);
    const other = await api.token(ann);
    const guest = await api.signUp({ workspaceId: ann.workspaceId, role: 'member' });
    const { id: inviteId } = await api.ok(
      'POST /workspace/invites',
      { body: { email: 'guest@example.org' } },
      ann,
    );
    await api.db.pool.query(
      `insert into request_days values ($1, '2026-11-22', 0, 'read', 40000)`,
      [ann.workspaceId],
    );
    api.clock.set('2026-11-22T12:00:10Z');
    const who = (as: Credential) => async (key: OperationKey, input?: object) => {
      const { status, body } = await api.call(key, input as never, as);
      return [key, status, body.code];
    };
    const [asAnn, asGuest, asOther] = [who(ann), who(guest), who(other)];
    expect(await who(flood)('GET /errors')).toEqual(['GET /errors', 429, 'rate_limited']);
    for (const key of ['GET /auth/session', 'GET /tokens', 'GET /workspace/members'] as const) {
      expect(await asAnn(key)).toEqual([key, 200, undefined]);
      // A token gets no more than the plan.
      expect(await asOther(key)).toEqual([key, 429, 'rate_limited']);
    }
    for (const key of ['GET /workspace/invites', 'GET /reports', 'GET /billing'] as const)
      expect(await asAnn(key)).toEqual([key, 200, undefined]);
    for (const [key, input] of [
      ['GET /workspace'],
      ['PATCH /workspace', { body: { name: 'Northlight' } }],
      ['POST /tokens', { body: { name: 'one more' } }],
    ] as const)
      expect(await asAnn(key, input)).toEqual([key, 429, 'rate_limited']);
    // This instance takes no payments, and says so.
    expect(
      await asAnn('POST /billing/checkout', { body: { plan: 'indie', interval: 'month' } }),
    ).toEqual(['POST /billing/checkout', 404, 'not_found']);
    for (const [as, key, id] of [
      [asAnn, 'DELETE /tokens/{id}', flood.id],
      [asAnn, 'DELETE /workspace/invites/{id}', inviteId],
      [asGuest, 'DELETE /workspace/members/{id}', guest.userId],
    ] as const)
      expect(await as(key, { params: { id } })).toEqual([key, 200, undefined]);
    expect((await api.call('GET /errors', null, flood)).status).toBe(401);
    const session = await api.call('GET /auth/session', null, ann);
    expect(headersOf(session)).toEqual(['40000', '0', '43190']);
  });

  test('counts what people do besides the plan for each of them: 60 a minute', async () => {
    const member = await api.signUp({ workspaceId: ann.workspaceId, role: 'member' });
    const end = (as: Credential) => api.call('DELETE /auth/sessions', null, as);
    for (let count = 0; count < 60; count += 1) expect((await end(ann)).status).toBe(200);
    const refused = await end(ann);
    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([
      429,
      'auth_throttled',
      '60',
    ]);
    // The plan’s own limit has not been touched, and nobody else is held up.
    expect(headersOf(await rename())).toEqual(['60', '59', '50']);
    expect([(await end(member)).status, (await rename()).status]).toEqual([200, 200]);
    api.clock.advance(60_000);
    expect((await end(ann)).status).toBe(200);
  });

  test('keeps the day’s count over a restart, without refused and free requests', async () => {
    await rename();
    // These do not count in the plan.
    for (const key of ['GET /auth/session', 'GET /tokens', 'GET /billing'] as const)
      expect((await api.call(key, null, ann)).status).toBe(200);
    expect((await api.raw('/live', {}, ann)).status).toBe(200);
    await api.db.pool.query(
      "update workspaces set status = 'lapsed', plan = 'indie' where id = $1",
      [ann.workspaceId],
    );
    for (let count = 0; count < 5; count += 1) expect((await rename()).status).toBe(402);
    await api.raw('/admin/stores', {}, ann);
    await api.app.api.limits.usage.flush((counts) => recordUsage(api.services, counts));
    const counters = new MemoryCounters(
      () => api.clock.now().getTime(),
      (workspaceId) => getOpenWindowUsage(api.services, workspaceId),
    );
    expect(
      await counters.look({
        workspaceId: ann.workspaceId,
        windows: [{ name: 'day', seconds: 86_400, limit: 40_000 }],
      }),
    ).toMatchObject([{ used: 1 }]);
  });

  test('limits on-demand work and refunds what failed', async () => {
    const search = (id: number) =>
      api.call('GET /apps/{id}/keyword-suggestions', { params: { id } }, ann);
    // No app, no suggestions: the request counts, the allowance does not.
    for (let count = 0; count < 3; count += 1) expect((await search(999_999)).status).toBe(404);
    await api.db.pool.query(
      `insert into on_demand_hours values ($1, 'suggestions', '2026-11-21T12:00:00Z', 60)`,
      [ann.workspaceId],
    );
    const other = await startApi({
      db: api.db,
      clock: api.clock,
      deps: { authSecret: api.authSecret },
      settings: { billingEnabled: true },
    });
    const { id } = await insertApp(api, ann);
    const refused = await other.call(
      'GET /apps/{id}/keyword-suggestions',
      { params: { id }, query: { phrase: 'habit' } },
      ann,
    );
    expect([refused.status, refused.body.code, refused.body.rateLimit]).toEqual([
      429,
      'on_demand_cap',
      {
        window: 'minute',
        rateClass: 'store',
        plan: 'indie',
        limit: 60,
        resetSeconds: 3_590,
        upgradeTo: 'ultimate',
      },
    ]);
    expect(headersOf(refused)).toEqual(['60', '0', '3590']);
    await other.close();
  });

  test('suggestions that query no store use no allowance', async () => {
    const bob = await api.signUp();
    const { id } = await insertApp(api, bob);
    const used = async () => {
      const { onDemand } = await api.ok('GET /workspace/usage', null, bob);
      return onDemand.find(({ kind }) => kind === 'suggestions')!.used;
    };
    const suggest = (query: object) =>
      api.ok('GET /apps/{id}/keyword-suggestions', { params: { id }, query }, bob);
    await suggest({ source: 'listing,competitors,serp' });
    expect(await used()).toBe(0);
    await api.db.pool.query(
      `insert into autocomplete_lists values ($1, 'ios', 'us', 'habit', '{habits}', $2)`,
      [bob.workspaceId, api.clock.now()],
    );
    const { items } = await suggest({ phrase: 'habit' });
    expect(items.map(({ phrase }) => phrase)).toEqual(['habits']);
    expect(await used()).toBe(0);
    // The error of this store costs no request, as while its pace cools.
    const { unavailable } = await suggest({ phrase: 'tracker' });
    expect(unavailable).toMatchObject([{ source: 'autocomplete', prefixes: ['tracker'] }]);
    expect(await used()).toBe(0);
  });

  test('admits suggestions that query no store after the allowance is used up', async () => {
    const { id } = await insertApp(api, ann);
    await api.db.pool.query(
      `insert into on_demand_hours values ($1, 'suggestions', '2026-11-21T12:00:00Z', 60)`,
      [ann.workspaceId],
    );
    await api.db.pool.query(
      `insert into autocomplete_lists values ($1, 'ios', 'us', 'habit', '{habits}', $2)`,
      [ann.workspaceId, api.clock.now()],
    );
    const suggest = (query: object) =>
      api.call('GET /apps/{id}/keyword-suggestions', { params: { id }, query }, ann);
    for (const query of [{ source: 'listing,competitors,serp' }, { phrase: 'habit' }]) {
      const free = await suggest(query);
      expect([free.status, headersOf(free)]).toEqual([200, ['60', '0', '3590']]);
    }
    for (const query of [{ phrase: 'tracker' }, { phrase: 'habit', refresh: true }]) {
      const refused = await suggest(query);
      expect([refused.status, refused.body.code, headersOf(refused)]).toEqual([
        429,
        'on_demand_cap',
        ['60', '0', '3590'],
      ]);
    }
    // A refused request consumes nothing.
    await expect.poll(() => usesOf(ann)).toEqual({ write: 2, day: 2, suggestions: 60 });
    expect(countsOf(ann)).toEqual({ requests: 2, uses: 0 });
  });

  test('counts a repeated request with its Idempotency-Key once', async () => {
    const { id } = await insertApp(api, ann);
    const run = (key: string) =>
      api.raw(
        `/apps/${id}/run-daily`,
        { method: 'POST', headers: { 'idempotency-key': key } },
        ann,
      );
    const first = await run('once');
    for (let count = 0; count < 5; count += 1)
      expect(await run('once')).toMatchObject({ status: 202, text: first.text });
    const { onDemand } = await api.ok('GET /workspace/usage', null, ann);
    expect(onDemand.find(({ kind }) => kind === 'run-daily')).toMatchObject({
      used: 1,
      limit: 5,
    });
    for (let count = 1; count < 5; count += 1)
      expect((await run(`more-${count}`)).status).toBe(202);
    expect((await run('too-many')).body.code).toBe('on_demand_cap');
  });

  test('applies the limits of ultimate from the next request after the change', async () => {
    await readSequentially(300);
    expect((await api.call('GET /errors', null, ann)).status).toBe(429);
    await api.db.pool.query(`update workspaces set plan = 'ultimate' where id = $1`, [
      ann.workspaceId,
    ]);
    expect(headersOf(await api.call('GET /errors', null, ann))).toEqual(['900', '599', '50']);
  });
});

describe('a request whose client leaves while the store is queried', () => {
  const failure = new StoreError({
    store: 'ios',
    failure: 'unavailable',
    marker: 'test',
    message: 'away',
  });

  test.each([
    ['uses nothing when the query fails', failure, { uses: 0, status: 200 }],
    ['uses the allowance when the query succeeds', { terms: ['habits'] }, { uses: 1, status: 200 }],
    ['uses the allowance when the query is aborted', 'aborted', { uses: 1, status: 400 }],
  ] as const)('%s, and is counted and logged once', async (_name, outcome, { uses, status }) => {
    const [asked, responds] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const hints: Store['hints'] = async (_query, { signal }) => {
      asked.resolve();
      await responds.promise;
      if (outcome === 'aborted') throw signal.reason;
      if (outcome instanceof Error) throw outcome;
      return { terms: [...outcome.terms], cost: { requests: 1, bytes: 1, ms: 1 } };
    };
    const lines: object[] = [];
    const debug = (fields: object) => lines.push(fields);
    const held = await startApi({
      db: api.db,
      clock: api.clock,
      deps: { authSecret: api.authSecret },
      settings: { billingEnabled: true },
      stores: { ios: { ...api.services.stores.ios, hints } },
      services: { log: { ...silentLogger, debug, error: debug } },
    });
    const { id } = await insertApp(held, ann);
    const left = new Promise<void>((resolve) =>
      held.app.server.once('request', (_request, response) => response.once('close', resolve)),
    );
    const leave = new AbortController();
    const gone = fetch(`${held.url}/apps/${id}/keyword-suggestions?phrase=habit`, {
      headers: ann.headers,
      signal: leave.signal,
    }).catch(() => 'gone');
    await asked.promise;
    leave.abort();
    await Promise.all([gone, left]);
    expect([countsOf(ann, held), lines]).toEqual([{ requests: 0, uses: 0 }, []]);
    responds.resolve();
    await expect.poll(() => usesOf(ann, held)).toEqual({ write: 1, day: 1, suggestions: uses });
    await expect.poll(() => countsOf(ann, held)).toEqual({ requests: 1, uses });
    expect(lines).toEqual([
      expect.objectContaining({
        operation: 'GET /apps/{id}/keyword-suggestions',
        status,
        clientLeft: true,
      }),
    ]);
    await held.close();
  });
});

describe('concurrent requests', () => {
  test('beyond the plan’s number are refused until one ends or its client leaves', async () => {
    const held = new Promise<void>((resolve) => (release = resolve));
    const counters = new MemoryCounters(() => api.clock.now().getTime());
    const slow = await startApi({
      db: api.db,
      clock: api.clock,
      deps: { authSecret: api.authSecret, counters },
      settings: { billingEnabled: true },
      services: { queueCapacity: { usedBytes: () => held.then(() => 0), capBytes: 1_000 } },
    });
    const leave = new AbortController();
    const health = (signal?: AbortSignal) =>
      fetch(`${slow.url}/health`, { headers: ann.headers, ...(signal && { signal }) });
    const open = Array.from({ length: 15 }, () => health());
    const gone = health(leave.signal).catch(() => 'gone');
    const openNow = async () =>
      (await counters.take({ workspaceId: ann.workspaceId, windows: [], parallel: 0 })).open;
    await expect.poll(openNow).toBe(16);
    const refused = await slow.call('GET /errors', null, ann);
    expect([refused.status, refused.body.rateLimit, refused.headers.get('retry-after')]).toEqual([
      429,
      {
        window: 'concurrent',
        rateClass: 'read',
        plan: 'indie',
        limit: 16,
        resetSeconds: 1,
        upgradeTo: 'ultimate',
      },
      '1',
    ]);
    leave.abort();
    expect(await gone).toBe('gone');
    await expect.poll(openNow).toBe(15);
    expect((await slow.call('GET /errors', null, ann)).status).toBe(200);
    release();
    await Promise.all(open);
    await expect.poll(openNow).toBe(0);
    await slow.close();
  });

  const post = { 'content-type': 'application/json' };
  test.each([
    ['/errors', {}],
    ['/apps/1/keywords/check', { method: 'POST', body: '{"ids":[1]}', headers: post }],
  ])('%s of a client that left while it waited occupies no slot', async (path, init) => {
    const counters = new MemoryCounters(() => api.clock.now().getTime());
    const deps = { authSecret: api.authSecret, counters };
    const slow = await startApi({
      db: api.db,
      clock: api.clock,
      deps,
      settings: { billingEnabled: true },
    });
    const left = new Promise<void>((resolve) =>
      slow.app.server.once('request', (_request, response) => response.once('close', resolve)),
    );
    const take = counters.take.bind(counters);
    let isTaken = false;
    vi.spyOn(counters, 'take').mockImplementationOnce(async (taking) => {
      leave.abort();
      await left;
      const taken = await take(taking);
      isTaken = true;
      return taken;
    });
    const leave = new AbortController();
    expect(
      await fetch(`${slow.url}${path}`, {
        ...init,
        headers: { ...ann.headers, ...(init as RequestInit).headers } as Record<string, string>,
        signal: leave.signal,
      }).catch(() => 'gone'),
    ).toBe('gone');
    await expect.poll(() => isTaken).toBe(true);
    await expect
      .poll(
        async () =>
          (await counters.take({ workspaceId: ann.workspaceId, windows: [], parallel: 0 })).open,
      )
      .toBe(0);
    await expect.poll(() => countsOf(ann, slow).requests).toBe(1);
    await slow.close();
  });

  let release: () => void;
});

test('switching plans on, off and on again loses no data', async () => {
  const [shared, bill] = [
    { db: api.db, clock: api.clock, deps: { authSecret: api.authSecret } },
    { billingEnabled: true },
  ];
  const workspace = async (on: TestApi) => (await on.ok('GET /workspace', null, ann)) as object;
  await api.db.pool.query(
    `update workspaces set status = 'lapsed', plan = null, trial_ends_at = created_at
     where id = $1`,
    [ann.workspaceId],
  );
  const before = await describeTables(api, counted);
  const lapsed = await workspace(api);
  const free = await startApi(shared);
  expect(await workspace(free)).toMatchObject({ state: 'live', plan: null });
  expect((await free.call('PATCH /workspace', { body: { name: 'Renamed' } }, ann)).status).toBe(
    200,
  );
  await free.ok('PATCH /workspace', { body: { name: (lapsed as { name: string }).name } }, ann);
  await free.close();
  const again = await startApi({ ...shared, settings: bill });
  expect(await workspace(again)).toEqual(lapsed);
  expect((await again.call('PATCH /workspace', { body: { name: 'Renamed' } }, ann)).status).toBe(
    402,
  );
  expect(await describeTables(again, [...counted, 'audit'])).toEqual(
    Object.fromEntries(Object.entries(before).filter(([name]) => name !== 'audit')),
  );
  await again.close();
});

test('without plans an instance has neither headers nor limits', async () => {
  const free = await startApi({ db: api.db, deps: { authSecret: api.authSecret } });
  const responses = await Promise.all(
    Array.from({ length: 400 }, () => free.call('GET /errors', null, ann)),
  );
  expect(
    responses.every(
      (response) => response.status === 200 && response.headers.get('ratelimit-limit') === null,
    ),
  ).toBe(true);
  await free.close();
});

test('without plans the routes of plans do not exist, by any method', async () => {
  const free = await startApi({ db: api.db, deps: { authSecret: api.authSecret } });
  const paths = operationList
    .filter(([, { metered }]) => metered)
    .map(([key]) => key.split(' ')[1]!);
  expect(paths).toContain('/billing');
  const bare = ({ status, text, headers }: RawResponse) => [
    status,
    text.replace(/"timestamp":"[^"]*"/, '').replace('-absent', ''),
    headers.get('allow'),
  ];
  for (const path of new Set(paths))
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
      for (const credential of [null, ann])
        expect([method, path, ...bare(await free.raw(path, { method }, credential))]).toEqual([
          method,
          path,
          ...bare(await free.raw(`${path}-absent`, { method }, credential)),
        ]);
  await free.close();
});
