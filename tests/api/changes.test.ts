import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CallInput } from '#client/http.ts';
import { addDays } from '#lib/dates.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { seedHistory, type History, type HistoryKeyword } from '../harness/history.ts';
import { keepOrder } from '../harness/keep-order.ts';
import { trackSince, insertCompetitor, readAt } from './changes.fixtures.ts';
import { describeTables, insertApp } from './keywords.fixtures.ts';

keepOrder('the tests of the impact count the changes that exist before they add their own');

let api: TestApi;
let ann: Account;
let bob: Account;
beforeAll(async () => {
  api = await startApi();
  ann = await api.signUp();
  bob = await api.signUp();
});
afterAll(() => api.close());

let number = 5_000;
/** An app of Ann's, tracked since 1 November. */
async function follow(
  account = ann,
  storeAppId = String((number += 1)),
  since = '2026-11-01T09:00:00Z',
) {
  const app = await insertApp(api, account, { storeAppId });
  await trackSince(api, app.id, since);
  return { ...app, storeAppId };
}

const listOf = async (
  account: Account,
  appId: number,
  query: CallInput<'GET /apps/{id}/changes'>['query'] = {},
) => (await api.ok('GET /apps/{id}/changes', { params: { id: appId }, query }, account)).items;
const summaries = (items: Awaited<ReturnType<typeof listOf>>) =>
  items.map(({ field, after, country }) => [country, field, after]);

