import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { keepOrder } from '../harness/keep-order.ts';
import { insertPositions, trackApp, trackKeyword } from './actions.fixtures.ts';
import { insertApp } from './keywords.fixtures.ts';

keepOrder('days follow one another');

let api: TestApi;
let me: Account;
let appId: number;
beforeAll(async () => {
  api = await startApi();
  me = await api.signUp();
  appId = (await insertApp(api, me)).id;
});
afterAll(() => api.close());

const visit = () => api.ok('POST /briefing/visit', null, me);

test('an app without a checked day has an empty briefing', async () => {
  expect(await api.ok('GET /apps/{id}/briefing', { params: { id: appId } }, me)).toEqual({
    appId,
    from: null,
    to: null,
    isSinceVisit: false,
    keywords: 0,
    compared: 0,
    gained: 0,
    lost: 0,
    entered: 0,
    left: 0,
    unchanged: 0,
    notChecked: 0,
    movers: [],
    otherMovers: 0,
  });
});

test('visits of a day count once, and the one before stays known', async () => {
  expect(await visit()).toEqual({ on: '2026-11-21', previousOn: null });
  api.clock.set('2026-11-21T23:00:00Z');
  expect(await visit()).toEqual({ on: '2026-11-21', previousOn: null });
  api.clock.set('2026-11-25T06:00:00Z');
  expect(await visit()).toEqual({ on: '2026-11-25', previousOn: '2026-11-21' });
  expect(await visit()).toEqual({ on: '2026-11-25', previousOn: '2026-11-21' });
  // The clock was set back: nothing is forgotten.
  api.clock.set('2026-11-24T06:00:00Z');
  expect(await visit()).toEqual({ on: '2026-11-25', previousOn: '2026-11-21' });
});

test('the cause is found among thousands of later changes, here and elsewhere', async () => {
  api.clock.set('2026-11-21T22:00:00Z');
  const ann = await api.signUp();
  const app = await trackApp(api, ann);
  await trackKeyword(api, ann, app, { phrase: 'habit tracker', country: 'de' });
  const keyword = await trackKeyword(api, ann, app, { phrase: 'habit tracker' });
  await insertPositions(api, keyword, [30, 18]);
  const insertChanges = (country: string, times: number, at: string, texts: [string, string]) =>
    api.db.pool.query(
      `with shown as (
         insert into snapshots (listing_id, country, language, taken_at, content_hash, fields)
         values ($1, $2, 'en', $4, '\\x00', '{}') returning id
       )
       insert into changes (listing_id, country, language, field, before, after, detected_at,
         previous_at, snapshot_id)
       select $1, $2, 'en', 'name', to_jsonb($5::text), to_jsonb($6::text), $4, '2026-11-19', id
       from shown, generate_series(1, $3)`,
      [app.listingId, country, times, at, ...texts],
    );
  await insertChanges('us', 1, '2026-11-20T06:00:00Z', ['Lumen', 'Lumen: Habit Tracker']);
  await insertChanges('us', 1_200, '2026-11-21T06:00:00Z', ['Lumen A', 'Lumen B']);
  await insertChanges('de', 6_000, '2026-11-21T06:00:00Z', ['Lumen C', 'Lumen D']);
  const { movers } = await api.ok('GET /apps/{id}/briefing', { params: { id: app.id } }, ann);
  expect(movers).toMatchObject([
    { country: 'us', cause: { kind: 'own_change', words: ['habit', 'tracker'] } },
  ]);
});
