import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { retractChecks } from '#db/queries/anomalies/implausible-checks.ts';
import { inSystem } from '#domain/base/context.ts';
import { evaluateRankAlerts } from '#domain/alerting/alerts/evaluate-rank-alerts.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { everyMoveRules } from '../harness/every-move-rules.ts';
import {
  checkDay,
  eventsOf,
  trackPhrase,
  evaluateAllAlerts,
  type Followed,
} from './alerts.fixtures.ts';
import { insertImportedRanks } from './competitors.fixtures.ts';

let api: TestApi;
let me: Account;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  api.clock.set('2026-11-01T12:00:00Z');
  me = await api.signUp();
  await api.ok('PUT /alerts/rules', { body: { rules: everyMoveRules } }, me);
});

const checkDays = async (followed: Followed, positions: Record<string, number | null>) => {
  for (const [day, position] of Object.entries(positions)) {
    api.clock.set(`2026-11-${day}T12:00:00Z`);
    await checkDay(api, followed, `2026-11-${day}`, position);
    await evaluateAllAlerts(api);
  }
};

it('a fall of five raises one alert with both depths, as GET /events returns it', async () => {
  const followed = await trackPhrase(api, me);
  await checkDays(followed, { '01': 12, '02': 17 });
  await evaluateAllAlerts(api);
  const { items } = await api.ok('GET /events', null, me);
  expect(items).toEqual([
    {
      type: 'rank.dropped',
      timestamp: '2026-11-02T12:00:00.000Z',
      data: {
        keywordId: followed.keywordId,
        phrase: expect.any(String),
        country: 'us',
        device: 'iphone',
        from: { date: '2026-11-01', position: 12, depth: 200 },
        to: { date: '2026-11-02', position: 17, depth: 200 },
        positionsGained: -5,
        reasons: ['moved'],
        crossed: [],
      },
      id: expect.any(String),
      sequence: 1,
      workspaceId: me.workspaceId,
      app: expect.objectContaining({ id: followed.appId }),
      links: {
        app: `/apps/${followed.appId}`,
        keyword: `/keywords/${followed.keywordId}`,
        rankings: `/keywords/${followed.keywordId}/rankings`,
      },
    },
  ]);
});

it('all pending checks are evaluated after an interruption at any point', async () => {
  const followed = await trackPhrase(api, me);
  await checkDay(api, followed, '2026-11-01', 12);
  await checkDay(api, followed, '2026-11-02', 30);
  await checkDay(api, followed, '2026-11-03', 11);
  api.clock.set('2026-11-03T12:00:00Z');
  await api.db.pool.query(
    `create function break() returns trigger language plpgsql as 'begin raise exception ` +
      `''planned''; end'`,
  );
  await api.db.pool.query(
    'create trigger break before delete on pending_evaluations for each row when ' +
      `(old.on_date = date '2026-11-02') execute function break()`,
  );
  await expect(evaluateRankAlerts(api.services)).rejects.toThrow('planned');
  expect((await eventsOf(api, me)).map((event) => event.type)).toEqual(['rank.dropped']);
  await api.db.pool.query('drop trigger break on pending_evaluations');
  await evaluateAllAlerts(api);
  expect((await eventsOf(api, me)).map((event) => event.type)).toEqual([
    'rank.dropped',
    'rank.improved',
  ]);
  await api.db.pool.query(
    'insert into pending_evaluations select $1, d from ' +
      `unnest('{2026-11-01,2026-11-02,2026-11-03}'::date[]) d`,
    [followed.marketId],
  );
  await evaluateAllAlerts(api);
  expect(await eventsOf(api, me)).toHaveLength(2);
});

it('a check that may become a gap raises its alerts once it no longer can', async () => {
  const followed = await trackPhrase(api, me);
  await checkDays(followed, { '01': 12 });
  const evaluateAt = new Date('2026-11-02T04:16:00Z');
  await checkDay(api, followed, '2026-11-02', null, { evaluateAt });
  api.clock.set('2026-11-02T04:15:59Z');
  await evaluateAllAlerts(api);
  expect(await eventsOf(api, me)).toEqual([]);
  api.clock.set('2026-11-02T04:16:00Z');
  await evaluateAllAlerts(api);
  expect(await eventsOf(api, me)).toMatchObject([{ type: 'rank.dropped' }]);
});