describe('GET /apps/{id}/changes', () => {
  test('lists each changed field once with both values, newest first', async () => {
    const app = await follow();
    await readAt(api, app.storeAppId, '2026-11-01T09:00:05Z');
    await readAt(api, app.storeAppId, '2026-11-02T02:00:00Z');
    await readAt(api, app.storeAppId, '2026-11-03T02:00:00Z', {
      name: 'Lumen: Habits',
      version: '1.1',
    });
    const { snapshot } = await readAt(api, app.storeAppId, '2026-11-04T02:00:00Z', {
      name: 'Lumen',
      version: '1.1',
      languages: ['EN', 'DE'],
    });
    const items = await listOf(ann, app.id);
    expect(summaries(items)).toEqual([
      ['us', 'languages', ['EN', 'DE']],
      ['us', 'name', 'Lumen'],
      ['us', 'version', '1.1'],
      ['us', 'name', 'Lumen: Habits'],
    ]);
    expect(items[1]).toEqual({
      id: expect.any(Number),
      appId: app.id,
      competitorId: null,
      listing: { store: 'ios', storeAppId: app.storeAppId, name: 'Lumen' },
      country: 'us',
      locale: 'en',
      field: 'name',
      before: 'Lumen: Habits',
      after: 'Lumen',
      version: '1.1',
      detectedAt: '2026-11-04T02:00:00.000Z',
      previousAt: '2026-11-03T02:00:00.000Z',
      snapshotId: snapshot.id,
    });
    expect(summaries(await listOf(ann, app.id, { field: 'version,languages' as never }))).toEqual([
      ['us', 'languages', ['EN', 'DE']],
      ['us', 'version', '1.1'],
    ]);
    expect(
      summaries(await listOf(ann, app.id, { from: '2026-11-03', to: '2026-11-03' })),
    ).toHaveLength(2);
    expect(await listOf(ann, app.id, { country: 'de' })).toEqual([]);
  });

  test('returns each change once over all pages and refuses a foreign cursor', async () => {
    const app = await follow();
    for (let day = 1; day <= 9; day++)
      await readAt(api, app.storeAppId, `2026-11-0${day}T10:00:00Z`, {
        name: `Name ${day}`,
        version: `1.${day}`,
      });
    const seen: number[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof api.ok<'GET /apps/{id}/changes'>>> = await api.ok(
        'GET /apps/{id}/changes',
        { params: { id: app.id }, query: { limit: 3, ...(cursor ? { cursor } : {}) } },
        ann,
      );
      expect(page.total).toBe(16);
      seen.push(...page.items.map((item) => item.id));
      cursor = page.nextCursor;
    } while (cursor);
    expect(seen).toEqual((await listOf(ann, app.id)).map((item) => item.id));
    expect(new Set(seen).size).toBe(16);
    const other = await follow();
    const first = await api.ok(
      'GET /apps/{id}/changes',
      { params: { id: app.id }, query: { limit: 3 } },
      ann,
    );
    for (const wrong of [first.nextCursor!, 'WyJjaGFuZ2VzIiwxXQ', 'x']) {
      const response = await api.call(
        'GET /apps/{id}/changes',
        { params: { id: other.id }, query: { cursor: wrong } },
        ann,
      );
      expect([response.status, response.body.code]).toEqual([400, 'invalid_cursor']);
    }
  });

  test('begins with the first snapshot since the workspace tracks the app', async () => {
    const app = await follow();
    await readAt(api, app.storeAppId, '2026-11-05T02:00:00Z');
    await readAt(api, app.storeAppId, '2026-11-06T02:00:00Z', { name: 'Second' });
    const theirs = await follow(bob, app.storeAppId, '2026-11-06T09:00:00Z');
    // Found after Bob came, but compared with a snapshot from before: it may have changed without
    // him.
    await readAt(api, app.storeAppId, '2026-11-06T09:00:05Z', { name: 'Third' });
    expect(summaries(await listOf(bob, theirs.id))).toEqual([]);
    await readAt(api, app.storeAppId, '2026-11-06T15:00:00Z', { name: 'Fourth' });
    expect(summaries(await listOf(bob, theirs.id))).toEqual([['us', 'name', 'Fourth']]);
    expect(await listOf(ann, app.id)).toHaveLength(3);
  });

  test('covers the countries of the app, each since it is tracked', async () => {
    const app = await follow();
    for (const country of ['de', 'fr', 'jp']) {
      await readAt(api, app.storeAppId, '2026-11-20T02:00:00Z', {}, country);
      await readAt(api, app.storeAppId, '2026-11-20T12:00:00Z', { name: `In ${country}` }, country);
    }
    api.clock.set('2026-11-20T10:00:00Z');
    await api.ok(
      'POST /apps/{id}/keywords',
      { params: { id: app.id }, body: { phrases: ['habit'], countries: ['de', 'fr'] } },
      ann,
    );
    expect(await listOf(ann, app.id)).toEqual([]);
    api.clock.set('2026-11-21T12:00:00Z');
    await readAt(api, app.storeAppId, '2026-11-21T02:00:00Z', { name: 'Zwei' }, 'de');
    await readAt(api, app.storeAppId, '2026-11-21T02:00:00Z', { name: 'Three' }, 'jp');
    expect(summaries(await listOf(ann, app.id))).toEqual([['de', 'name', 'Zwei']]);
  });

  test('separates competitors’ changes from the app’s, since each was added', async () => {
    const app = await follow();
    const competitor = await follow(bob);
    await readAt(api, competitor.storeAppId, '2026-11-02T02:00:00Z', { name: 'Competitor' });
    await readAt(api, competitor.storeAppId, '2026-11-03T02:00:00Z', { name: 'Competitor 2' });
    const competitorId = await insertCompetitor(api, {
      workspaceId: ann.workspaceId,
      appId: app.id,
      listingId: competitor.listingId,
      since: '2026-11-03T01:00:00Z',
    });
    await readAt(api, competitor.storeAppId, '2026-11-04T02:00:00Z', { name: 'Competitor 3' });
    await readAt(api, app.storeAppId, '2026-11-02T02:00:00Z');
    await readAt(api, app.storeAppId, '2026-11-05T02:00:00Z', { name: 'Own' });
    expect((await listOf(ann, app.id)).map((item) => [item.competitorId, item.after])).toEqual([
      [null, 'Own'],
      [competitorId, 'Competitor 3'],
    ]);
    expect(summaries(await listOf(ann, app.id, { scope: 'own' }))).toEqual([['us', 'name', 'Own']]);
    expect(summaries(await listOf(ann, app.id, { scope: 'competitors' }))).toEqual([
      ['us', 'name', 'Competitor 3'],
    ]);
    await api.db.pool.query(`update competitors set archived_at = '2026-11-05' where id = $1`, [
      competitorId,
    ]);
    expect(summaries(await listOf(ann, app.id, { scope: 'competitors' }))).toEqual([]);
  });
});

