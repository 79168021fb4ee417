import { expect, onTestFinished, test } from 'vitest';
import { reconcileWorkspaces } from '#domain/accounts/billing/reconcile-workspaces.ts';
import { refreshBudget } from '#domain/base/budget/refresh-budget.ts';
import { inTenant } from '#domain/base/context.ts';
import { plans } from '#domain/base/plans/plans.ts';
import { applyKeywordUpdates } from '#domain/tracking/keywords/update-keywords.ts';
import { startApi } from '../harness/api.ts';
import { seedHistory } from '../harness/history.ts';
import { until } from '../harness/load-recorder.ts';
import { trackMarkets } from './admin.fixtures.ts';

test('concurrent removals by others never let keywords exceed the plan', async () => {
  const api = await startApi({ settings: { billingEnabled: true } });
  const ann = await api.signUp();
  const plan = {
    workspaceId: ann.workspaceId,
    apps: 1,
    markets: 1_020,
    days: 1,
    lastDay: '2026-11-20',
  };
  const { appIds, keywords } = await seedHistory(api.db.pool, plan);
  const ids = keywords.map(({ id }) => id);
  const set = (those: number[], paused: boolean) =>
    api.call(
      'POST /apps/{id}/keywords/update',
      { params: { id: appIds[0]! }, body: { ids: those, set: { paused } } },
      ann,
    );
  await inTenant(ann.ctx, (tx) => refreshBudget(tx, ann.ctx));
  expect((await set(ids.slice(0, 5), true)).status).toBe(200);

  // With 1,015 markets one caller pauses eight, and before its commit the other adds three.
  const goOn = Promise.withResolvers<void>();
  const isPaused = Promise.withResolvers<void>();
  const pausing = inTenant(ann.ctx, async (tx) => {
    await applyKeywordUpdates(
      tx,
      { ...ann.ctx, ...api.services },
      { ids: ids.slice(10, 18), appId: appIds[0]! },
      { paused: true },
    );
    isPaused.resolve();
    await goOn.promise;
  });
  await isPaused.promise;
  const wanting = set(ids.slice(0, 3), false);
  const waiting =
    'select from pg_stat_activity where datname = current_database() and wait_event_type = ' +
    `'Lock'`;
  await until(
    async () => (await api.db.pool.query(waiting)).rowCount === 1,
    60_000,
    'the other to wait for the first',
  );
  goOn.resolve();
  await pausing;
  const { status, body } = await wanting;
  expect([status, body.code, body.quota]).toMatchObject([
    403,
    'quota_keyword_markets',
    { limit: 1_000, used: 1_007, requested: 3 },
  ]);
  // Changes without additional markets are accepted.
  expect((await set(ids.slice(20, 24), true)).status).toBe(200);
  await api.close();
});

test('excluded keywords cannot be resumed or restored once the others fit the plan', async () => {
  const usual = plans.indie.keywordMarkets;
  plans.indie.keywordMarkets = 2;
  const api = await startApi({ settings: { billingEnabled: true } });
  onTestFinished(async () => {
    plans.indie.keywordMarkets = usual;
    await api.close();
  });
  const setPlan = async (plan: string) => {
    await api.db.pool.query(`update workspaces set status = 'live', plan = $1`, [plan]);
    await reconcileWorkspaces(api.services);
  };
  await setPlan('ultimate');
  const signedUp = await api.signUp();
  // A session expires after a week without use.
  const ann = { ...signedUp, headers: (await api.token(signedUp)).headers };
  await setPlan('ultimate');
  const { appId, keywordIds } = await trackMarkets(api, ann, ['a', 'b', 'c', 'd']);
  const other = await trackMarkets(api, ann, ['e', 'f']);
  await setPlan('indie');
  api.clock.advance(7 * 86_400_000);
  await reconcileWorkspaces(api.services);
  const billing = async () => {
    const { usage, overLimitSince } = await api.ok('GET /billing', null, ann);
    return [usage.keywordMarkets.used, overLimitSince !== null];
  };
  expect(await billing()).toEqual([6, true]);
  const set = (ids: number[], paused: boolean) =>
    api.call(
      'POST /apps/{id}/keywords/update',
      { params: { id: appId }, body: { ids, set: { paused } } },
      ann,
    );
  const restore = () => api.call('POST /apps/{id}/restore', { params: { id: other.appId } }, ann);
  const held = keywordIds.slice(2);

  // Above the limit they can be resumed, and stay excluded.
  expect((await set(held, true)).status).toBe(200);
  await reconcileWorkspaces(api.services);
  expect((await set(held, false)).status).toBe(200);
  await api.ok('DELETE /apps/{id}', { params: { id: other.appId } }, ann);
  await reconcileWorkspaces(api.services);
  expect([await billing(), (await restore()).status]).toEqual([[4, true], 200]);

  await api.ok('DELETE /apps/{id}', { params: { id: other.appId } }, ann);
  expect((await set(held, true)).status).toBe(200);
  await reconcileWorkspaces(api.services);
  expect(await billing()).toEqual([2, false]);
  for (const refused of [await set(held, false), await restore()])
    expect([refused.status, refused.body.quota]).toMatchObject([
      403,
      { kind: 'keywordMarkets', limit: 2, used: 2, requested: 2 },
    ]);

  // Instead of others they are checked again.
  expect((await set(keywordIds.slice(0, 2), true)).status).toBe(200);
  expect((await set(held, false)).status).toBe(200);
  await reconcileWorkspaces(api.services);
  const { rows } = await api.db.pool.query(
    'select held from keywords where id = any($1) order by id',
    [held],
  );
  expect([rows.map((row) => row.held), await billing()]).toEqual([
    [false, false],
    [2, false],
  ]);
});
