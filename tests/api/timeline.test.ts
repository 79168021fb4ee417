import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventSamples } from '#contract/events.ts';
import { inSystem } from '#domain/base/context.ts';
import { emitEvents } from '#domain/alerting/events/emit-events.ts';
import { addDays } from '#lib/dates.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { insertCompetitor, readAt } from './changes.fixtures.ts';
import { describeTables } from './keywords.fixtures.ts';
import { insertCoverage, insertTrackedApp, insertReviews } from './reviews.fixtures.ts';

let api: TestApi;
let ann: Account;
let bob: Account;
beforeAll(async () => {
  api = await startApi();
  ann = await api.signUp();
  bob = await api.signUp();
  await api.db.pool.query(`update workspaces set created_at = '2026-10-01'`);
});
afterAll(() => api.close());

let number = 9_000;
async function follow(account = ann) {
  const storeAppId = String((number += 1));
  return {
    ...(await insertTrackedApp(api, account, {
      storeAppId,
      since: '2026-11-01',
      countries: ['de'],
    })),
    storeAppId,
  };
}

const timeline = (appId: number, query: Record<string, unknown> = {}, account = ann) =>
  api.ok('GET /apps/{id}/timeline', { params: { id: appId }, query }, account);
const lines = async (appId: number, query: Record<string, unknown> = {}) =>
  (await timeline(appId, query)).items.map(({ date, kind, title, countries }) => [
    date,
    kind,
    title,
    countries.join(' '),
  ]);

describe('changes in the timeline', () => {
  test('are one item per fetch for all alike countries, with release notes', async () => {
    const app = await follow();
    for (const country of ['us', 'de']) {
      await readAt(api, app.storeAppId, '2026-11-02T02:00:00Z', {}, country);
      await readAt(
        api,
        app.storeAppId,
        '2026-11-03T02:00:00Z',
        { version: '1.1', releaseNotes: 'Faster.', category: 'Lifestyle' },
        country,
      );
    }
    await readAt(api, app.storeAppId, '2026-11-04T02:00:00Z', {
      version: '1.1',
      category: 'Lifestyle',
      name: 'Lumen',
      description: 'Other.',
    });
    expect(await lines(app.id)).toEqual([
      ['2026-11-04', 'change', 'Changed name to “Lumen”, description', 'us'],
      ['2026-11-03', 'change', 'Changed category', 'de us'],
      ['2026-11-03', 'version', 'Version 1.1', 'de us'],
    ]);
    const { items } = await timeline(app.id);
    expect(items.map(({ fact }) => fact)).toEqual([
      {
        kind: 'change',
        competitorName: null,
        changes: [
          { field: 'name', value: 'Lumen' },
          { field: 'description', value: null },
        ],
      },
      { kind: 'change', competitorName: null, changes: [{ field: 'category', value: null }] },
      { kind: 'version', competitorName: null, version: '1.1' },
    ]);
    const paths = Object.values(items[0]!.links);
    expect(Object.keys(items[0]!.links)).toEqual(['snapshot', 'diff', 'impact']);
    for (const path of paths)
      expect([path, (await api.raw(path, {}, ann)).status]).toEqual([path, 200]);
    const diff = await api.raw(items[0]!.links['diff']!, {}, ann);
    expect(diff.body.fields.map((one: { field: string }) => one.field)).toContain('description');
  });

  test('name competitors, and leave them out on request', async () => {
    const [app, competitor] = [await follow(), await follow(bob)];
    const competitorId = await insertCompetitor(api, {
      workspaceId: ann.workspaceId,
      appId: app.id,
      listingId: competitor.listingId,
      since: '2026-11-01T09:00:00Z',
    });
    await readAt(api, competitor.storeAppId, '2026-11-02T02:00:00Z', { name: 'Competitor' });
    await readAt(api, competitor.storeAppId, '2026-11-03T02:00:00Z', {
      name: 'Competitor',
      priceMicros: 990_000,
      version: '9.9',
    });
    expect(await lines(app.id)).toEqual([
      ['2026-11-03', 'change', 'Competitor: changed price', 'us'],
      ['2026-11-03', 'version', 'Competitor: version 9.9', 'us'],
    ]);
    expect(
      (await timeline(app.id)).items.map(({ competitorId: of, links, fact }) => [
        of,
        'impact' in links,
        fact,
      ]),
    ).toEqual([
      [
        competitorId,
        false,
        {
          kind: 'change',
          competitorName: 'Competitor',
          changes: [{ field: 'price', value: null }],
        },
      ],
      [competitorId, false, { kind: 'version', competitorName: 'Competitor', version: '9.9' }],
    ]);
    for (const query of [{ competitors: 'false' }, { scope: 'own' }, { country: 'de' }])
      expect(await lines(app.id, query)).toEqual([]);
    for (const query of [{ scope: 'competitors' }, { country: 'us' }])
      expect(await lines(app.id, query)).toHaveLength(2);
  });
});

