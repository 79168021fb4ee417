import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { lockImplausibleChecks, retractChecks } from '#db/queries/anomalies/implausible-checks.ts';
import { inSystem } from '#domain/base/context.ts';
import { dayIndexInMonth, monthOf } from '#lib/dates.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { checkDay, trackPhrase, type Followed } from './alerts.fixtures.ts';

let api: TestApi;
let me: Account;
let followed: Followed;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  api.clock.set('2026-11-01T12:00:00Z');
  me = await api.signUp();
  followed = await trackPhrase(api, me);
});

const retract = (day: string) =>
  inSystem(api.services, (tx) =>
    retractChecks(tx, {
      marketIds: [followed.marketId],
      day,
      month: monthOf(day),
      dayIndex: dayIndexInMonth(day),
      marker: 'withheld',
      isDueAgain: false,
    }),
  );
const setPeriods = (periods: unknown[]) =>
  api.db.pool.query('update keywords set tracking_periods = $2 where id = $1', [
    followed.keywordId,
    JSON.stringify(periods),
  ]);
const read = async () => {
  const { rows } = await api.db.pool.query(
    `select latest_on as "latestOn", latest_position as latest, best_on as "bestOn",
       best_position as best from keywords where id = $1`,
    [followed.keywordId],
  );
  return rows[0] as unknown;
};

test('a day on which the keyword was paused is not its latest or best', async () => {
  await setPeriods([['2026-11-01', 200]]);
  await checkDay(api, followed, '2026-11-01', 12);
  // Somebody else has the market searched.
  await checkDay(api, followed, '2026-11-04', 2);
  await setPeriods([
    ['2026-11-01', 200],
    ['2026-11-03', 0],
    ['2026-11-06', 200],
  ]);
  await checkDay(api, followed, '2026-11-06', 1);
  await retract('2026-11-06');
  expect(await read()).toEqual({
    latestOn: '2026-11-01',
    latest: 12,
    bestOn: '2026-11-01',
    best: 12,
  });
});

test('an imported day is the best again, and the latest without an own one', async () => {
  await setPeriods([['2026-11-01', 200]]);
  await api.db.pool.query(
    `insert into imported_daily_ranks (workspace_id, keyword_id, listing_id, on_date, position,
       depth)
     select $1, $2, $3, day::date, position, 200
     from (values ('2026-10-20', 3), ('2026-10-21', 8)) as given(day, position)`,
    [me.workspaceId, followed.keywordId, followed.listingId],
  );
  await checkDay(api, followed, '2026-11-01', 12);
  await checkDay(api, followed, '2026-11-02', 1);
  await retract('2026-11-02');
  const best = { bestOn: '2026-10-20', best: 3 };
  expect(await read()).toEqual({ latestOn: '2026-11-01', latest: 12, ...best });
  await api.db.pool.query('update keywords set best_on = $2, best_position = 1 where id = $1', [
    followed.keywordId,
    '2026-11-01',
  ]);
  await retract('2026-11-01');
  expect(await read()).toEqual({ latestOn: '2026-10-21', latest: 8, ...best });
});

test('an imported day with a rank of its own is not its best, however good it is', async () => {
  await setPeriods([['2026-11-01', 200]]);
  await checkDay(api, followed, '2026-11-01', 12);
  // Somebody else has the market searched while the keyword is paused.
  await checkDay(api, followed, '2026-11-04', 9);
  await setPeriods([
    ['2026-11-01', 200],
    ['2026-11-03', 0],
    ['2026-11-06', 200],
  ]);
  api.clock.set('2026-11-06T12:00:00Z');
  const { rows } = await api.db.pool.query('select phrase from keywords where id = $1', [
    followed.keywordId,
  ]);
  const lines = ['2026-11-01,3', '2026-11-04,5'].map((line) => `${rows[0].phrase},${line}`);
  const mapping = { phrase: 'phrase', date: 'date', position: 'position' };
  const text = ['phrase,date,position', ...lines].join('\n');
  const body = { format: 'csv' as const, appId: followed.appId, text, mapping, country: 'us' };
  await api.ok('POST /workspace/imports', { body }, me);
  const best = { bestOn: '2026-11-04', best: 5 };
  expect(await read()).toMatchObject(best);
  await checkDay(api, followed, '2026-11-06', 1);
  await retract('2026-11-06');
  expect(await read()).toEqual({ latestOn: '2026-11-01', latest: 12, ...best });
});

test('the first check of a series is compared with none of an earlier series', async () => {
  await checkDay(api, followed, '2026-11-01', 12);
  await checkDay(api, followed, '2026-11-05', null);
  const listImplausible = (day: string) =>
    inSystem(api.services, (tx) =>
      lockImplausibleChecks(tx, {
        store: 'ios',
        provider: 'test',
        day,
        month: monthOf(day),
        dayIndex: dayIndexInMonth(day),
        from: new Date(`${day}T00:00:00Z`),
        minFirstResults: 25,
        afterMarketId: followed.marketId - 1,
        limit: 1,
      }),
    );
  expect(await listImplausible('2026-11-05')).toEqual([followed.marketId]);
  await api.db.pool.query(
    `insert into position_series values ('ios', '2026-11-02', 'other'),
       ('ios', '2026-11-05', 'test')`,
  );
  try {
    expect(await listImplausible('2026-11-05')).toEqual([]);
    // Within the series, checks are compared.
    await checkDay(api, followed, '2026-11-06', 3);
    await checkDay(api, followed, '2026-11-07', null);
    expect(await listImplausible('2026-11-07')).toEqual([followed.marketId]);
  } finally {
    await api.db.pool.query("delete from position_series where from_day > '2026-11-01'");
  }
});
