import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { generateActions } from '#domain/insights/actions/generate-actions.ts';
import { maxSearchedForEntrants } from '#domain/insights/actions/thresholds.ts';
import { addDays, listDays } from '#lib/dates.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import {
  generate,
  listTypes,
  scoreMarket,
  insertPositions,
  today,
  trackApp,
  trackKeyword,
  type TrackedApp,
} from './actions.fixtures.ts';
import {
  insertCompetitor,
  insertImportedRanks,
  insertListings,
  insertDailyRank,
  insertSerp,
} from './competitors.fixtures.ts';
import { insertCoverage, insertReviews } from './reviews.fixtures.ts';

let api: TestApi;
let me: Account;
let app: TrackedApp;
/** Listings of nobody's competitors. */
let others: number[];
beforeAll(async () => {
  api = await startApi();
  others = await insertListings(api, 12);
});
beforeEach(async () => {
  me = await api.signUp();
  app = await trackApp(api, me);
});
afterAll(() => api.close());

const days = (position: number | null, count: number) =>
  Array.from({ length: count }, () => position);

async function insertSnapshot(listingId: number, fields: object, country = 'us'): Promise<void> {
  await api.db.pool.query(
    'insert into snapshots (listing_id, country, language, taken_at, content_hash, fields) ' +
      `values ($1, $2, 'en', '2026-11-20T06:00:00Z', '\\x00', $3)`,
    [
      listingId,
      country,
      JSON.stringify({ name: 'Lumen: Habits and Daily Goals', developer: 'Lumen Labs', ...fields }),
    ],
  );
}

/** Open actions of a type, after generating. */
async function find(type: string, account = me) {
  await generate(api, account);
  return (await api.ok('GET /actions', { query: { type, state: 'open' } as never }, account)).items;
}

/** A competitor since 1 October, with its listing. */
async function follow(): Promise<{ id: number; listingId: number }> {
  const { rows } = await api.db.pool.query(
    `insert into listings (store, store_app_id, name) values ('ios', (select (3000000000 + ` +
      `count(*))::text from listings), 'Streaky') returning id`,
  );
  const listingId = rows[0].id as number;
  return {
    id: await insertCompetitor(api, me.workspaceId, {
      appId: app.id,
      listingId,
      since: '2026-10-01T00:00:00Z',
    }),
    listingId,
  };
}