describe('other kinds of timeline items', () => {
  test('group rank events by the day of the check', async () => {
    const app = await follow();
    const event = (
      type: 'rank.improved' | 'rank.dropped',
      keywordId: number,
      date: string,
      appId = app.id,
      workspaceId = ann.workspaceId,
    ) => {
      const sample = eventSamples[type];
      const data = { ...sample, keywordId, to: { ...sample.to, date } };
      return {
        workspaceId,
        type,
        key: `${type} ${keywordId} ${date}`,
        appId,
        occurredAt: new Date('2026-11-20T09:00:00Z'),
        data,
      };
    };
    await inSystem(api.services, (tx) =>
      emitEvents(tx, api.services, [
        event('rank.improved', 12, '2026-11-19'),
        event('rank.improved', 11, '2026-11-19'),
        event('rank.dropped', 12, '2026-11-20'),
        event('rank.dropped', 13, '2026-11-19'),
      ]),
    );
    expect(await lines(app.id, { kind: 'rank' })).toEqual([
      ['2026-11-20', 'rank', '1 keyword fell', ''],
      ['2026-11-19', 'rank', '2 keywords rose, 1 keyword fell', ''],
    ]);
    const [, second] = (await timeline(app.id, { kind: 'rank' })).items;
    expect(second).toMatchObject({
      keywordIds: [11, 12, 13],
      fact: { kind: 'rank', rose: 2, fell: 1 },
      links: { movers: `/apps/${app.id}/rankings/movers?from=2026-11-18&to=2026-11-19` },
    });
    expect((await timeline((await follow(bob)).id, { kind: 'rank' }, bob)).items).toEqual([]);
  });

  test('report a surge of reviews as one day far above those before', async () => {
    const app = await follow();
    for (const country of ['us', 'de']) await insertCoverage(api, app, { country });
    const surgesOn = async (date: string) =>
      (await timeline(app.id, { kind: 'reviews', from: date, to: date })).items.length;
    const days = Array.from({ length: 19 }, (_, index) => addDays('2026-11-02', index));
    await insertReviews(
      api,
      app,
      days.map((day) => ({ reviewedAt: `${day}T10:00:00Z` })),
    );
    await insertReviews(
      api,
      app,
      Array.from({ length: 12 }, (_, index) => ({
        reviewedAt: `2026-11-18T1${index % 10}:30:00Z`,
        country: 'de',
      })),
    );
    expect((await timeline(app.id, { kind: 'reviews' })).items).toMatchObject([
      {
        id: 'reviews:2026-11-18',
        date: '2026-11-18',
        kind: 'reviews',
        title: '13 reviews in a day',
        fact: { kind: 'reviews', count: 13, usual: 0.6, days: 28 },
        links: { reviews: expect.stringContaining('2026-11-18') },
      },
    ]);

    // A day may be one while it lasts, as soon as every country was read on it.
    expect(await surgesOn('2026-11-21')).toBe(0);
    await insertReviews(
      api,
      app,
      Array.from({ length: 20 }, () => ({ reviewedAt: '2026-11-21T01:00:00Z' })),
    );
    expect(await surgesOn('2026-11-21')).toBe(1);
    await insertCoverage(api, app, { country: 'de', syncedAt: '2026-11-20T09:00:00Z' });
    expect(await surgesOn('2026-11-21')).toBe(0);
    // A country whose keywords are paused is not waited for.
    await api.db.pool.query(
      `update keywords set tracking_periods = tracking_periods || '[["2026-11-21", 0]]'
       where app_id = $1 and country = 'de'`,
      [app.id],
    );
    expect(await surgesOn('2026-11-21')).toBe(1);
  });

  test('include annotations, and missed or incomplete runs since the app was added', async () => {
    const app = await follow();
    await api.ok(
      'POST /apps/{id}/annotations',
      { params: { id: app.id }, body: { date: '2026-11-18', text: 'Ads began' } },
      ann,
    );
    const runs = {
      '2026-10-20': 'degraded',
      '2026-11-16': 'finished',
      '2026-11-17': 'overdue',
      '2026-11-19': 'degraded',
      '2026-11-20': 'finished',
    };
    for (const [date, state] of Object.entries(runs)) {
      await api.db.pool.query(
        `insert into runs (date, opened_at, state) values ($1, $1::date + interval '2 ` +
          `hours', $2)`,
        [date, state],
      );
    }
    const query = { from: '2026-11-16' };
    expect(await lines(app.id, query)).toEqual([
      ['2026-11-19', 'run', 'A store responded unreliably during the daily run', ''],
      ['2026-11-18', 'annotation', 'Ads began', ''],
      ['2026-11-18', 'run', 'The daily run was missed', ''],
      ['2026-11-17', 'run', 'The daily run did not finish its day', ''],
    ]);
    const facts = (await timeline(app.id, query)).items.map(
      ({ fact }) => fact && 'fault' in fact && fact.fault,
    );
    expect(facts).toEqual(['degraded', null, 'missed', 'overdue']);
    const dates = (await timeline(app.id, { kind: 'run', from: '2026-10-10' })).items.map(
      (item) => item.date,
    );
    expect(dates.at(-1)).toBe('2026-11-01');
    expect((await timeline(app.id, { ...query, kind: 'annotation,run' })).total).toBe(4);
    await api.db.pool.query('delete from runs');
    expect((await timeline(app.id, { kind: 'run' })).items).toEqual([]);
  });
});

