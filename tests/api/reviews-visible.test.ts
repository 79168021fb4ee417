import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { syncJobStatus } from '#db/queries/jobs/sync-job-status.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { describeTables } from './keywords.fixtures.ts';
import { insertCoverage, insertTrackedApp, insertReviews } from './reviews.fixtures.ts';
import { jobSync } from '../harness/background-work.ts';

let api: TestApi;
let ann: Account;

beforeAll(async () => {
  api = await startApi();
  ann = await api.signUp();
});
afterAll(() => api.close());

describe('reviews fetched for others before an app is tracked', () => {
  test('are hidden until the next fetch, then shown as by a first fetch', async () => {
    const app = await insertTrackedApp(api, ann, { since: '2026-11-20' });
    const [old, edited, fresh] = await insertReviews(api, app, [
      { reviewedAt: '2026-11-10T00:00:00Z', firstSeenAt: '2026-11-11T00:00:00Z', body: 'old' },
      {
        reviewedAt: '2026-11-12T00:00:00Z',
        firstSeenAt: '2026-11-11T00:00:00Z',
        editedAt: '2026-11-13T00:00:00Z',
        body: 'edited',
      },
      { reviewedAt: '2026-11-20T20:00:00Z', firstSeenAt: '2026-11-21T02:00:00Z', body: 'fresh' },
    ]);
    await api.db.pool.query(
      'insert into review_versions (review_id, seen_at, replaced_at, rating, body) values ' +
        `($1, '2026-11-11T00:00:00Z', '2026-11-13T00:00:00Z', 1, 'before')`,
      [edited],
    );
    await insertCoverage(api, app, {
      syncedAt: '2026-11-19T02:00:00Z',
      exceededAt: '2026-11-15T00:00:00Z',
    });
    const list = async () =>
      (await api.ok('GET /apps/{id}/reviews', { params: { id: app.id } }, ann)).items;
    const one = (reviewId: number) =>
      api.call('GET /reviews/{reviewId}', { params: { reviewId } }, ann);
    expect((await list()).map((item) => item.id)).toEqual([fresh]);
    expect((await one(old!)).status).toBe(404);

    await insertCoverage(api, app, {
      syncedAt: '2026-11-21T02:00:00Z',
      exceededAt: '2026-11-15T00:00:00Z',
    });
    expect((await list()).map((item) => [item.id, item.firstSeenAt, item.editedAt])).toEqual([
      [fresh, '2026-11-21T02:00:00.000Z', null],
      [edited, null, null],
      [old, null, null],
    ]);
    expect((await one(edited!)).body).toMatchObject({
      body: 'edited',
      firstSeenAt: null,
      editedAt: null,
      history: [],
    });
    const stats = await api.ok('GET /apps/{id}/reviews/stats', { params: { id: app.id } }, ann);
    expect(stats.coverage).toEqual([
      {
        country: 'us',
        state: 'whole',
        syncedAt: '2026-11-21T02:00:00.000Z',
        knownFrom: null,
        exceededAt: null,
      },
    ]);
  });

  test('reach no further back than the store would have shown', async () => {
    const app = await insertTrackedApp(api, ann, { since: '2026-11-20' });
    const { rows } = await api.db.pool.query(
      `insert into reviews (listing_id, country, store_review_id, rating, body, reviewed_at,
         first_seen_at)
       select $1, 'us', 'n' || n, 3, 'text', timestamptz '2026-11-19T00:00:00Z' - n * interval
         '10 minutes', '2026-11-19T02:00:00Z'
       from generate_series(1, 520) n returning id`,
      [app.listingId],
    );
    await insertCoverage(api, app, {
      syncedAt: '2026-11-21T02:00:00Z',
      knownFrom: '2026-01-01T00:00:00Z',
    });
    const list = await api.ok(
      'GET /apps/{id}/reviews',
      { params: { id: app.id }, query: { limit: 1 } },
      ann,
    );
    expect(list.total).toBe(500);
    for (const [index, status] of [
      [499, 200],
      [500, 404],
    ] as const) {
      expect(
        (await api.call('GET /reviews/{reviewId}', { params: { reviewId: rows[index].id } }, ann))
          .status,
      ).toBe(status);
    }
    const { coverage } = await api.ok(
      'GET /apps/{id}/reviews/stats',
      { params: { id: app.id } },
      ann,
    );
    expect(coverage).toMatchObject([
      {
        state: 'window',
        knownFrom: new Date(Date.parse('2026-11-19T00:00:00Z') - 500 * 600_000).toISOString(),
      },
    ]);
  });

  test('count for a country from the day of its first keyword', async () => {
    const app = await insertTrackedApp(api, ann, { since: '2026-11-20', countries: ['fr'] });
    await insertReviews(api, app, [
      { country: 'fr', firstSeenAt: '2026-11-19T00:00:00Z', reviewedAt: '2026-11-18T00:00:00Z' },
      { country: 'fr', firstSeenAt: '2026-11-20T05:00:00Z', reviewedAt: '2026-11-19T00:00:00Z' },
    ]);
    const total = async () =>
      (await api.ok('GET /apps/{id}/reviews', { params: { id: app.id } }, ann)).total;
    expect(await total()).toBe(1);
    await insertCoverage(api, app, { country: 'us' });
    expect(await total()).toBe(1);
    await insertCoverage(api, app, { country: 'fr' });
    expect(await total()).toBe(2);
    await api.db.pool.query(`update keywords set archived_at = now() where app_id = $1`, [app.id]);
    expect(await total()).toBe(0);
  });

  test('stay readable for an archived app', async () => {
    const app = await insertTrackedApp(api, ann);
    await insertReviews(api, app, [{ firstSeenAt: '2026-11-20T11:00:00Z' }]);
    await api.ok('PATCH /apps/{id}', { params: { id: app.id }, body: { archived: true } }, ann);
    expect((await api.ok('GET /apps/{id}/reviews', { params: { id: app.id } }, ann)).total).toBe(1);
    const refused = await api.call('POST /apps/{id}/reviews/sync', { params: { id: app.id } }, ann);
    expect([refused.status, refused.body.code]).toEqual([400, 'invalid_request']);
  });
});

