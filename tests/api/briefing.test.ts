import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { keepOrder } from '../harness/keep-order.ts';
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