describe('rules of actions', () => {
  test('finds keywords in striking distance', async () => {
    const keyword = await trackKeyword(api, me, app, { phrase: 'habit tracker', traffic: 63 });
    await insertPositions(api, keyword, [12, 11, 11]);
    const [action] = await find('striking-distance');
    expect(action!.evidence).toMatchObject({
      top: 10,
      traffic: 63,
      checks: [{ position: 12 }, { position: 11 }, { date: today, position: 11, depth: 200 }],
    });
  });

  test('finds no fall from the ranks of another tool', async () => {
    const phrase = 'habit tracker';
    const keyword = await trackKeyword(api, me, app, { phrase, since: '2026-11-20', traffic: 63 });
    await insertImportedRanks(api, keyword.id, days(8, 14), '2026-11-19');
    await insertPositions(api, keyword, days(21, 2));
    expect(await find('rank-drop')).toEqual([]);
  });

  test('finds a keyword missing in all texts, if the subtitle or field is known', async () => {
    const keyword = await trackKeyword(api, me, app, {
      phrase: 'habit tracker',
      traffic: 90,
      difficulty: 20,
    });
    await insertPositions(api, keyword, [20]);
    await insertSnapshot(app.listingId, { subtitle: null });
    expect(await find('missing-keyword')).toEqual([]);
    await api.db.pool.query(
      "insert into store_tasks (store, kind, country, listing_id, read_on) values ('ios', " +
        "'page', 'us', $1, '2026-11-20')",
      [app.listingId],
    );
    const [action] = await find('missing-keyword');
    expect(action!.evidence).toMatchObject({
      missing: ['habit', 'tracker'],
      subtitle: null,
      keywordFields: null,
      keywordFieldLocales: [],
      textsReadOn: '2026-11-20',
      traffic: 90,
    });
    expect(action!.reason).toContain('no keyword field is saved here');
    await api.ok(
      'PUT /apps/{id}/keyword-field',
      { params: { id: app.id }, body: { text: 'habit, tracker', locale: 'en-US' } },
      me,
    );
    expect(await find('missing-keyword')).toEqual([]);
  });

  test('finds waste in the newest version of the keyword field', async () => {
    await insertSnapshot(app.listingId, { subtitle: 'Streaks' });
    const save = (text: string) =>
      api.ok('PUT /apps/{id}/keyword-field', { params: { id: app.id }, body: { text } }, me);
    await save('streaks,the,meditation');
    const [action] = await find('keyword-field-waste');
    expect(action!.evidence).toMatchObject({
      wastedWords: [
        { word: 'streaks', because: 'in the subtitle' },
        { word: 'the', because: 'a stop word' },
      ],
      unusedCharacters: 78,
    });
    await save(
      Array.from({ length: 14 }, (_, index) => `wxyzq${'abcdefghijklmn'[index]}`).join(','),
    );
    expect(await find('keyword-field-waste')).toEqual([]);
  });

  test('compares the field of a locale with the listing that shows this locale', async () => {
    await insertSnapshot(app.listingId, { subtitle: 'Streaks' });
    await insertSnapshot(app.listingId, { name: 'Lumen: Ziele', subtitle: 'Routinen' }, 'de');
    const text = `streaks,routinen,${'x'.repeat(83)}`;
    for (const locale of ['de-DE', 'en-US', 'fr-FR'])
      await api.ok(
        'PUT /apps/{id}/keyword-field',
        { params: { id: app.id }, body: { text, locale } },
        me,
      );
    const list = async () =>
      (await find('keyword-field-waste')).map(({ evidence }) => [
        evidence.locale,
        evidence.wastedWords,
        evidence.subtitle,
      ]);
    const because = 'in the subtitle';
    const american = ['en-US', [{ word: 'streaks', because }], 'Streaks'];
    const german = ['de-DE', [{ word: 'routinen', because }], 'Routinen'];
    expect(await list()).toEqual([american]);
    const { id } = await trackKeyword(api, me, app, { phrase: 'gewohnheiten', country: 'de' });
    expect(await list()).toEqual([german, american]);
    await api.ok('DELETE /keywords/{keywordId}', { params: { keywordId: id } }, me);
    expect(await list()).toEqual([german, american]);
  });

  test('suggests phrases that fit an unused title', async () => {
    await insertSnapshot(app.listingId, { name: 'Lumen', subtitle: 'x'.repeat(30) });
    const keyword = await trackKeyword(api, me, app, { phrase: 'habit tracker' });
    const [action] = await find('unused-title');
    expect([action!.evidence.unusedSpaces, action!.keywordIds]).toEqual([
      [{ field: 'title', text: 'Lumen', unused: 25, limit: 30 }],
      [keyword.id],
    ]);
  });

  test('keeps an unused title dismissed when other countries show the same texts', async () => {
    const full = { subtitle: 'x'.repeat(30) };
    const show = async (country: string, name = 'Lumen') => {
      await trackKeyword(api, me, app, { phrase: `habit ${country} ${name.length}`, country });
      await insertSnapshot(app.listingId, { ...full, name }, country);
    };
    await insertSnapshot(app.listingId, full);
    await show('fr');
    const [action] = await find('unused-title');
    expect(action!.evidence.countries).toEqual(['fr']);
    const params = { id: action!.id };
    await api.ok('POST /actions/{id}/dismiss', { params, body: {} }, me);
    await show('de');
    expect(await find('unused-title')).toEqual([]);
    await api.ok('POST /actions/{id}/reopen', { params }, me);
    expect(await find('unused-title')).toMatchObject([
      { id: action!.id, evidence: { countries: ['de', 'fr'] } },
    ]);
    await api.ok('POST /actions/{id}/dismiss', { params, body: {} }, me);
    await show('de', 'Lumen: Ziele');
    const [german, ...others] = await find('unused-title');
    expect([german!.evidence.countries, others]).toEqual([['de'], []]);
    expect(german!.id).not.toBe(action!.id);
  });

  test('finds a competitor that entered the top 10 of stored results', async () => {
    const keyword = await trackKeyword(api, me, app, { phrase: 'habit tracker', traffic: 63 });
    await insertPositions(api, keyword, days(9, 10));
    const competitor = await follow();
    for (const day of listDays(addDays(today, -9), today)) {
      const isIn = day >= addDays(today, -1);
      await insertSerp(
        api,
        keyword.marketId,
        day,
        isIn ? [competitor.listingId, ...others] : others,
      );
    }
    const [action] = await find('competitor-entered');
    expect(action).toMatchObject({ severity: 'high', keywordIds: [keyword.id] });
    expect(action!.evidence).toMatchObject({
      competitorId: competitor.id,
      enteredOn: addDays(today, -1),
      comparedDays: 7,
      position: 1,
      own: { position: 9 },
    });
    expect(action!.reason).toContain(
      `not in the saved results of the 7 checked days before ${addDays(today, -1)};`,
    );
    await insertSerp(api, keyword.marketId, today, others);
    expect(await find('competitor-entered')).toEqual([]);
  });

  test('finds no competitor that entered after fewer than seven checked days', async () => {
    const keyword = await trackKeyword(api, me, app, { phrase: 'sleep tracker', traffic: 63 });
    await insertPositions(api, keyword, days(9, 7));
    const competitor = await follow();
    for (const day of listDays(addDays(today, -6), addDays(today, -1)))
      await insertSerp(api, keyword.marketId, day, others);
    await insertSerp(api, keyword.marketId, today, [competitor.listingId, ...others]);
    expect(await find('competitor-entered')).toEqual([]);
    await insertSerp(api, keyword.marketId, addDays(today, -7), others);
    expect(await find('competitor-entered')).toHaveLength(1);
  });

  test('leaves open what it found on a keyword that is not searched any more', async () => {
    const keyword = await trackKeyword(api, me, app, { phrase: 'mood tracker', traffic: 41 });
    await insertPositions(api, keyword, days(9, 10));
    const competitor = await follow();
    for (const day of listDays(addDays(today, -9), today))
      await insertSerp(
        api,
        keyword.marketId,
        day,
        day === today ? [competitor.listingId, ...others] : others,
      );
    expect(await find('competitor-entered')).toHaveLength(1);
    for (let number = 1; number <= maxSearchedForEntrants; number += 1)
      await trackKeyword(api, me, app, { phrase: `planner ${number}`, traffic: 90 });
    expect(await find('competitor-entered')).toHaveLength(1);
    await insertPositions(api, keyword, [90]);
    await scoreMarket(api, keyword.marketId, { traffic: 20, difficulty: 40 });
    expect(await find('competitor-entered')).toEqual([]);
  });

  test('finds a gap: a competitor has a position and the app was not found', async () => {
    const keyword = await trackKeyword(api, me, app, { phrase: 'habit tracker', traffic: 63 });
    const competitor = await follow();
    await insertPositions(api, keyword, [null]);
    await insertDailyRank(
      api,
      { listingId: competitor.listingId, marketId: keyword.marketId, day: today },
      { position: 6 },
    );
    const [action] = await find('keyword-gap');
    expect(action).toMatchObject({
      severity: 'high',
      evidence: {
        own: { position: null, depth: 200 },
        competitors: [{ competitorId: competitor.id, position: 6 }],
      },
    });
    await insertPositions(api, keyword, [80]);
    expect(await find('keyword-gap')).toEqual([]);
  });

  test('reports a competitor’s change since it was added', async () => {
    const keyword = await trackKeyword(api, me, app, { phrase: 'habit tracker' });
    const competitor = await follow();
    const change = (previousAt: string, after: string) =>
      api.db.pool.query(
        `with s as (
           insert into snapshots (listing_id, country, taken_at, content_hash, fields)
             values ($1, 'us', '2026-11-20T06:00:00Z', '\\x00', '{"name": "Streaky"}') returning id
         )
         insert into changes (listing_id, country, language, field, before, after, detected_at,
           previous_at, snapshot_id)
         select $1, 'us', 'en', 'subtitle', '"Build streaks"', to_jsonb($3::text),
           '2026-11-20T06:00:00Z', $2, id from s`,
        [competitor.listingId, previousAt, after],
      );
    await change('2026-09-20T06:00:00Z', 'Before it was followed');
    expect(await find('competitor-changed')).toEqual([]);
    await change('2026-11-19T06:00:00Z', 'Habit builder');
    const [action] = await find('competitor-changed');
    expect(action).toMatchObject({
      title: 'Streaky changed its subtitle',
      keywordIds: [keyword.id],
      evidence: { competitorId: competitor.id, wordsGained: ['builder', 'habit'] },
    });
    api.clock.set('2026-12-04T12:00:00Z');
    await generate(api, me);
    const token = await api.token(me);
    expect(
      (await api.ok('GET /actions', { query: { type: 'competitor-changed' } as never }, token))
        .items[0],
    ).toMatchObject({
      state: 'resolved',
      resolvedBy: 'gone',
    });
    api.clock.set('2026-11-21T12:00:00Z');
  });

  test('reads all changes of two weeks, and leaves open what it cannot read', async () => {
    const [calm, busy] = [await follow(), await follow()];
    const change = (listingId: number, day: string, field: string, count: number) =>
      api.db.pool.query(
        `with s as (
           insert into snapshots (listing_id, country, taken_at, content_hash, fields)
             values ($1, 'us', $2, '\\x00', '{"name": "Streaky"}') returning id
         )
         insert into changes (listing_id, country, language, field, before, after, detected_at,
           previous_at, snapshot_id)
         select $1, 'us', 'en', $3, '["a", "b"]', to_jsonb(n), $2, '2026-11-01T06:00:00Z', id
           from s, generate_series(1, $4::int) as n`,
        [listingId, `${day}T06:00:00Z`, field, count],
      );
    await change(calm.listingId, '2026-11-12', 'screenshotUrls', 1);
    await change(calm.listingId, '2026-11-12', 'iconUrl', 1);
    const [action] = await find('competitor-changed');
    expect(action!.evidence.changes).toEqual([
      { country: 'us', field: 'iconUrl', before: { items: 2 }, after: 1 },
      { country: 'us', field: 'screenshotUrls', before: { items: 2 }, after: 1 },
    ]);
    await change(busy.listingId, '2026-11-20', 'price', 400);
    const list = async () =>
      (await find('competitor-changed')).map(({ evidence }) => [
        evidence.competitorId,
        evidence.changesInAll,
      ]);
    expect(await list()).toEqual([
      [busy.id, 400],
      [calm.id, 2],
    ]);
    // One of the two changes of the 12th is beyond those that are read.
    await change(busy.listingId, '2026-11-20', 'price', 9_599);
    expect(await list()).toEqual([
      [busy.id, 9_999],
      [calm.id, 2],
    ]);
  });

  test('finds the common topic of low reviews', async () => {
    await insertReviews(api, app, [
      { rating: 1, body: 'The widget is broken' },
      { rating: 2, body: 'widget shows nothing' },
      { rating: 1, title: 'Widget!', body: 'gone' },
      { rating: 5, body: 'love the widget' },
      { rating: 1, body: 'widget', reviewedAt: '2026-10-20T00:00:00Z' },
    ]);
    await insertCoverage(api, app);
    const [action] = await find('review-theme');
    expect(action!.evidence).toMatchObject({
      phrase: 'widget',
      reviews: 3,
      lowReviews: 3,
      stars: [2, 1, 0, 0, 0],
    });
    await api.db.pool.query('update reviews set rating = 5 where listing_id = $1', [app.listingId]);
    expect(await find('review-theme')).toEqual([]);
  });

  test('says of how many low reviews it has examined the newest', async () => {
    await api.db.pool.query(
      `insert into reviews (listing_id, country, store_review_id, rating, body, reviewed_at,
         first_seen_at)
       select $1, 'us', 'many-' || n, 1, 'widget ' || n, '2026-11-20T10:00:00Z',
         '2026-11-20T10:00:00Z'
       from generate_series(1, 612) n`,
      [app.listingId],
    );
    await insertCoverage(api, app);
    const [action] = await find('review-theme');
    expect(action!.evidence).toMatchObject({
      phrase: 'widget',
      reviews: 500,
      lowReviews: 500,
      lowReviewsInAll: 612,
    });
    expect(action!.reason).toContain('100 % of the newest 500 of 612 reviews with 2 stars');
  });

  test('keeps a review topic open while reviews were not read', async () => {
    await insertReviews(api, app, [
      { rating: 1, body: 'widget a' },
      { rating: 1, body: 'widget b' },
      { rating: 1, body: 'widget c' },
    ]);
    await insertCoverage(api, app, { syncedAt: '2026-11-10T09:00:00Z' });
    expect(await find('review-theme')).toHaveLength(1);
    await api.db.pool.query('delete from reviews where listing_id = $1', [app.listingId]);
    expect(await find('review-theme')).toHaveLength(1);
    await insertCoverage(api, app);
    expect(await find('review-theme')).toEqual([]);
  });

  test('finds a rating that fell', async () => {
    const rate = (day: string, rating: number) =>
      api.db.pool.query(
        'insert into listing_days (listing_id, country, on_date, rating, rating_count, ' +
          `read_at) values ($1, 'us', $2::date, $3, 400, $2::date)`,
        [app.listingId, day, rating],
      );
    await rate('2026-10-20', 4.62);
    await rate('2026-11-20', 4.31);
    const [action] = await find('rating-fell');
    expect(action).toMatchObject({
      severity: 'high',
      title: 'The rating in US fell from 4.62 to 4.31',
      evidence: { fall: 0.31, now: { ratingCount: 400 } },
    });
  });

  test('finds a rating that fell in one of all countries', async () => {
    const { rows } = await api.db.pool.query<{ country: string }>(
      'select chr(97 + n / 26) || chr(97 + n % 26) as country from generate_series(0, 174) as n',
    );
    for (const { country } of rows) await trackKeyword(api, me, app, { phrase: 'habit', country });
    await api.db.pool.query(
      `insert into listing_days (listing_id, country, on_date, rating, rating_count, read_at)
       select $1, country, day, case when country = 'gs' and day > '2026-11-01' then 4 else 4.6 end,
         400, day
       from unnest($2::text[]) as country,
         generate_series('2026-10-01'::date, '2026-11-21'::date, '1 day') as day`,
      [app.listingId, rows.map(({ country }) => country)],
    );
    const found = await find('rating-fell');
    expect(found.map(({ evidence }) => evidence.country)).toEqual(['gs']);
  });

  test('finds a hopeless keyword from the days on which it was tracked', async () => {
    const keyword = await trackKeyword(api, me, app, {
      phrase: 'weather',
      traffic: null,
      difficulty: 82,
    });
    await insertPositions(api, keyword, days(null, 25));
    const [action] = await find('hopeless-keyword');
    expect(action).toMatchObject({
      severity: 'low',
      evidence: { difficulty: 82, traffic: null, checks: 25, leastDepth: 200 },
    });
    await api.db.pool.query(
      `update keywords set tracking_periods = '[["2026-11-10", 200]]' where id = $1`,
      [keyword.id],
    );
    expect(await find('hopeless-keyword')).toEqual([]);
  });

  test('suggests countries that the workspace’s other apps show to be worthwhile', async () => {
    const sibling = await trackApp(api, me);
    const stranger = await api.signUp();
    const theirs = await trackApp(api, stranger);
    for (const [index, phrase] of ['habit tracker', 'mood journal', 'daily goals'].entries()) {
      await trackKeyword(api, me, app, { phrase });
      await trackKeyword(api, stranger, theirs, { phrase, country: 'fr', traffic: 80 });
      const keyword = await trackKeyword(api, me, sibling, { phrase, country: 'de' });
      await scoreMarket(api, keyword.marketId, { traffic: 60 + index, difficulty: 40 });
    }
    const found = await find('untracked-country');
    expect(found.map((action) => [action.appId, action.evidence.country])).toEqual([
      [app.id, 'de'],
    ]);
    expect(found[0]!.evidence.phrases).toEqual([
      { phrase: 'daily goals', traffic: 62 },
      { phrase: 'mood journal', traffic: 61 },
      { phrase: 'habit tracker', traffic: 60 },
    ]);
  });

  test('counts every phrase with traffic in every country, however many there are', async () => {
    const sibling = await trackApp(api, me);
    const { rows: phrases } = await api.db.pool.query(
      `with countries as (
         select chr(97 + n / 26) || chr(97 + n % 26) as country from generate_series(0, 19) as n
       ), phrases as (
         select 'untracked ' || n as phrase, case when n = 1 then 49 else 50 + n % 40 end as traffic
         from generate_series(1, 121) as n
       ), here as (
         insert into markets (store, country, device, phrase)
         select 'ios', country, 'iphone', phrase from countries, phrases
         union all select 'ios', 'us', 'iphone', phrase from phrases
         returning id, country, phrase
       ), tracked as (
         insert into keywords (workspace_id, app_id, market_id, country, device, phrase, depth,
           tracking_periods, created_at)
         select $1, case when country = 'us' then $2::int else $3::int end, id, country, 'iphone',
           phrase, 200, '[["2026-10-01", 200]]', '2026-10-01T00:00:00Z' from here
       ), scored as (
         insert into scores (market_id, scored_at, observed_on, traffic, difficulty, formula)
         select here.id, '2026-11-20T06:00:00Z', '2026-11-20', phrases.traffic, 40, 'test'
         from here join phrases using (phrase) where here.country <> 'us'
         returning id, market_id, traffic
       ), current as (
         insert into market_scores (market_id, score_id, scored_at, observed_on, serp_on, traffic,
           difficulty, confidence)
         select market_id, id, '2026-11-20T06:00:00Z', '2026-11-20', '2026-11-20', traffic, 40,
           'high' from scored
       )
       select phrase, traffic from phrases where traffic >= 50 order by traffic desc,
         phrase collate "C"`,
      [me.workspaceId, app.id, sibling.id],
    );
    const found = await find('untracked-country');
    expect(found).toHaveLength(20);
    for (const { evidence } of found)
      expect(evidence).toMatchObject({ phrases: phrases.slice(0, 10), phrasesInAll: 120 });
  });

  test('reports a disabled webhook without its address', async () => {
    await api.db.pool.query(
      `insert into webhooks (workspace_id, url, kind, events, enabled, disabled_by, secret,
         secret_strength, failing_since, failures, created_at)
       values ($1, 'https://hooks.slack.com/services/T0/B0/very-secret', 'slack', '{rank.dropped}',
         false, 'failing', '\\x00', 'strong', '2026-11-15T00:00:00Z', 40, now())`,
      [me.workspaceId],
    );
    const [action] = await find('webhook-failing');
    expect(action).toMatchObject({
      appId: null,
      severity: 'high',
      title: 'The webhook to hooks.slack.com was disabled',
    });
    const { rows } = await api.db.pool.query(
      `select string_agg(a::text, '') || string_agg(e.body, '') as text from actions a, ` +
        'events e where a.workspace_id = $1',
      [me.workspaceId],
    );
    expect(rows[0].text).not.toContain('very-secret');
    await api.db.pool.query('delete from webhooks where workspace_id = $1', [me.workspaceId]);
    expect(await find('webhook-failing')).toEqual([]);
  });

  test('reports days of failed checks, except before tracking and during a pause', async () => {
    const keyword = await trackKeyword(api, me, app, { phrase: 'habit tracker' });
    const gap = (day: string) =>
      api.db.pool.query(
        `insert into market_gaps values ($1, $2, 'store_error', '429') on conflict do nothing`,
        [keyword.marketId, day],
      );
    await insertPositions(api, keyword, [9], '2026-11-17');
    for (const day of ['2026-11-15', '2026-11-19', '2026-11-20', '2026-11-21']) await gap(day);
    const [action] = await find('store-check-failing');
    expect(action).toMatchObject({
      severity: 'high',
      keywordIds: [keyword.id],
      evidence: { since: '2026-11-19', lastOn: today, markers: ['429'], failingKeywords: 1 },
    });
    await api.db.pool.query(
      `update keywords set tracking_periods = '[["2026-10-01", 200], ["2026-11-18", 0], ` +
        `["2026-11-20", 200]]' where id = $1`,
      [keyword.id],
    );
    expect(await find('store-check-failing')).toEqual([]);
    await api.db.pool.query(
      `update keywords set tracking_periods = '[["2026-10-01", 200]]' where id = $1`,
      [keyword.id],
    );
    expect(await find('store-check-failing')).toHaveLength(1);
    await insertPositions(api, keyword, [9]);
    expect(await find('store-check-failing')).toEqual([]);
  });
});

