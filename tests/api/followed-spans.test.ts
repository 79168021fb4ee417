import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { inWorkspace } from '#db/database.ts';
import { listAppTexts } from '#db/queries/actions/action-facts.ts';
import { listTextsOfApps } from '#db/queries/listings/own-texts.ts';
import { listOwnTexts } from '#db/queries/scores/keyword-scores.ts';
import { findListingTexts, listCompetitorTexts } from '#db/queries/suggestions/suggestions.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { everyMoveRules } from '../harness/every-move-rules.ts';
import { evaluateAllAlerts, eventsOf } from './alerts.fixtures.ts';
import { insertCompetitor, listingOf, readAt } from './changes.fixtures.ts';
import { exportWorkspace } from './exports.fixtures.ts';
import { insertApp } from './keywords.fixtures.ts';
import { insertCoverage, insertReviews, insertTrackedApp } from './reviews.fixtures.ts';

/**
 * Ann tracks an app in the US and in France from the 1st, and not from the 10th to the 15th. The
 * schedule of these days is that of others, who track the same listing all the time.
 */
let api: TestApi;
let ann: Account;
let number = 71_000;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  api.clock.set('2026-11-01T12:00:00Z');
  const account = await api.signUp();
  ann = { ...account, headers: (await api.token(account)).headers };
  await api.ok('PUT /alerts/rules', { body: { rules: everyMoveRules } }, ann);
});

const day = (date: number) => `2026-11-${String(date).padStart(2, '0')}`;

interface Tracked {
  id: number;
  listingId: number;
  storeAppId: string;
}

async function track(who = ann): Promise<Tracked> {
  const storeAppId = String((number += 1));
  const app = await insertTrackedApp(api, who, { storeAppId, since: day(1), countries: ['fr'] });
  return { ...app, storeAppId };
}

/** Each reading finds a new name, rating and review. */
async function read(app: Tracked, country: string, ...days: number[]): Promise<void> {
  for (const date of days) {
    const at = `${day(date)}T03:00:00Z`;
    const over = { name: `Name ${date}`, ratingCount: 1000 + date };
    await readAt(api, app.storeAppId, at, over, country);
    await insertReviews(api, app, [
      {
        country,
        storeReviewId: `${country}-${date}`,
        rating: 1,
        reviewedAt: `${day(date)}T02:00:00Z`,
        firstSeenAt: at,
      },
    ]);
    await insertCoverage(api, app, { country, syncedAt: at });
    api.clock.set(`${day(date)}T04:00:00Z`);
    await evaluateAllAlerts(api);
  }
}

const keywordOf = async (app: Tracked): Promise<number> =>
  (await api.db.pool.query('select id from keywords where app_id = $1', [app.id])).rows[0].id;

async function pause(app: Tracked, date: number, paused = true): Promise<void> {
  api.clock.set(`${day(date)}T01:00:00Z`);
  const params = { keywordId: await keywordOf(app) };
  await api.ok('PATCH /keywords/{keywordId}', { params, body: { paused } }, ann);
}

/** The days of the snapshots in the export of the workspace. */
const exportedSnapshots = async (): Promise<number[]> =>
  (await exportWorkspace(api, ann))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { table?: string; row?: { takenAt: string } })
    .filter(({ table }) => table === 'snapshots')
    .map(({ row }) => Number(row!.takenAt.slice(8, 10)));

