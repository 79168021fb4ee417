import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestClock } from '#lib/clock.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { keepOrder } from '../harness/keep-order.ts';
import { insertCompetitor, readAt } from './changes.fixtures.ts';
import { insertChart } from './charts.fixtures.ts';
import { insertApp } from './keywords.fixtures.ts';

keepOrder('each test reads names that the next one finds, and the last one replaces a chart');

let api: TestApi;
let me: Account;
let neighbour: Account;
let mine: { id: number; listingId: number };
let theirs: { id: number; listingId: number };
let competitorId: number;
const at = '2026-11-21T01:00:00Z';

/** I track an app in the US with a competitor; a neighbour tracks the same in Germany. */
beforeAll(async () => {
  api = await startApi({ clock: new TestClock('2026-11-20T01:00:00Z') });
  [me, neighbour] = [await api.signUp(), await api.signUp()];
  [mine, theirs] = [
    await insertApp(api, me, { storeAppId: '4711' }),
    await insertApp(api, neighbour, { storeAppId: '4711' }),
  ];
  await api.db.pool.query(`update apps set primary_country = 'de' where id = $1`, [theirs.id]);
  api.clock.set('2026-11-21T12:00:00Z');
  await readAt(api, '4711', at, { name: 'Lumen: Habits' });
  competitorId = (await readAt(api, '4712', at, { name: 'Notes: Journal' })).listingId;
  const since = '2026-11-20T01:00:00Z';
  await insertCompetitor(api, {
    workspaceId: me.workspaceId,
    appId: mine.id,
    listingId: competitorId,
    since,
  });
  for (const country of ['us', 'de'])
    await insertChart(api, { country }, '2026-11-21', [competitorId, mine.listingId]);
});
afterAll(() => api.close());

const chartNames = async (country: string, account: Account) =>
  (await api.ok('GET /charts', { query: { store: 'ios', country } }, account)).items.map(
    ({ name }) => name,
  );

async function shownToMe(): Promise<unknown> {
  const params = { id: mine.id };
  const [apps, competitors] = [
    await api.ok('GET /apps', null, me),
    await api.ok('GET /apps/{id}/competitors', { params }, me),
  ];
  return {
    chart: await chartNames('us', me),
    apps: apps.items.map(({ name }) => name),
    competitors: competitors.items.map(({ name }) => name),
  };
}

test('a reading in another country changes no name in mine, and has its own there', async () => {
  const before = await shownToMe();
  expect(before).toEqual({
    chart: ['Notes: Journal', 'Lumen: Habits'],
    apps: ['Lumen: Habits'],
    competitors: ['Notes: Journal'],
  });
  await readAt(api, '4711', at, { name: 'Lumen: Gewohnheiten' }, 'de', 'de');
  await readAt(api, '4712', at, { name: 'Noten: Tagebuch' }, 'de', 'de');
  expect(await shownToMe()).toEqual(before);
  expect(await chartNames('de', neighbour)).toEqual(['Noten: Tagebuch', 'Lumen: Gewohnheiten']);
});

test('a new name in my country is shown there, and changes none elsewhere', async () => {
  await readAt(api, '4712', '2026-11-22T01:00:00Z', { name: 'Notes: Diary' });
  expect(await chartNames('us', me)).toEqual(['Notes: Diary', 'Lumen: Habits']);
  expect(await chartNames('de', neighbour)).toEqual(['Noten: Tagebuch', 'Lumen: Gewohnheiten']);
});

test('a listing that was read elsewhere alone has no name in my country', async () => {
  const { listingId } = await readAt(api, '4713', at, { name: 'Nur hier' }, 'de', 'de');
  await insertChart(api, { country: 'us' }, '2026-11-21', [listingId]);
  expect(await chartNames('us', me)).toEqual([null]);
});
