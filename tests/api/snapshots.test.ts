import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { trackSince, insertCompetitor, readAt } from './changes.fixtures.ts';
import { describeTables, insertApp } from './keywords.fixtures.ts';

let api: TestApi;
let ann: Account;
let bob: Account;
beforeAll(async () => {
  api = await startApi();
  ann = await api.signUp();
  bob = await api.signUp();
});
afterAll(() => api.close());

let number = 7_000;
async function follow(
  account = ann,
  storeAppId = String((number += 1)),
  since = '2026-11-01T09:00:00Z',
) {
  const app = await insertApp(api, account, { storeAppId });
  await trackSince(api, app.id, since);
  return { ...app, storeAppId };
}

const list = (account: Account, id: number, query: Record<string, unknown> = {}) =>
  api.ok('GET /apps/{id}/snapshots', { params: { id }, query }, account);
const statusOf = async (account: Account, id: number) =>
  (await api.raw(`/snapshots/${id}`, {}, account)).status;

describe('the snapshots of an app', () => {
  test('are distinct texts, newest first, with changes and the end of validity', async () => {
    const app = await follow();
    const first = await readAt(api, app.storeAppId, '2026-11-01T09:00:05Z');
    await readAt(api, app.storeAppId, '2026-11-02T02:00:00Z', { ratingCount: 1001 });
    const second = await readAt(api, app.storeAppId, '2026-11-03T02:00:00Z', {
      name: 'Lumen',
      version: '1.1',
    });
    const { items, total } = await list(ann, app.id);
    expect(total).toBe(2);
    expect(items).toEqual([
      {
        id: second.snapshot.id,
        country: 'us',
        language: 'en',
        takenAt: '2026-11-03T02:00:00.000Z',
        supersededAt: null,
        name: 'Lumen',
        version: '1.1',
        changed: ['name', 'version'],
      },
      {
        id: first.snapshot.id,
        country: 'us',
        language: 'en',
        takenAt: '2026-11-01T09:00:05.000Z',
        supersededAt: '2026-11-03T02:00:00.000Z',
        name: 'Lumen: Habit Tracker',
        version: '1.0',
        changed: [],
      },
    ]);
    const idsOf = async (query: object) =>
      (await list(ann, app.id, query as Record<string, unknown>)).items.map((item) => item.id);
    expect(await idsOf({ from: '2026-11-02', to: '2026-11-02' })).toEqual([first.snapshot.id]);
    expect(await idsOf({ from: '2026-11-10' })).toEqual([second.snapshot.id]);
    expect(await idsOf({ country: 'de' })).toEqual([]);
    expect(await idsOf({ locale: 'EN' })).toHaveLength(2);
    expect(await idsOf({ locale: 'de-DE' })).toEqual([]);
    const page = await list(ann, app.id, { limit: 1 });
    expect(
      (await list(ann, app.id, { limit: 1, cursor: page.nextCursor })).items.map((item) => item.id),
    ).toEqual([first.snapshot.id]);
  });

  test('are returned whole, with the day’s numbers and exact big integers', async () => {
    const app = await follow();
    const { snapshot } = await readAt(api, app.storeAppId, '2026-11-02T02:00:00Z', {
      installs: 9_223_372_036_854_775_807n,
    });
    await readAt(api, app.storeAppId, '2026-11-03T02:00:00Z', { installs: 1n });
    const response = await api.raw(`/snapshots/${snapshot.id}`, {}, ann);
    expect(response.text).toContain('"installs":9223372036854775807');
    expect(response.text).toContain('"sizeBytes":9007199254740993');
    expect(response.body).toMatchObject({
      id: snapshot.id,
      appId: app.id,
      competitorId: null,
      takenAt: '2026-11-02T02:00:00.000Z',
      rating: 4.5,
      price: 0,
    });
    const early = await follow(bob, app.storeAppId, '2026-11-03T01:00:00Z');
    const seen = await api.ok('GET /snapshots/{id}', { params: { id: snapshot.id } }, bob);
    expect(seen).toMatchObject({
      appId: early.id,
      takenAt: '2026-11-03T01:00:00.000Z',
      installs: 1,
    });
  });

  test('from before tracking are hidden, except the one that was current then', async () => {
    const app = await follow();
    const first = await readAt(api, app.storeAppId, '2026-11-02T02:00:00Z', { name: 'First' });
    const second = await readAt(api, app.storeAppId, '2026-11-03T02:00:00Z', { name: 'Second' });
    const theirs = await follow(bob, app.storeAppId, '2026-11-05T09:00:00Z');
    expect((await list(bob, theirs.id)).items).toEqual([]);
    expect([
      await statusOf(bob, first.snapshot.id),
      await statusOf(bob, second.snapshot.id),
    ]).toEqual([404, 404]);

    await readAt(api, app.storeAppId, '2026-11-06T02:00:00Z', { name: 'Second' });
    expect((await list(bob, theirs.id)).items).toMatchObject([
      { id: second.snapshot.id, takenAt: '2026-11-05T09:00:00.000Z', changed: [] },
    ]);
    expect([
      await statusOf(bob, first.snapshot.id),
      await statusOf(bob, second.snapshot.id),
    ]).toEqual([404, 200]);

    const carl = await api.signUp();
    const late = await follow(carl, app.storeAppId, '2026-11-07T09:00:00Z');
    const third = await readAt(api, app.storeAppId, '2026-11-07T09:00:05Z', { name: 'Third' });
    expect((await list(carl, late.id)).items.map((item) => [item.id, item.changed])).toEqual([
      [third.snapshot.id, []],
    ]);
    expect(await statusOf(carl, second.snapshot.id)).toBe(404);
    expect((await list(bob, theirs.id)).items.map((item) => item.changed)).toEqual([['name'], []]);
  });

  test('of a competitor are available since it was added, under its app', async () => {
    const app = await follow();
    const competitor = await follow(bob);
    const before = await readAt(api, competitor.storeAppId, '2026-11-02T02:00:00Z', {
      name: 'Competitor',
    });
    const competitorId = await insertCompetitor(api, {
      workspaceId: ann.workspaceId,
      appId: app.id,
      listingId: competitor.listingId,
      since: '2026-11-03T01:00:00Z',
    });
    const after = await readAt(api, competitor.storeAppId, '2026-11-03T02:00:00Z', {
      name: 'Competitor 2',
    });
    expect(
      await api.ok('GET /snapshots/{id}', { params: { id: after.snapshot.id } }, ann),
    ).toMatchObject({ appId: app.id, competitorId });
    expect(await statusOf(ann, before.snapshot.id)).toBe(404);
    expect((await list(ann, app.id)).items).toEqual([]);
  });
});