/** The days, by their number, of everything that the workspace sees of the app in a country. */
async function seen(app: Tracked, country: string) {
  const params = { id: app.id };
  const range = { from: day(1), to: day(28) };
  const dayOf = (at: string | null | undefined) => (at ? Number(at.slice(8, 10)) : null);
  const days = (list: (string | null)[]) => list.map(dayOf).toReversed();
  const { items: ratings } = await api.ok(
    'GET /apps/{id}/ratings',
    { params, query: { ...range, country } },
    ann,
  );
  const { items: changes } = await api.ok(
    'GET /changes',
    { query: { ...range, appId: app.id, country } },
    ann,
  );
  const { items: snapshots } = await api.ok(
    'GET /apps/{id}/snapshots',
    { params, query: { ...range, country } },
    ann,
  );
  const { items: reviews } = await api.ok(
    'GET /apps/{id}/reviews',
    { params, query: { ...range, country } },
    ann,
  );
  const stats = await api.ok(
    'GET /apps/{id}/reviews/stats',
    { params, query: { ...range, country, by: 'day' } },
    ann,
  );
  const exported = async (kind: string) =>
    (await api.raw(`/apps/${app.id}/exports/${kind}?from=${day(1)}&to=${day(28)}`, {}, ann)).body
      .items as Record<string, string>[];
  const ofCountry = (items: Record<string, string>[]) =>
    items.filter((item) => item['country'] === country);
  // Exports have the same rules, whatever they write.
  expect(ofCountry(await exported('listing-days')).map((item) => item['date'])).toEqual(
    ratings.map(({ date }) => date),
  );
  expect(ofCountry(await exported('changes')).map((item) => Number(item['id']))).toEqual(
    changes.map(({ id }) => id),
  );
  expect(ofCountry(await exported('reviews')).map((item) => Number(item['id']))).toEqual(
    reviews.map(({ id }) => id),
  );
  const events = (await eventsOf(api, ann)) as {
    type: string;
    data: { country: string; date: string; writtenAt: string; changedAt?: string };
  }[];
  const ofType = (type: string) => events.filter((one) => one.type === type);
  return {
    ratings: days(ratings.map(({ date }) => date)),
    changes: days(changes.map(({ detectedAt }) => detectedAt)),
    snapshots: days(snapshots.map(({ takenAt }) => takenAt)),
    superseded: days(snapshots.map(({ supersededAt }) => supersededAt)),
    reviews: days(reviews.map(({ reviewedAt }) => reviewedAt)),
    stats: stats.items.filter(({ count }) => count > 0).map(({ key }) => dayOf(key)),
    synced: dayOf(stats.coverage[0]?.syncedAt),
    changeEvents: ofType('metadata.changed').filter(({ data }) => data.country === country).length,
    reviewEvents: ofType('review.negative')
      .filter(({ data }) => data.country === country)
      .map(({ data }) => dayOf(data.writtenAt))
      .toSorted((a, b) => a! - b!),
  };
}

