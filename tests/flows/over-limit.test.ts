import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reconcileWorkspaces } from '#domain/accounts/billing/reconcile-workspaces.ts';
import { plans } from '#domain/base/plans/plans.ts';
import { addDays } from '#lib/dates.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { keepOrder } from '../harness/keep-order.ts';
import { startPipeline, type Pipeline } from '../harness/pipeline.ts';

keepOrder('a workspace goes through its plans, test by test');

const firstDay = '2026-06-01';
const day = (offset: number) => addDays(firstDay, offset);
const adminEmail = 'operator@example.org';
const phrases = ['habit tracker', 'mood journal', 'daily planner', 'sleep sounds'];
const usual = plans.indie.keywordMarkets;

let pipeline: Pipeline;
let api: TestApi;
let operator: Account;
/** Both track the same app in the same markets; she has the smaller plan. */
let ann: Account & { appId: number; keywordIds: number[] };
let bob: Account & { appId: number; keywordIds: number[] };

beforeAll(async () => {
  // A thousand searches a day show no more than two do.
  plans.indie.keywordMarkets = 2;
  pipeline = await startPipeline({
    day: firstDay,
    simulator: { world: { apps: 300, resultsPerSearch: 60, androidMode: 'web30' } },
    environment: {
      BILLING_ENABLED: 'true',
      OPERATOR_EMAILS: adminEmail,
      ENCRYPTION_KEY: 'a key for the secrets of a test, long enough',
    },
  });
  api = await startApi({
    db: pipeline.db,
    clock: pipeline.clock,
    services: pipeline.runtime.services,
  });
  operator = await withToken(await api.signUp({ email: adminEmail }));
  [ann, bob] = [await follower(), await withToken(await follower())];
});
afterAll(async () => {
  plans.indie.keywordMarkets = usual;
  await api.close();
  await pipeline.close();
});

/** A session expires after a week without use; a token does not. */
const withToken = async <A extends Account>(account: A): Promise<A> => ({
  ...account,
  headers: (await api.token(account)).headers,
});

async function follower() {
  const account = await api.signUp();
  await setPlan(account, 'ultimate');
  const { app } = await api.ok(
    'POST /apps',
    { body: { store: 'ios', storeAppId: '1500000001' } },
    account,
  );
  await api.ok(
    'POST /apps/{id}/keywords',
    { params: { id: app.id }, body: { phrases, countries: ['us'] } },
    account,
  );
  const { rows } = await pipeline.db.pool.query(
    'select id from keywords where app_id = $1 order by id',
    [app.id],
  );
  return { ...account, appId: app.id, keywordIds: rows.map((row) => row.id as number) };
}

const setPlan = (account: Account, plan: 'indie' | 'ultimate' | null) =>
  api.ok(
    'PUT /admin/workspaces/{id}/plan',
    { params: { id: account.workspaceId }, body: { plan } },
    operator,
  );

/** The state or the reason of each keyword's day, in their order. */
async function dayOf(who: typeof ann, date: string): Promise<string[]> {
  const query = { from: date, to: date, fill: 'gaps' as const };
  const { items } = await api.ok(
    'GET /apps/{id}/rankings',
    { params: { id: who.appId }, query },
    who,
  );
  const states = new Map(
    items.map((item) => [item.keywordId, item.state === 'not_checked' ? item.reason : 'checked']),
  );
  return who.keywordIds.map((id) => states.get(id) ?? 'nothing');
}

async function searchedOn(date: string): Promise<number> {
  const index = Number(date.slice(8)) - 1;
  const { rows } = await pipeline.db.pool.query(
    'select count(*)::int as count from market_months where month = $1 and get_byte(days, $2) > 0',
    [`${date.slice(0, 7)}-01`, index * 4],
  );
  return rows[0].count;
}

const all = (state: string) => phrases.map(() => state);
const limitsOf = async (who: Account) => {
  const [budget, billing] = [
    await api.ok('GET /jobs/budget', null, who),
    await api.ok('GET /billing', null, who),
  ];
  return {
    searches: budget.fanOut.find((row) => row.store === 'ios')!.kinds.rankChecks.jobs,
    markets: budget.quota!.keywordMarkets,
    quotaSince: budget.quota!.overLimitSince,
    since: billing.overLimitSince,
    checked: billing.checkedMarkets,
    isOneCount: billing.usage.keywordMarkets.used === budget.quota!.keywordMarkets.used,
  };
};