test('the pages return every item once in one order, and refuse foreign cursors', async () => {
  const [app, other] = [await follow(), await follow()];
  for (let index = 0; index < 7; index++) {
    await api.ok(
      'POST /apps/{id}/annotations',
      {
        params: { id: app.id },
        body: { date: `2026-11-0${1 + (index % 3)}`, text: `Note ${index}` },
      },
      ann,
    );
  }
  const whole = await timeline(app.id);
  expect(whole.total).toBe(7);
  const first = await timeline(app.id, { limit: 5 });
  const second = await timeline(app.id, { limit: 5, cursor: first.nextCursor });
  expect([...first.items, ...second.items]).toEqual(whole.items);
  expect([first.total, second.nextCursor]).toEqual([7, null]);
  const wrong = await api.call(
    'GET /apps/{id}/timeline',
    { params: { id: other.id }, query: { cursor: first.nextCursor! } },
    ann,
  );
  expect([wrong.status, wrong.body.code]).toEqual([400, 'invalid_cursor']);
});

test('refuse malformed requests and foreign apps, and allow read-only tokens', async () => {
  const app = await follow();
  const reader = await api.token(ann, { readOnly: true });
  await api.ok('GET /workspace', null, reader);
  const before = await describeTables(api, ['tokens']);
  for (const query of [
    'kind=nothing',
    'from=x',
    'competitors=yes',
    'limit=501',
    'cursor=x',
    'more=1',
    'from=2010-01-01&to=2026-11-01',
  ]) {
    expect([query, (await api.raw(`/apps/${app.id}/timeline?${query}`, {}, ann)).status]).toEqual([
      query,
      400,
    ]);
  }
  const path = `/apps/${app.id}/timeline`;
  expect([
    (await api.raw(path, {}, reader)).status,
    (await api.raw(path)).status,
    (await api.raw(path, {}, bob)).status,
  ]).toEqual([200, 401, 404]);
  expect(await describeTables(api, ['tokens'])).toEqual(before);
});