describe('what others have read while a workspace did not follow a listing is hidden', () => {
  test('in a country whose keywords are paused', async () => {
    const app = await track();
    await read(app, 'fr', 8, 9);
    await pause(app, 10);
    const before = await seen(app, 'fr');
    expect(before).toEqual({
      ratings: [8, 9],
      changes: [9],
      snapshots: [8, 9],
      superseded: [9, null],
      reviews: [8, 9],
      stats: [8, 9],
      synced: 9,
      changeEvents: 1,
      reviewEvents: [8, 9],
    });
    await read(app, 'fr', 11, 12);
    expect(await seen(app, 'fr')).toEqual(before);
    expect(await exportedSnapshots()).toEqual([9, 8]);

    // The primary country has no keyword, and is followed as long as the app is live.
    await read(app, 'us', 11, 12);
    expect(await seen(app, 'us')).toMatchObject({
      ratings: [11, 12],
      changes: [12],
      reviews: [11, 12],
      changeEvents: 1,
    });
  });

  test('and stays hidden when a keyword is tracked again', async () => {
    const app = await track();
    await read(app, 'fr', 8, 9);
    await pause(app, 10);
    await read(app, 'fr', 11, 12);
    await pause(app, 15, false);
    const resumed = await seen(app, 'fr');
    expect(resumed).toMatchObject({ ratings: [8, 9], changes: [9], snapshots: [8, 9] });
    expect(resumed).toMatchObject({ reviews: [8, 9], synced: 9, superseded: [9, null] });
    await read(app, 'fr', 16, 17);
    expect(await seen(app, 'fr')).toEqual({
      ratings: [8, 9, 16, 17],
      // The change of the 16th began while nobody of the workspace followed the country.
      changes: [9, 17],
      snapshots: [8, 9, 16, 17],
      superseded: [9, 16, 17, null],
      // Its own reading of the 16th would have found those of the 11th and 12th.
      reviews: [8, 9, 11, 12, 16, 17],
      stats: [8, 9, 11, 12, 16, 17],
      synced: 17,
      changeEvents: 2,
      reviewEvents: [8, 9, 11, 12, 16, 17],
    });
    const { items } = await api.ok('GET /apps/{id}/reviews', { params: { id: app.id } }, ann);
    expect(items.map(({ firstSeenAt }) => firstSeenAt?.slice(8, 10) ?? null)).toEqual([
      '17',
      '16',
      null,
      null,
      '09',
      '08',
    ]);
  });

  test('in a country whose keyword was removed and restored', async () => {
    const app = await track();
    await read(app, 'fr', 8, 9);
    api.clock.set(`${day(10)}T01:00:00Z`);
    const keywordId = await keywordOf(app);
    await api.ok('DELETE /keywords/{keywordId}', { params: { keywordId } }, ann);
    await read(app, 'fr', 11, 12);
    api.clock.set(`${day(15)}T01:00:00Z`);
    await api.ok(
      'POST /apps/{id}/removed-keywords/restore',
      { params: { id: app.id }, body: { ids: [keywordId] } },
      ann,
    );
    expect(await seen(app, 'fr')).toMatchObject({
      ratings: [8, 9],
      changes: [9],
      snapshots: [8, 9],
      reviews: [8, 9],
    });
  });

  test('of an archived app, and of the time away once it is restored', async () => {
    const app = await track();
    const params = { id: app.id };
    const brief = async () => {
      const app_ = await api.ok(
        'GET /apps/{id}',
        { params, query: { include: 'latestSnapshot' } },
        ann,
      );
      const { lastSnapshotAt, ratingCount, name, latestSnapshot, archived } = app_;
      const listed = await api.ok(
        'GET /apps',
        { query: { archived: String(archived) as never } },
        ann,
      );
      expect(listed.items.find(({ id }) => id === app.id)).toMatchObject({
        lastSnapshotAt,
        ratingCount,
        name,
      });
      return [lastSnapshotAt?.slice(8, 13), ratingCount, name, latestSnapshot?.name];
    };
    await read(app, 'us', 8, 9);
    await read(app, 'fr', 8, 9);
    api.clock.set(`${day(10)}T01:00:00Z`);
    await api.ok('PATCH /apps/{id}', { params, body: { archived: true } }, ann);
    const [us, fr] = [await seen(app, 'us'), await seen(app, 'fr')];
    expect(us).toMatchObject({ ratings: [8, 9], changes: [9], reviews: [8, 9], synced: 9 });
    // The same change in both countries is one event.
    expect(fr).toEqual({ ...us, changeEvents: 0 });
    const facts = ['09T03', 1009, 'Name 9', 'Name 9'];
    expect(await brief()).toEqual(facts);
    // The reading of the 10th came after the archiving.
    await read(app, 'us', 10, 11, 12);
    await read(app, 'fr', 11, 12);
    expect([await seen(app, 'us'), await seen(app, 'fr')]).toEqual([us, fr]);
    expect(await brief()).toEqual(facts);

    api.clock.set(`${day(15)}T05:00:00Z`);
    await api.ok('POST /apps/{id}/restore', { params }, ann);
    expect([await seen(app, 'us'), await seen(app, 'fr')]).toEqual([us, fr]);
    expect(await brief()).toEqual(facts);

    const listing = listingOf(app.storeAppId, { name: 'Name 15', ratingCount: 1015 });
    vi.spyOn(api.services.stores.ios, 'listings').mockResolvedValueOnce({
      found: [listing],
      missing: [],
      language: 'en',
      cost: { requests: 1, bytes: 1, ms: 1 },
    });
    const { previous, changes } = await api.ok('POST /apps/{id}/refresh', { params }, ann);
    expect([previous?.takenAt.slice(8, 13), previous?.name, previous?.ratingCount]).toEqual([
      '09T03',
      'Name 9',
      1009,
    ]);
    expect(changes).toEqual([
      { field: 'name', before: 'Name 9', after: 'Name 15' },
      { field: 'ratingCount', before: 1009, after: 1015 },
    ]);
    await read(app, 'us', 16, 17);
    expect(await brief()).toEqual(['17T03', 1017, 'Name 17', 'Name 17']);
    expect(await seen(app, 'us')).toMatchObject({
      ratings: [8, 9, 15, 16, 17],
      changes: [9, 16, 17],
      snapshots: [8, 9, 15, 16, 17],
      changeEvents: 3,
    });
  });

  test('on the day of the restore with no instant from before it', async () => {
    const app = await track();
    const params = { id: app.id };
    await read(app, 'us', 9);
    api.clock.set(`${day(10)}T01:00:00Z`);
    await api.ok('PATCH /apps/{id}', { params, body: { archived: true } }, ann);
    await read(app, 'us', 15);
    api.clock.set(`${day(15)}T05:00:00Z`);
    await api.ok('POST /apps/{id}/restore', { params }, ann);
    const { lastSnapshotAt, ratingCount } = await api.ok('GET /apps/{id}', { params }, ann);
    expect([lastSnapshotAt, ratingCount]).toEqual([`${day(15)}T05:00:00.000Z`, 1015]);
    const { items } = await api.ok('GET /apps/{id}/ratings', { params, query: {} }, ann);
    expect(items.map(({ date }) => date)).toEqual([day(15), day(9)]);
  });
});