test('GET /changes lists changes of all active apps once, of shared competitors too', async () => {
  const carl = await api.signUp();
  const [one, two] = [await follow(carl), await follow(carl)];
  await insertCompetitor(api, {
    workspaceId: carl.workspaceId,
    appId: one.id,
    listingId: two.listingId,
    since: '2026-11-01T09:00:00Z',
  });
  for (const app of [one, two]) {
    await readAt(api, app.storeAppId, '2026-11-02T02:00:00Z');
    await readAt(api, app.storeAppId, '2026-11-03T02:00:00Z', { name: `Name of ${app.id}` });
  }
  const list = async (query = {}) =>
    (await api.ok('GET /changes', { query }, carl)).items.map((item) => [
      item.appId,
      item.competitorId !== null,
    ]);
  expect(await list()).toEqual([
    [two.id, false],
    [one.id, false],
  ]);
  expect(await list({ scope: 'competitors' })).toEqual([[one.id, true]]);
  expect(await list({ appId: two.id })).toEqual([[two.id, false]]);
  await api.ok('PATCH /apps/{id}', { params: { id: two.id }, body: { archived: true } }, carl);
  expect(await list()).toEqual([
    [one.id, true],
    [one.id, false],
  ]);
  expect((await api.call('GET /changes', { query: { appId: two.id } }, bob)).status).toBe(404);
  expect((await api.ok('GET /changes', null, await api.signUp())).items).toEqual([]);
});

describe('GET /changes/{id}/impact', () => {
  const changedOn = '2026-11-10';
  let past: History;
  let storeAppId: string;
  let titleId: number;
  let own: HistoryKeyword[];

  /** 120 markets of one app in six countries, 20 of them in the US: every sixth. */
  beforeAll(async () => {
    past = await seedHistory(api.db.pool, {
      workspaceId: ann.workspaceId,
      apps: 1,
      markets: 120,
      days: 40,
      lastDay: '2026-11-21',
      gapShare: 0.2,
    });
    const { rows } = await api.db.pool.query(
      'select l.store_app_id as id from apps a join listings l on l.id = a.listing_id where ' +
        'a.id = $1',
      [past.appIds[0]],
    );
    storeAppId = rows[0].id;
    own = past.keywords.filter((keyword) => keyword.number % 6 === 0);
    await readAt(api, storeAppId, `${addDays(changedOn, -1)}T02:00:00Z`, { name: 'Lumen 102 114' });
    await readAt(api, storeAppId, `${changedOn}T02:00:00Z`, {
      name: 'Lumen 0 6 12 18 24 30 36 42 48 114',
      iconUrl: 'https://a.example/other.png',
    });
    titleId = (await listOf(ann, past.appIds[0]!, { field: 'name' as never }))[0]!.id;
  });

  const impactOf = (id: number, windowDays = 11) =>
    api.ok('GET /changes/{id}/impact', { params: { id }, query: { windowDays } }, ann);

  /** Computed from what was written, day by day. */
  function expectGroup(keywords: HistoryKeyword[], windowDays: number) {
    const positions = (keyword: HistoryKeyword, from: string, count: number) =>
      Array.from(
        { length: count },
        (_, index) => past.groundTruthOf(keyword, addDays(from, index))?.position ?? null,
      ).filter((position) => position !== null);
    const mean = (values: number[]) =>
      values.reduce((sum, value) => sum + value, 0) / values.length;
    const compared = keywords
      .map(
        (keyword) =>
          [
            positions(keyword, addDays(changedOn, -1 - windowDays), windowDays),
            positions(keyword, addDays(changedOn, 1), windowDays),
          ] as const,
      )
      .filter(([before, after]) => before.length >= 3 && after.length >= 3);
    const gains = compared.map(([before, after]) => mean(before) - mean(after));
    return { count: compared.length, gain: mean(gains) };
  }

  test('compares keywords with added or removed words to others, on checked days', async () => {
    const impact = await impactOf(titleId);
    const isTouched = (keyword: HistoryKeyword) => keyword.number <= 48 || keyword.number === 102;
    const [affected, control] = [
      expectGroup(own.filter(isTouched), 11),
      expectGroup(
        own.filter((keyword) => !isTouched(keyword)),
        11,
      ),
    ];
    expect(affected.count).toBeGreaterThanOrEqual(5);
    expect(impact).toMatchObject({
      windowDays: 11,
      before: { from: '2026-10-29', to: '2026-11-08' },
      after: { from: '2026-11-11', to: '2026-11-21' },
      complete: false,
      words: { gained: ['0', '6', '12', '18', '24', '30', '36', '42', '48'], lost: ['102'] },
      affected: { keywords: 10, compared: affected.count },
      control: { keywords: 10, compared: control.count },
      otherChanges: 1,
      reason: null,
    });
    expect(impact.affected.meanGain).toBeCloseTo(affected.gain, 1);
    expect(impact.control.meanGain).toBeCloseTo(control.gain, 1);
    expect(impact.difference).toBeCloseTo(affected.gain - control.gain, 1);
    expect(impact.interval!.low).toBeLessThan(impact.difference!);
    expect(impact.interval!.high).toBeGreaterThan(impact.difference!);
    expect((await impactOf(titleId, 10)).complete).toBe(true);
  });

  test('gives the reason for a missing figure: image, competitor, too early, too few', async () => {
    const [icon] = await listOf(ann, past.appIds[0]!, { field: 'iconUrl' as never });
    expect(await impactOf(icon!.id)).toMatchObject({
      reason: 'no_words',
      difference: null,
      affected: { keywords: 0 },
      control: { keywords: 20 },
    });

    await readAt(api, storeAppId, '2026-11-21T03:00:00Z', {
      name: 'Lumen',
      iconUrl: 'https://a.example/other.png',
    });
    const [fresh] = await listOf(ann, past.appIds[0]!, { field: 'name' as never });
    expect(await impactOf(fresh!.id)).toMatchObject({
      reason: 'too_early',
      after: null,
      difference: null,
    });

    const app = await follow();
    await readAt(api, app.storeAppId, '2026-11-02T02:00:00Z');
    await readAt(api, app.storeAppId, '2026-11-03T02:00:00Z', { name: 'Other' });
    const [lonely] = await listOf(ann, app.id);
    const alone = await impactOf(lonely!.id);
    expect(alone).toMatchObject({
      reason: 'too_few_affected',
      difference: null,
      interval: null,
      affected: { keywords: 0, meanGain: null },
    });
    const competitorId = await insertCompetitor(api, {
      workspaceId: ann.workspaceId,
      appId: past.appIds[0]!,
      listingId: (await follow(bob, '4999')).listingId,
      since: '2026-11-01T09:00:00Z',
    });
    await readAt(api, '4999', '2026-11-02T02:00:00Z');
    await readAt(api, '4999', '2026-11-03T02:00:00Z', { name: 'Competitor' });
    const theirs = (await listOf(ann, past.appIds[0]!, { scope: 'competitors' })).find(
      (item) => item.competitorId === competitorId,
    )!;
    expect(await impactOf(theirs.id)).toMatchObject({
      reason: 'not_own',
      difference: null,
      affected: { keywords: 0 },
    });
  });

  test('returns 404 for another workspace', async () => {
    const theirs = await api.call('GET /changes/{id}/impact', { params: { id: titleId } }, bob);
    const nobodys = await api.call(
      'GET /changes/{id}/impact',
      { params: { id: 2_000_000_000 } },
      bob,
    );
    expect([theirs.status, nobodys.status]).toEqual([404, 404]);
  });
});