test('the rules ignore archived apps and paused keywords', async () => {
  const keyword = await trackKeyword(api, me, app, { phrase: 'habit tracker', traffic: 63 });
  await insertPositions(api, keyword, [12, 11, 11]);
  await api.db.pool.query('update keywords set paused = true where id = $1', [keyword.id]);
  await generate(api, me);
  expect(await listTypes(api, me)).toEqual([]);
  await api.db.pool.query('update keywords set paused = false where id = $1', [keyword.id]);
  await generate(api, me);
  expect(await listTypes(api, me)).toEqual(['striking-distance']);
  await api.db.pool.query('update apps set archived_at = now() where id = $1', [app.id]);
  await generate(api, me);
  expect(await listTypes(api, me)).toEqual([]);
});

test('an action contains hostile texts of a store unchanged, as data', async () => {
  const competitor = await follow();
  const nasty = `</script><img src=x> \u202E ${'💥'.repeat(300)} "'; drop table actions; --`;
  await api.db.pool.query('update listings set name = $2 where id = $1', [
    competitor.listingId,
    nasty,
  ]);
  const keyword = await trackKeyword(api, me, app, { phrase: `"'; drop -- 💥`, traffic: 63 });
  await insertPositions(api, keyword, [null]);
  await insertDailyRank(
    api,
    { listingId: competitor.listingId, marketId: keyword.marketId, day: today },
    { position: 1 },
  );
  const [action] = await find('keyword-gap');
  expect(action!.title.isWellFormed()).toBe(true);
  expect([...action!.title].length).toBeLessThan(250);
  expect(action!.evidence.phrase).toBe(`"'; drop -- 💥`);
});

test('the number of statements does not depend on the number of keywords', async () => {
  const counted = async (keywords: number) => {
    const account = await api.signUp();
    const own = await trackApp(api, account);
    for (let index = 0; index < keywords; index += 1) {
      await insertPositions(
        api,
        await trackKeyword(api, account, own, {
          phrase: `phrase ${keywords} ${index}`,
          traffic: 63,
        }),
        [12, 11, 11],
      );
    }
    let statements = 0;
    const appDb = api.services.appDb.withPlugin({
      transformQuery: ({ node }) => {
        statements += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    await generateActions(
      { ...api.services, appDb },
      account.workspaceId,
      AbortSignal.timeout(10_000),
    );
    return statements;
  };
  const few = await counted(2);
  expect(few).toBeGreaterThan(10);
  expect(await counted(20)).toBe(few);
});
