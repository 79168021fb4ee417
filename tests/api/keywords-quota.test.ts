import { expect, test } from 'vitest';
import { refreshBudget } from '#domain/base/budget/refresh-budget.ts';
import { inTenant } from '#domain/base/context.ts';
import { applyKeywordUpdates } from '#domain/tracking/keywords/update-keywords.ts';
import { startApi } from '../harness/api.ts';
import { seedHistory } from '../harness/history.ts';
import { until } from '../harness/load-recorder.ts';

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