test('changes refuse malformed requests, allow read-only tokens and write nothing', async () => {
  const app = await follow();
  const reader = await api.token(ann, { readOnly: true });
  await api.ok('GET /workspace', null, reader);
  const before = await describeTables(api, ['tokens']);
  const queries = [
    'field=nothing',
    'from=2026-02-30',
    'from=2026-11-02&to=2026-11-01',
    'from=2010-01-01&to=2026-01-01',
    'scope=all',
    'limit=501',
    'more=1',
    'country=USA',
    'cursor=%00',
  ];
  for (const path of [`/apps/${app.id}/changes`, '/changes']) {
    for (const query of queries)
      expect([query, (await api.raw(`${path}?${query}`, {}, ann)).status]).toEqual([query, 400]);
    expect((await api.raw(path, {}, reader)).status).toBe(200);
    expect((await api.raw(path)).status).toBe(401);
  }
  for (const query of ['windowDays=0', 'windowDays=61', 'windowDays=1.5', 'more=1']) {
    expect([query, (await api.raw(`/changes/1/impact?${query}`, {}, ann)).status]).toEqual([
      query,
      400,
    ]);
  }
  expect((await api.raw(`/apps/${app.id}/changes`, {}, bob)).status).toBe(404);
  expect(await describeTables(api, ['tokens'])).toEqual(before);
});