test('the newest texts are those of the newest reading of the workspace', async () => {
  const app = await track();
  const bob = await api.signUp();
  const competitors = [await track(bob), await track(bob), await track(bob)];
  for (const [index, { listingId }] of competitors.entries()) {
    const since = `${day(index === 1 ? 11 : 1)}T09:00:00Z`;
    const ids = { workspaceId: ann.workspaceId, appId: app.id, listingId };
    await insertCompetitor(api, { ...ids, since });
  }
  // The last one was removed and added again.
  await api.db.pool.query('update competitors set archived_spans = $2 where listing_id = $1', [
    competitors[2]!.listingId,
    JSON.stringify([[`${day(9)}T01:00:00Z`, `${day(15)}T04:00:00Z`]]),
  ]);
  const texts = () =>
    inWorkspace(api.db.appDb, ann.workspaceId, async (tx) => {
      const [here, elsewhere] = [
        { appId: app.id, listingId: app.listingId, country: 'fr' },
        { appId: app.id, listingId: app.listingId, country: 'de' },
      ];
      const own = await findListingTexts(tx, ann.workspaceId, app.id, 'fr');
      const others = await listCompetitorTexts(tx, ann.workspaceId, app.id, 'fr');
      return {
        own: [own!.name, own!.takenAt?.getUTCDate()],
        ofApps: (await listTextsOfApps(tx, ann.workspaceId, [here])).map(({ title }) => title),
        ofActions: (await listAppTexts(tx, ann.workspaceId, app.id)).map((text) => [
          text.name,
          text.readOn,
        ]),
        ofScores: (await listOwnTexts(tx, [here, elsewhere])).flatMap((text) =>
          text.description === null ? [] : [`${text.country} ${text.name}`],
        ),
        competitors: others.map((text) => text.description && text.name),
      };
    });
  const read_ = async (...days: number[]) => {
    for (const one of [app, ...competitors]) await read(one, 'fr', ...days);
    await read(app, 'de', ...days);
  };
  await read_(8, 9);
  const ofDay = (date: number, second: string | null, third: string) => ({
    own: [`Name ${date}`, date],
    ofApps: [`Name ${date}`],
    ofActions: [[`Name ${date}`, day(date)]],
    ofScores: [`fr Name ${date}`],
    competitors: [`Name ${date}`, second, third],
  });
  const before = ofDay(9, null, 'Name 8');
  expect(await texts()).toEqual(before);
  await pause(app, 10);
  await read_(12);
  expect(await texts()).toEqual(before);
  await pause(app, 15, false);
  expect(await texts()).toEqual(before);
  await read_(16);
  expect(await texts()).toEqual(ofDay(16, 'Name 16', 'Name 16'));
});