describe('more keyword markets than the plan holds', () => {
  let since: string;

  test('are all checked for a week', async () => {
    await pipeline.runDay(day(0));
    expect(await dayOf(ann, day(0))).toEqual(all('checked'));
    since = pipeline.clock.now().toISOString();
    expect((await setPlan(ann, 'indie')).overLimitSince).toBe(since);
    await pipeline.runDay(day(1));
    pipeline.clock.set(new Date(Date.parse(since) + 7 * 86_400_000 - 1).toISOString());
    await pipeline.runUntilIdle();
    expect(await limitsOf(ann)).toEqual({
      searches: 4,
      markets: { used: 4, limit: 2 },
      quotaSince: null,
      since,
      checked: null,
      isOneCount: true,
    });
    await pipeline.runDay(day(7));
    expect([await dayOf(ann, day(1)), await dayOf(ann, day(7))]).toEqual([
      all('checked'),
      all('checked'),
    ]);
  });

  test('are then checked in a stable order; the rest give the reason, even if shared', async () => {
    await pipeline.runDay(day(8));
    expect(await limitsOf(ann)).toEqual({
      searches: 2,
      markets: { used: 4, limit: 2 },
      quotaSince: since,
      since,
      checked: 2,
      isOneCount: true,
    });
    expect(await dayOf(ann, day(8))).toEqual(['checked', 'checked', 'over_quota', 'over_quota']);
    expect(await dayOf(bob, day(8))).toEqual(all('checked'));
    expect(await limitsOf(bob)).toMatchObject({
      searches: 4,
      quotaSince: null,
      since: null,
      checked: null,
    });
    const { items } = await api.ok('GET /apps/{id}/keywords', { params: { id: ann.appId } }, ann);
    const latest = new Map(items.map((item) => [item.id, item.latest?.date]));
    expect(ann.keywordIds.map((id) => latest.get(id))).toEqual([day(8), day(8), day(7), day(7)]);
    const run = await api.ok('GET /runs/{date}', { params: { date: day(8) } }, ann);
    expect(run).toMatchObject({ planned: 4, done: 2, gaps: { over_quota: 2, not_yet_run: 0 } });
  });

  test('are not searched if no other workspace tracks them', async () => {
    await setPlan(bob, null);
    await pipeline.runDay(day(9));
    expect(await searchedOn(day(9))).toBe(2);
    expect(await dayOf(ann, day(9))).toEqual(['checked', 'checked', 'over_quota', 'over_quota']);
    expect(await dayOf(bob, day(9))).toEqual(all('paused'));
  });

  test('can be updated and stay excluded; none can be added', async () => {
    const params = { keywordId: ann.keywordIds[3]! };
    await api.ok('PATCH /keywords/{keywordId}', { params, body: { depth: 50 } }, ann);
    await api.ok('PATCH /keywords/{keywordId}', { params, body: { paused: true } }, ann);
    const refused = await api.call(
      'PATCH /keywords/{keywordId}',
      { params, body: { paused: false } },
      ann,
    );
    expect([refused.status, refused.body.code]).toEqual([200, undefined]);
    const more = await api.call(
      'POST /apps/{id}/keywords',
      { params: { id: ann.appId }, body: { phrases: ['focus timer'], countries: ['us'] } },
      ann,
    );
    expect([more.status, more.body.quota]).toMatchObject([
      403,
      { kind: 'keywordMarkets', limit: 2, used: 4, requested: 1 },
    ]);
    await pipeline.runDay(day(10));
    expect(await dayOf(ann, day(10))).toEqual(['checked', 'checked', 'over_quota', 'over_quota']);
  });

  test('move up when an earlier one is deleted', async () => {
    await api.ok(
      'PATCH /keywords/{keywordId}',
      { params: { keywordId: ann.keywordIds[0]! }, body: { paused: true } },
      ann,
    );
    await pipeline.runDay(day(11));
    expect(await dayOf(ann, day(11))).toEqual(['paused', 'checked', 'checked', 'over_quota']);
    expect(await limitsOf(ann)).toMatchObject({
      searches: 2,
      markets: { used: 3, limit: 2 },
      quotaSince: since,
      isOneCount: true,
    });
  });

  test('are all checked again with a larger plan; the days between stay gaps', async () => {
    await setPlan(bob, 'ultimate');
    expect((await setPlan(ann, 'ultimate')).overLimitSince).toBe(null);
    // Nobody has searched it today, and today is not over.
    expect(await dayOf(ann, day(11))).toEqual(['paused', 'checked', 'checked', 'not_yet_run']);
    await pipeline.runUntilIdle();
    expect(await dayOf(ann, day(11))).toEqual(['paused', 'checked', 'checked', 'checked']);
    await pipeline.runDay(day(12));
    expect(await dayOf(ann, day(12))).toEqual(['paused', 'checked', 'checked', 'checked']);
    expect(await dayOf(ann, day(8))).toEqual(['checked', 'checked', 'over_quota', 'over_quota']);
    expect(await limitsOf(ann)).toMatchObject({
      searches: 3,
      quotaSince: null,
      since: null,
      checked: null,
    });
  });
});