describe('refreshing reviews on request', () => {
  const sync = (id: number, by: Parameters<TestApi['call']>[2] = ann) =>
    api.call('POST /apps/{id}/reviews/sync', { params: { id } }, by);
  const storeTasksOf = async (listingId: number) =>
    (
      await api.db.pool.query(
        `select country, urgent_at, completed_on from store_tasks where kind = 'reviews' and ` +
          'listing_id = $1 order by country',
        [listingId],
      )
    ).rows;

  test('enqueues the feeds of the app’s countries once, and the job ends with them', async () => {
    const app = await insertTrackedApp(api, ann, { countries: ['de'] });
    const response = await sync(app.id);
    expect([response.status, response.body.poll]).toEqual([202, `/apps/${app.id}/reviews`]);
    expect(response.body.job).toMatchObject({
      kind: 'review-sync',
      state: 'queued',
      deduped: false,
    });
    const now = api.clock.now();
    expect(await storeTasksOf(app.listingId)).toEqual([
      { country: 'de', urgent_at: now, completed_on: null },
      { country: 'us', urgent_at: now, completed_on: null },
    ]);
    const again = await sync(app.id);
    expect(again.body.job).toMatchObject({
      id: response.body.job.id,
      deduped: true,
    });

    const read = () =>
      api.ok('GET /jobs/{jobId}', { params: { jobId: response.body.job.id } }, ann);
    expect(await read()).toMatchObject({ progress: { done: 0, total: 2 } });
    await api.db.pool.query(
      `update store_tasks set urgent_at = null, completed_on = '2026-11-21', read_on = ` +
        `'2026-11-21' where listing_id = $1`,
      [app.listingId],
    );
    await syncJobStatus(api.services.systemDb, { ...jobSync, now: api.clock.now() });
    expect(await read()).toMatchObject({
      state: 'succeeded',
      result: { path: `/apps/${app.id}/reviews` },
    });

    const later = await sync(app.id);
    expect(later.body.job).toMatchObject({ deduped: false, state: 'queued' });
    expect((await storeTasksOf(app.listingId)).map((row) => row.urgent_at)).toEqual([now, now]);
  });

  test('skips countries that only others track', async () => {
    const mine = await insertTrackedApp(api, ann, { storeAppId: '88001' });
    const ben = await api.signUp();
    const theirs = await insertTrackedApp(api, ben, { storeAppId: '88001', countries: ['jp'] });
    await sync(theirs.id, ben);
    await api.db.pool.query('update store_tasks set urgent_at = null where listing_id = $1', [
      mine.listingId,
    ]);
    await sync(mine.id);
    expect(
      (await storeTasksOf(mine.listingId)).map((row) => [row.country, row.urgent_at !== null]),
    ).toEqual([
      ['jp', false],
      ['us', true],
    ]);
  });

  test('is refused without writes for read-only tokens, others and a full queue', async () => {
    const app = await insertTrackedApp(api, ann);
    const [ben, reader] = [await api.signUp(), await api.token(ann, { readOnly: true })];
    await api.ok('GET /workspace', null, reader);
    const full = await startApi({
      db: api.db,
      deps: { authSecret: api.authSecret },
      services: { queueCapacity: { usedBytes: async () => 96, capBytes: 100 } },
    });
    const before = await describeTables(api, ['tokens']);
    expect((await sync(app.id, reader)).body.code).toBe('read_only_token');
    expect((await sync(app.id, ben)).body.code).toBe('not_found');
    expect(
      (await full.call('POST /apps/{id}/reviews/sync', { params: { id: app.id } }, ann)).body.code,
    ).toBe('queue_full');
    expect(
      (
        await api.raw(
          `/apps/${app.id}/reviews/sync`,
          {
            method: 'POST',
            body: '{"now":true}',
            headers: { 'content-type': 'application/json' },
          },
          ann,
        )
      ).status,
    ).toBe(400);
    expect(await describeTables(api, ['tokens'])).toEqual(before);
    await full.close();
  });
});

