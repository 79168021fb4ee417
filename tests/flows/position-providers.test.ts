import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addDays } from '#lib/dates.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { keepOrder } from '../harness/keep-order.ts';
import { startPipeline, type Pipeline } from '../harness/pipeline.ts';

keepOrder('the second day follows the first');

const firstDay = '2026-06-01';
const secondDay = addDays(firstDay, 1);
const thirdDay = addDays(firstDay, 2);

let pipeline: Pipeline;
let api: TestApi;
let account: Account;
let params: { keywordId: number };
let appId: number;

beforeAll(async () => {
  pipeline = await startPipeline({
    day: firstDay,
    simulator: { world: { apps: 300, resultsPerSearch: 60 } },
  });
  const { db, clock, runtime } = pipeline;
  api = await startApi({ db, clock, services: runtime.services });
  account = await api.signUp();
  account = { ...account, headers: (await api.token(account)).headers };
  const body = { store: 'ios', storeAppId: '1500000001' } as const;
  const { app } = await api.ok('POST /apps', { body }, account);
  appId = app.id;
  const { added } = await api.ok(
    'POST /apps/{id}/keywords',
    { params: { id: app.id }, body: { phrases: ['habit tracker'], countries: ['us'] } },
    account,
  );
  params = { keywordId: added[0]!.id };
  await pipeline.runDay(firstDay);
});
afterAll(async () => {
  await api.close();
  await pipeline.close();
});

const ranks = async () =>
  (
    await api.ok(
      'GET /keywords/{keywordId}/rankings',
      { params, query: { from: firstDay, to: thirdDay, fill: 'gaps' } },
      account,
    )
  ).items;
const beginSeries = (day: string, provider: string) =>
  pipeline.db.pool.query("insert into position_series values ('ios', $1, $2)", [day, provider]);

describe('the provider of a position', () => {
  test('is named in lists, in the newest position and with the stored results', async () => {
    expect((await ranks()).at(-1)).toMatchObject({ date: firstDay, provider: 'itunes' });
    const { items } = await api.ok('GET /apps/{id}/keywords', { params: { id: appId } }, account);
    expect(items[0]!.latest).toMatchObject({ date: firstDay, provider: 'itunes' });
    const latest = await api.ok('GET /rankings/latest', { query: {} }, account);
    expect(latest.items[0]!.latest).toMatchObject({ date: firstDay, provider: 'itunes' });
    const serp = await api.ok('GET /keywords/{keywordId}/serp', { params, query: {} }, account);
    expect(serp).toMatchObject({ date: firstDay, provider: 'itunes' });
  });

  test('is never another one’s: its results leave a gap with the reason', async () => {
    await beginSeries(secondDay, 'web');
    await pipeline.runDay(secondDay);
    const [second, first] = (await ranks()).filter(({ date }) => date <= secondDay);
    expect(second).toMatchObject({ date: secondDay, state: 'not_checked', reason: 'store_error' });
    expect(first).toMatchObject({ date: firstDay, provider: 'itunes' });
    const { rows } = await pipeline.db.pool.query('select marker from market_gaps');
    expect(rows).toEqual([{ marker: 'other-provider' }]);
    const stored = await pipeline.db.pool.query('select on_date::text as day from serps');
    expect(stored.rows).toEqual([{ day: firstDay }]);
  });

  test('is that of each day after a change', async () => {
    await beginSeries(thirdDay, 'itunes');
    await pipeline.runDay(thirdDay);
    expect((await ranks()).map((rank) => ('provider' in rank ? rank.provider : null))).toEqual([
      'itunes',
      null,
      'itunes',
    ]);
    await pipeline.db.pool.query(
      "update position_series set provider = 'mzstore' where from_day < $1",
      [secondDay],
    );
    expect((await ranks()).map((rank) => ('provider' in rank ? rank.provider : null))).toEqual([
      'itunes',
      null,
      'mzstore',
    ]);
  });
});