describe('a workspace whose plan has ended', () => {
  test('can read and export its data, and is not checked', async () => {
    expect((await setPlan(ann, null)).state).toBe('lapsed');
    await setPlan(bob, null);
    await pipeline.runDay(day(13));
    expect(await searchedOn(day(13))).toBe(0);
    await setPlan(bob, 'ultimate');
    expect(await dayOf(ann, day(13))).toEqual(all('paused'));
    expect(await dayOf(ann, day(12))).toEqual(['paused', 'checked', 'checked', 'checked']);
    const file = await api.raw(
      `/apps/${ann.appId}/exports/rankings?format=ndjson&from=${day(12)}&to=${day(12)}`,
      {},
      ann,
    );
    expect([file.status, file.text.match(/"state":"(ranked|not_found)"/g)?.length]).toEqual([
      200, 3,
    ]);
  });

  test('is checked like any other where plans are off', async () => {
    const { services } = pipeline.runtime;
    const free = { ...services, settings: { ...services.settings, billingEnabled: false } };
    expect(await reconcileWorkspaces(free)).toBe(1);
    const { rows } = await pipeline.db.pool.query(
      'select count(*)::int as count from market_schedule where depth > 0',
    );
    expect(rows[0].count).toBe(4);
    expect(
      (await api.ok('GET /admin/workspaces', { query: { state: 'lapsed' } }, operator)).total,
    ).toBe(1);
    expect(await reconcileWorkspaces(free)).toBe(0);
    // Plans are switched on with a restart.
    expect(await reconcileWorkspaces({ ...services })).toBe(1);
  });

  test('continues with a plan', async () => {
    await setPlan(ann, 'ultimate');
    await pipeline.runDay(day(14));
    expect(await dayOf(ann, day(14))).toEqual(['paused', 'checked', 'checked', 'checked']);
  });
});

describe('a suspended workspace', () => {
  test('is skipped until the suspension ends; results meanwhile belong to others', async () => {
    const params = { id: ann.workspaceId };
    await api.ok(
      'POST /admin/workspaces/{id}/suspend',
      { params, body: { reason: 'unpaid' } },
      operator,
    );
    await pipeline.runDay(day(15));
    expect([await dayOf(ann, day(15)), await dayOf(bob, day(15))]).toEqual([
      all('paused'),
      all('checked'),
    ]);
    await api.ok('POST /admin/workspaces/{id}/unsuspend', { params }, operator);
    expect(await dayOf(ann, day(15))).toEqual(all('paused'));
    await pipeline.runDay(day(16));
    expect(await dayOf(ann, day(16))).toEqual(['paused', 'checked', 'checked', 'checked']);
    expect(await dayOf(ann, day(15))).toEqual(all('paused'));
  });

  test('causes no searches of markets that no other workspace tracks', async () => {
    for (const { workspaceId } of [ann, bob])
      await api.ok(
        'POST /admin/workspaces/{id}/suspend',
        { params: { id: workspaceId }, body: { reason: 'unpaid' } },
        operator,
      );
    pipeline.simulator.clearLog();
    await pipeline.runDay(day(17));
    expect(await searchedOn(day(17))).toBe(0);
    expect(pipeline.simulator.log()).toEqual([]);
  });
});