test('texts that were known before the first reading have no instant from before it', async () => {
  const app = await track();
  await readAt(api, app.storeAppId, '2026-10-20T03:00:00Z');
  const { latestSnapshot } = await api.ok(
    'GET /apps/{id}',
    { params: { id: app.id }, query: { include: 'latestSnapshot' } },
    ann,
  );
  expect(latestSnapshot?.takenAt).toBe(`${day(1)}T08:00:00.000Z`);
});

test('the first event about a review comes with a reading of its storefront', async () => {
  await api.ok('PUT /alerts/rules', { body: { rules: [] } }, ann);
  const app = await track();
  await read(app, 'fr', 9);
  await pause(app, 10);
  await read(app, 'fr', 12);
  const countries = async () =>
    ((await eventsOf(api, ann)) as { type: string; data: { country: string } }[])
      .filter(({ type }) => type === 'review.negative')
      .map(({ data }) => data.country);
  const tested = async () =>
    (await api.ok('POST /alerts/rules/backtest', { body: { days: 30 } }, ann)).counts[
      'review.negative'
    ];
  expect([await countries(), await tested()]).toEqual([['fr'], 1]);
  await pause(app, 15, false);
  await insertCoverage(api, app, { country: 'us', syncedAt: `${day(15)}T03:00:00Z` });
  api.clock.set(`${day(15)}T04:00:00Z`);
  await evaluateAllAlerts(api);
  expect([await countries(), await tested()]).toEqual([['fr'], 1]);
  await insertCoverage(api, app, { country: 'fr', syncedAt: `${day(15)}T05:00:00Z` });
  api.clock.set(`${day(15)}T06:00:00Z`);
  await evaluateAllAlerts(api);
  expect([await countries(), await tested()]).toEqual([['fr', 'fr'], 2]);
  // The last reading of the workspace counts after the end of the span, and none of others.
  await pause(app, 16);
  await insertCoverage(api, app, { country: 'fr', syncedAt: `${day(18)}T05:00:00Z` });
  api.clock.set(`${day(18)}T06:00:00Z`);
  expect(await tested()).toBe(2);
});

test('an edit and a reply that others have read are not shown', async () => {
  const app = await track();
  await read(app, 'fr', 9);
  await pause(app, 10);
  const reviewId = (
    await api.db.pool.query(
      `update reviews set rating = 5, body = 'edited', edited_at = $2, reviewed_at = $2,
         reply = 'Thanks', reply_at = $2 where listing_id = $1 returning id::int as id`,
      [app.listingId, `${day(12)}T03:00:00Z`],
    )
  ).rows[0].id as number;
  await api.db.pool.query(
    `insert into review_versions (review_id, seen_at, replaced_at, reviewed_at, rating, body)
     values ($1, '${day(9)}T03:00:00Z', '${day(12)}T03:00:00Z', '${day(9)}T02:00:00Z', 1,
       'before')`,
    [reviewId],
  );
  await insertCoverage(api, app, { country: 'fr', syncedAt: `${day(12)}T03:00:00Z` });
  const one = () => api.ok('GET /reviews/{reviewId}', { params: { reviewId } }, ann);
  const asItWas = {
    rating: 1,
    body: 'before',
    reply: null,
    reviewedAt: `${day(9)}T02:00:00.000Z`,
    editedAt: null,
    history: [],
  };
  expect(await one()).toMatchObject(asItWas);
  expect((await seen(app, 'fr')).stats).toEqual([9]);
  const low = await api.ok(
    'GET /apps/{id}/reviews',
    { params: { id: app.id }, query: { rating: '5', from: day(1), to: day(28) } },
    ann,
  );
  expect(low.items).toEqual([]);

  await pause(app, 15, false);
  expect(await one()).toMatchObject(asItWas);
  await insertCoverage(api, app, { country: 'fr', syncedAt: `${day(16)}T03:00:00Z` });
  expect(await one()).toMatchObject({
    rating: 5,
    body: 'edited',
    reply: { text: 'Thanks' },
    firstSeenAt: `${day(9)}T03:00:00.000Z`,
    // Its own reading would have found the edit after it began again.
    editedAt: `${day(15)}T01:00:00.000Z`,
    history: [
      {
        rating: 1,
        body: 'before',
        firstSeenAt: `${day(9)}T03:00:00.000Z`,
        replacedAt: `${day(15)}T01:00:00.000Z`,
      },
    ],
  });
});