it('a check that became a gap meanwhile raises none', async () => {
  const followed = await trackPhrase(api, me);
  await checkDays(followed, { '01': 12 });
  const evaluateAt = new Date('2026-11-02T04:16:00Z');
  await checkDay(api, followed, '2026-11-02', null, { evaluateAt });
  await inSystem(api.services, (tx) =>
    retractChecks(tx, {
      marketIds: [followed.marketId],
      day: '2026-11-02',
      month: '2026-11-01',
      dayIndex: 1,
      marker: 'withheld',
      isDueAgain: true,
    }),
  );
  api.clock.set('2026-11-02T12:00:00Z');
  await evaluateAllAlerts(api);
  expect(await eventsOf(api, me)).toEqual([]);
});

it('the ranks of another tool raise no alert and are in no backtest', async () => {
  const followed = await trackPhrase(api, me);
  await insertImportedRanks(api, followed.keywordId, [3, 40, 3], '2026-10-31');
  await checkDays(followed, { '01': 40, '02': 40 });
  expect(await eventsOf(api, me)).toEqual([]);
  const body = { rules: everyMoveRules, days: 30 };
  expect((await api.ok('POST /alerts/rules/backtest', { body }, me)).alerts).toEqual([]);
});

it('two workspaces that track an app in a market are alerted by what each may see', async () => {
  const followed = await trackPhrase(api, me, { phrase: 'in common' });
  await checkDay(api, followed, '2026-11-01', 12);
  api.clock.set('2026-11-02T12:00:00Z');
  const other = await api.signUp();
  await api.ok('PUT /alerts/rules', { body: { rules: everyMoveRules } }, other);
  const { rows } = await api.db.pool.query(
    `insert into apps (workspace_id, listing_id, primary_country, created_at)
       values ($1, $2, 'us', $3) returning id, listing_id as "listingId"`,
    [other.workspaceId, followed.listingId, api.clock.now()],
  );
  await trackPhrase(api, other, { phrase: 'in common', app: rows[0] });
  await checkDay(api, followed, '2026-11-02', 12);
  api.clock.set('2026-11-03T12:00:00Z');
  await checkDay(api, followed, '2026-11-03', 30);
  await evaluateAllAlerts(api);
  const apps = async (account: Account) =>
    (await eventsOf(api, account)).map(({ type, app }) => [type, app?.id]);
  expect(await apps(me)).toEqual([['rank.dropped', followed.appId]]);
  expect(await apps(other)).toEqual([['rank.dropped', rows[0].id]]);
});

it('a workspace whose events are being written delays the alerts of no other', async () => {
  const second = await api.signUp();
  await api.ok('PUT /alerts/rules', { body: { rules: everyMoveRules } }, second);
  const accounts = [me, second];
  const tracked = [await trackPhrase(api, me), await trackPhrase(api, second)];
  for (const followed of tracked) await checkDay(api, followed, '2026-11-01', 12);
  await evaluateAllAlerts(api);
  for (const followed of tracked) await checkDay(api, followed, '2026-11-02', 17);
  api.clock.set('2026-11-02T12:00:00Z');
  await evaluateAllAlerts(api);
  for (const followed of tracked) await checkDay(api, followed, '2026-11-03', 24);
  api.clock.set('2026-11-03T12:00:00Z');
  const count = () =>
    Promise.all(accounts.map(async (account) => (await eventsOf(api, account)).length));
  expect(await count()).toEqual([1, 1]);
  const writer = await api.db.pool.connect();
  try {
    await writer.query('begin');
    await writer.query('select from event_counters where workspace_id = $1 for update', [
      me.workspaceId,
    ]);
    const evaluated = evaluateRankAlerts(api.services);
    await expect.poll(count).toEqual([1, 2]);
    await writer.query('commit');
    expect(await evaluated).toBe(2);
  } finally {
    writer.release(true);
  }
  expect(await count()).toEqual([2, 2]);
});