describe('a review that Google Play shows in several countries', () => {
  const since = '2026-09-01';
  const begin = async (countries: string[]) => {
    const given = { store: 'android' as const, storeAppId: `com.shared.app${++apps}`, since };
    const app = await insertTrackedApp(api, ann, { ...given, countries });
    for (const country of countries) await insertCoverage(api, app, { country });
    return app;
  };
  const copy = (country: string, firstSeenAt: string) => ({
    storeReviewId: 'shared',
    country,
    firstSeenAt,
    reviewedAt: '2026-11-19T10:00:00Z',
    rating: 1,
  });
  const list = (app: { id: number }, query: Record<string, string> = {}) =>
    api.ok('GET /apps/{id}/reviews', { params: { id: app.id }, query }, ann);
  const countriesOf = async (app: { id: number }, query = {}) => {
    const { items, total } = await list(app, query);
    expect(total).toBe(items.length);
    return items.map(({ country, storeReviewId }) => `${storeReviewId} ${country}`);
  };
  let apps = 0;

  test('counts once, in the country where it was seen first, and is found in each', async () => {
    const app = await begin(['ar', 'cl', 'mx']);
    await insertReviews(api, app, [
      copy('mx', '2026-11-20T02:00:00Z'),
      copy('ar', '2026-11-20T02:00:01Z'),
      { storeReviewId: 'own', country: 'ar', reviewedAt: '2026-11-18T10:00:00Z' },
      copy('cl', '2026-11-20T02:00:02Z'),
    ]);
    expect(await countriesOf(app)).toEqual(['shared mx', 'own ar']);
    expect(await countriesOf(app, { country: 'cl' })).toEqual(['shared cl']);
    const stats = async (query: { by?: 'country' | 'version'; country?: string } = {}) =>
      api.ok('GET /apps/{id}/reviews/stats', { params: { id: app.id }, query }, ann);
    expect((await stats()).total.stars).toEqual([1, 0, 0, 0, 1]);
    expect((await stats({ by: 'version' })).total.count).toBe(2);
    expect((await stats({ country: 'cl' })).total.stars).toEqual([1, 0, 0, 0, 0]);
    const byCountry = (await stats({ by: 'country' })).items;
    expect(new Map(byCountry.map(({ key, count }) => [key, count]))).toEqual(
      new Map([
        ['ar', 1],
        ['cl', 0],
        ['mx', 1],
        ['us', 0],
      ]),
    );
    const topics = await api.ok('GET /apps/{id}/reviews/topics', { params: { id: app.id } }, ann);
    expect(topics).toMatchObject({ examined: 2, total: 2 });
  });

  test('appears once in pages and exports', async () => {
    const app = await begin(['ar', 'mx']);
    await insertReviews(api, app, [
      copy('ar', '2026-11-20T02:00:01Z'),
      copy('mx', '2026-11-20T02:00:00Z'),
      { storeReviewId: 'other', country: 'ar', reviewedAt: '2026-11-18T10:00:00Z' },
    ]);
    const read: string[] = [];
    let cursor: string | null | undefined;
    do {
      const query = { limit: 1, ...(cursor && { cursor }) };
      const page = await api.ok('GET /apps/{id}/reviews', { params: { id: app.id }, query }, ann);
      read.push(...page.items.map(({ storeReviewId }) => storeReviewId));
      cursor = page.nextCursor;
    } while (cursor);
    expect(read).toEqual(['shared', 'other']);
    const exported = await api.raw(`/apps/${app.id}/exports/reviews?format=json`, {}, ann);
    expect(exported.body.items).toMatchObject([{ country: 'mx' }, { country: 'ar' }]);
  });

  test('has the same marks in each country', async () => {
    const app = await begin(['ar', 'mx']);
    const [inMx, inAr] = await insertReviews(api, app, [
      copy('mx', '2026-11-20T02:00:00Z'),
      copy('ar', '2026-11-20T02:00:01Z'),
    ]);
    const marksIn = async (country?: string) => {
      const { items } = await list(app, country === undefined ? {} : { country });
      return items.map(({ id, tags, note, read }) => ({ id, tags, note, read }));
    };
    const update = (reviewId: number, body: object) =>
      api.ok('PATCH /reviews/{reviewId}', { params: { reviewId }, body }, ann);
    await update(inAr!, { note: 'Ask for the device', tags: ['crash'] });
    const marks = { tags: ['crash'], note: 'Ask for the device', read: false };
    for (const [country, id] of [
      [undefined, inMx],
      ['mx', inMx],
      ['ar', inAr],
    ] as const)
      expect(await marksIn(country)).toEqual([{ id, ...marks }]);
    await update(inMx!, { note: null, read: true });
    expect(await marksIn('ar')).toEqual([{ id: inAr, tags: ['crash'], note: null, read: true }]);
    expect(await countriesOf(app, { tag: 'crash' })).toEqual(['shared mx']);
  });

  test('stays in its country when others are added, and moves when its country ends', async () => {
    const app = await begin(['ar', 'mx']);
    await api.db.pool.query(
      `update keywords set created_at = '2026-11-20T12:00:00Z',
         tracking_periods = '[["2026-11-20", 200]]' where app_id = $1 and country = 'ar'`,
      [app.id],
    );
    // Others read it in Argentina before.
    await insertReviews(api, app, [
      copy('ar', '2026-11-19T12:00:00Z'),
      copy('mx', '2026-11-20T02:00:00Z'),
    ]);
    expect(await countriesOf(app, { country: 'ar' })).toEqual(['shared ar']);
    expect(await countriesOf(app)).toEqual(['shared mx']);
    await api.db.pool.query(
      `update keywords set tracking_periods = '[["2026-09-01", 200], ["2026-11-21", 0]]'
       where app_id = $1 and country = 'mx'`,
      [app.id],
    );
    expect(await countriesOf(app)).toEqual(['shared ar']);
  });

  test('is filtered by the text of the country that is still followed', async () => {
    const app = await begin(['gb']);
    await api.db.pool.query(
      `update keywords set tracking_periods = '[["2026-09-01", 200], ["2026-10-20", 0]]'
       where app_id = $1`,
      [app.id],
    );
    const [inGb, inUs] = await insertReviews(api, app, [
      {
        ...copy('gb', '2026-10-01T02:00:00Z'),
        reviewedAt: '2026-09-30T10:00:00Z',
        body: 'Crashes always',
        version: '1.0',
      },
      {
        ...copy('us', '2026-10-01T02:00:01Z'),
        editedAt: '2026-11-20T02:00:00Z',
        rating: 5,
        body: 'They fixed it',
        version: '1.1',
        reply: 'Thanks',
      },
    ]);
    const everyDay = { from: '2026-09-01' };
    const outdated = [
      { rating: '1' },
      { hasReply: 'false' },
      { q: 'crashes' },
      { version: '1.0' },
      { from: '2026-09-01', to: '2026-10-10' },
    ];
    const current = [{}, { rating: '5' }, { hasReply: 'true' }, { q: 'fixed' }, { version: '1.1' }];
    const read = async (query: object) => {
      const response = await list(app, { ...everyDay, ...query });
      expect(response.total).toBe(response.items.length);
      return response.items.map(({ id }) => id);
    };
    for (const query of outdated) {
      expect([query, await read(query)]).toEqual([query, []]);
      expect([query, await read({ ...query, country: 'gb' })]).toEqual([query, [inGb]]);
    }
    for (const query of current) expect([query, await read(query)]).toEqual([query, [inUs]]);
    const path = `/apps/${app.id}/exports/reviews?format=json`;
    const earlier = await api.raw(`${path}&from=2026-09-01&to=2026-10-10`, {}, ann);
    expect(earlier.body.items).toEqual([]);
    const { total } = await api.ok(
      'GET /apps/{id}/reviews/stats',
      { params: { id: app.id }, query: everyDay },
      ann,
    );
    expect(total.stars).toEqual([0, 0, 0, 0, 1]);
  });
});