test('reviews of a pause reach no further back than a first reading would', async () => {
  const app = await track();
  await read(app, 'fr', 9);
  await pause(app, 10);
  await api.db.pool.query(
    `insert into reviews (listing_id, country, store_review_id, rating, body, reviewed_at,
       first_seen_at)
     select $1, 'fr', 'n' || n, 3, 'text', timestamptz '${day(14)}T00:00:00Z' - n * interval
       '5 minutes', '${day(14)}T02:00:00Z'
     from generate_series(1, 520) n`,
    [app.listingId],
  );
  await pause(app, 15, false);
  const params = { id: app.id };
  const total = async () =>
    (await api.ok('GET /apps/{id}/reviews', { params, query: { limit: 1 } }, ann)).total;
  expect(await total()).toBe(1);
  await insertCoverage(api, app, { country: 'fr', syncedAt: `${day(16)}T03:00:00Z` });
  api.clock.set(`${day(17)}T03:00:00Z`);
  expect(await total()).toBe(501);
  const stats = await api.ok(
    'GET /apps/{id}/reviews/stats',
    { params, query: { country: 'fr', by: 'day', from: day(7), to: day(15) } },
    ann,
  );
  const known = stats.items.filter((item) => item.known).map(({ key }) => Number(key!.slice(8)));
  expect(known).toEqual([7, 8, 9, 13, 14, 15]);
});

test('a competitor, the digest and the run have none of the readings of others', async () => {
  const app = await track();
  const competitor = await insertApp(api, await api.signUp());
  const { rows } = await api.db.pool.query(
    'select store_app_id as id from listings where id = $1',
    [competitor.listingId],
  );
  const other: Tracked = { id: app.id, listingId: competitor.listingId, storeAppId: rows[0].id };
  const since = `${day(1)}T09:00:00Z`;
  const { workspaceId } = ann;
  await insertCompetitor(api, {
    workspaceId,
    appId: app.id,
    listingId: competitor.listingId,
    since,
  });
  await api.db.pool.query(`update workspaces set created_at = '${day(1)}' where id = $1`, [
    workspaceId,
  ]);
  for (const date of [9, 12])
    await api.db.pool.query(
      `insert into runs (date, opened_at, finished_at, state, pressure, shed)
       values ($1::date, $1::date, $1::date, 'finished', '{}', '{}') on conflict do nothing`,
      [day(date)],
    );
  for (const one of [app, other])
    for (const country of ['us', 'fr']) await read(one, country, 8, 9);
  const params = { id: app.id };
  const facts = async () => {
    const list = await api.ok('GET /apps/{id}/competitors', { params, query: {} }, ann);
    const compared = await api.ok(
      'GET /apps/{id}/compare',
      { params, query: { country: 'fr' } },
      ann,
    );
    const runs = await Promise.all(
      [9, 12].map((date) => api.ok('GET /runs/{date}', { params: { date: day(date) } }, ann)),
    );
    return {
      competitor: list.items.map(({ name, lastSnapshotAt }) => [
        name,
        lastSnapshotAt?.slice(8, 10),
      ]),
      compared: compared.items.map(({ snapshot }) => snapshot?.takenAt.slice(8, 10)),
      refreshes: runs.map(({ refreshes }) => [refreshes.planned, refreshes.done]),
    };
  };
  await pause(app, 10);
  for (const country of ['us', 'fr']) await read(app, country, 11, 12);
  await read(other, 'fr', 11, 12);
  expect(await facts()).toEqual({
    competitor: [['Name 9', '09']],
    compared: ['09', '09'],
    refreshes: [
      [2, 2],
      [1, 1],
    ],
  });
  const digest = await inWeek(day(9));
  expect(digest).toMatchObject({ newReviews: 4, metadataChanges: 4, rating: 4.5 });

  api.clock.set(`${day(13)}T01:00:00Z`);
  await api.ok('PATCH /apps/{id}', { params, body: { archived: true } }, ann);
  await read(other, 'us', 14, 15);
  await read(app, 'us', 14, 15);
  expect(await facts()).toMatchObject({ competitor: [['Name 9', '09']], compared: ['09', '09'] });
  const [run] = [await api.ok('GET /runs/{date}', { params: { date: day(14) } }, ann)];
  expect(run.refreshes).toMatchObject({ planned: 0, done: 0 });
});