describe('GET /apps/{id}/snapshots/diff', () => {
  test('returns each differing field, texts word by word, in the given direction', async () => {
    const app = await follow();
    const a = await readAt(api, app.storeAppId, '2026-11-02T02:00:00Z', {
      description: 'Build habits that last.\nStreaks.',
    });
    const b = await readAt(api, app.storeAppId, '2026-11-03T02:00:00Z', {
      description: 'Build better habits that last.\nGoals.',
      screenshotUrls: ['https://a.example/1.png'],
      sizeBytes: 1n,
    });
    const diff = (from: number, to: number) =>
      api.ok(
        'GET /apps/{id}/snapshots/diff',
        { params: { id: app.id }, query: { a: from, b: to } },
        ann,
      );
    const forth = await diff(a.snapshot.id, b.snapshot.id);
    expect([forth.a.id, forth.b.id, forth.a.appId]).toEqual([a.snapshot.id, b.snapshot.id, app.id]);
    expect(forth.fields.map(({ field, ops }) => [field, ops])).toEqual([
      [
        'description',
        [
          { op: 'same', text: 'Build ' },
          { op: 'added', text: 'better ' },
          { op: 'same', text: 'habits that last.\n' },
          { op: 'removed', text: 'Streaks' },
          { op: 'added', text: 'Goals' },
          { op: 'same', text: '.' },
        ],
      ],
      ['screenshotUrls', null],
      ['sizeBytes', null],
    ]);
    expect(forth.fields.at(-1)).toMatchObject({ before: 9_007_199_254_740_993n, after: 1 });
    expect((await diff(b.snapshot.id, a.snapshot.id)).fields[0]!.ops![1]).toEqual({
      op: 'removed',
      text: 'better ',
    });
    expect((await diff(a.snapshot.id, a.snapshot.id)).fields).toEqual([]);
  });

  test('hides snapshots that the workspace may not see, and those of other apps', async () => {
    const [app, other] = [await follow(), await follow()];
    const theirs = await follow(bob);
    const mine = (await readAt(api, app.storeAppId, '2026-11-02T02:00:00Z')).snapshot.id;
    const foreign = [
      (await readAt(api, theirs.storeAppId, '2026-11-02T02:00:00Z')).snapshot.id,
      (await readAt(api, other.storeAppId, '2026-11-02T02:00:00Z')).snapshot.id,
      2_000_000_000,
    ];
    for (const id of foreign) {
      for (const query of [`a=${mine}&b=${id}`, `a=${id}&b=${mine}`]) {
        const response = await api.raw(`/apps/${app.id}/snapshots/diff?${query}`, {}, ann);
        expect([query, response.status, response.body.code]).toEqual([query, 404, 'not_found']);
      }
    }
    expect(
      (await api.raw(`/apps/${app.id}/snapshots/diff?a=${mine}&b=${mine}`, {}, bob)).status,
    ).toBe(404);
  });
});

test('snapshots refuse malformed requests, allow read-only tokens, write nothing', async () => {
  const app = await follow();
  const { snapshot } = await readAt(api, app.storeAppId, '2026-11-02T02:00:00Z');
  const reader = await api.token(ann, { readOnly: true });
  await api.ok('GET /workspace', null, reader);
  const before = await describeTables(api, ['tokens']);
  for (const query of [
    'from=x',
    'locale=../x',
    'country=US',
    'limit=0',
    'cursor=x',
    'more=1',
    'to=2026-11-01&from=2026-11-02',
  ]) {
    expect([query, (await api.raw(`/apps/${app.id}/snapshots?${query}`, {}, ann)).status]).toEqual([
      query,
      400,
    ]);
  }
  for (const query of ['', 'a=1', 'a=0&b=1', 'a=1&b=x', 'a=1&b=9007199254740992']) {
    expect([
      query,
      (await api.raw(`/apps/${app.id}/snapshots/diff?${query}`, {}, ann)).status,
    ]).toEqual([query, 400]);
  }
  for (const path of [`/apps/${app.id}/snapshots`, `/snapshots/${snapshot.id}`]) {
    expect([
      (await api.raw(path, {}, reader)).status,
      (await api.raw(path)).status,
      (await api.raw(path, {}, bob)).status,
    ]).toEqual([200, 401, 404]);
  }
  expect(await describeTables(api, ['tokens'])).toEqual(before);
});