async function inWeek(week: string) {
  api.clock.set(`${day(17)}T12:00:00Z`);
  const { apps } = (await api.ok('GET /digests/weekly', { query: { week } }, ann)) as {
    apps: { newReviews: number; metadataChanges: number; rating: number | null }[];
  };
  return apps[0];
}

test.each<[periods: unknown[], spans: string[]]>([
  [[['2026-11-01', 50, 36_100]], ['01 10:00:00.5 infinity']],
  [[['2026-11-01', 50, -36_001]], ['01 10:00:00.5 infinity']],
  [[['2026-11-01', 0]], []],
  [
    [
      ['2026-11-01', 50, 36_100],
      ['2026-11-02', 100, 4],
      ['2026-11-03', 0],
      ['2026-11-05', 50, -3_601],
      ['2026-11-07', -1],
    ],
    ['01 10:00:00.5 03 00:00:00', '05 01:00:00 07 00:00:00'],
  ],
  // Paused and tracked again on one day.
  [
    [
      ['2026-11-01', 0],
      ['2026-11-01', 50, -39_601],
    ],
    ['01 11:00:00 infinity'],
  ],
  // An import has periods from before the keyword was created here.
  [[['2026-10-31', 50]], ['2026-10-31 00:00:00 infinity']],
])('the spans of the tracking periods %j are %j', async (periods, spans) => {
  const { rows } = await api.db.pool.query(
    `select concat_ws(' ', lower(span), upper(span)) as span
     from unnest(tracked_spans($1::jsonb, '2026-11-01T10:00:00.5Z')) as span order by 1`,
    [JSON.stringify(periods)],
  );
  const found = rows.map((row) =>
    (row.span as string).replaceAll('2026-11-', '').replaceAll('+00', ''),
  );
  expect(found).toEqual(spans);
});

test('an app has no spans while it is archived, whatever an import says', async () => {
  const spansOf = async (created: string, archived: string | null, spans: string[][]) =>
    (
      await api.db.pool.query('select app_spans($1, $2, $3::jsonb)::text as spans', [
        created,
        archived,
        JSON.stringify(spans),
      ])
    ).rows[0].spans as string;
  const shown = (spans: string) => spans.replaceAll(/2026-11-|:00:00\+00|"/g, '');
  expect(shown(await spansOf(day(1), null, []))).toBe('{[01 00,infinity)}');
  expect(shown(await spansOf(day(1), day(9), [[day(3), day(5)]]))).toBe(
    '{[01 00,03 00),[05 00,09 00)}',
  );
  // It was archived where the file comes from, before it was created here.
  expect(await spansOf(day(5), day(3), [])).toBe('{}');
  expect(shown(await spansOf(day(1), null, [[day(5), day(3)]]))).toBe('{[01 00,infinity)}');
});
