import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { reviewsMax } from '#domain/alerting/alerts/evaluate-review-alerts.ts';
import { everyMoveRules } from '../harness/every-move-rules.ts';
import type { Account, TestApi } from '../harness/api.ts';
import { startApi } from '../harness/api.ts';
import {
  checkDay,
  eventsOf,
  trackPhrase,
  evaluateAllAlerts,
  type Followed,
} from './alerts.fixtures.ts';
import { insertCoverage, insertTrackedApp, insertReviews } from './reviews.fixtures.ts';

let api: TestApi;
let me: Account;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  api.clock.set('2026-11-01T12:00:00Z');
  const account = await api.signUp();
  me = { ...account, headers: (await api.token(account)).headers };
  await reportAll(me);
});

const reportAll = (who: Account) =>
  api.ok('PUT /alerts/rules', { body: { rules: everyMoveRules } }, who);

const dataOf = async (type: string, who: Account = me) =>
  (await eventsOf(api, who))
    .filter((event) => event.type === type)
    .map((event) => event.data as Record<string, unknown>);
const day = (number: number) => `2026-11-${String(number).padStart(2, '0')}`;

describe('an entrant in the top 10', () => {
  const checkAndEvaluate = async (followed: Followed, number: number, order: number[]) => {
    api.clock.set(`${day(number)}T12:00:00Z`);
    await checkDay(api, followed, day(number), 30, { order });
    await evaluateAllAlerts(api);
  };

  it('raises an alert after seven checked days without a position, not for a climb', async () => {
    const followed = await trackPhrase(api, me);
    const usual = followed.otherIds.slice(0, 49);
    const stranger = followed.otherIds[55]!;
    for (let number = 1; number <= 7; number += 1) await checkAndEvaluate(followed, number, usual);
    await checkAndEvaluate(followed, 8, [usual[0]!, stranger, usual[48]!, ...usual.slice(1, 47)]);
    expect(await dataOf('serp.entrant')).toEqual([
      {
        keywordId: followed.keywordId,
        phrase: expect.any(String),
        country: 'us',
        device: 'iphone',
        date: day(8),
        position: 2,
        depth: 200,
        entrant: { store: 'ios', storeAppId: '856', name: 'Competitor 56', developer: 'Maker' },
        competitorId: null,
        daysAbsent: 7,
      },
    ]);
    await checkAndEvaluate(followed, 9, [stranger, ...usual]);
    expect(await dataOf('serp.entrant')).toHaveLength(1);
  });

  it('waits for seven known days, unless the rule asks for fewer', async () => {
    const followed = await trackPhrase(api, me);
    const [usual, stranger] = [followed.otherIds.slice(0, 49), followed.otherIds[55]!];
    for (let number = 1; number <= 3; number += 1) await checkAndEvaluate(followed, number, usual);
    await checkAndEvaluate(followed, 4, [stranger, ...usual]);
    expect(await dataOf('serp.entrant')).toEqual([]);
    const body = { rules: [{ event: 'serp.entrant', minDays: 4, top: 1 }] as never };
    await api.ok('PUT /alerts/rules', { body }, me);
    await checkAndEvaluate(followed, 5, [followed.otherIds[56]!, stranger, ...usual]);
    expect(await dataOf('serp.entrant')).toMatchObject([
      { date: day(5), position: 1, daysAbsent: 4 },
    ]);
  });

  it('raises one alert for all apps of a workspace, and none for its own apps', async () => {
    const followed = await trackPhrase(api, me, { phrase: 'ours alone' });
    const second = await trackPhrase(api, me, { phrase: 'ours alone' });
    const [usual, stranger] = [followed.otherIds.slice(0, 40), followed.otherIds[55]!];
    for (let number = 1; number <= 7; number += 1) await checkAndEvaluate(followed, number, usual);
    await checkAndEvaluate(followed, 8, [stranger, second.listingId, ...usual]);
    expect(await dataOf('serp.entrant')).toMatchObject([
      { keywordId: followed.keywordId, position: 1 },
    ]);
  });
});

describe('low reviews of a day', () => {
  it('are alerts by their milestones unless the rule is about every review', async () => {
    await api.ok('PUT /alerts/rules', { body: { rules: [] } }, me);
    const app = await insertTrackedApp(api, me, { since: '2026-10-01', countries: ['de'] });
    const write = async (at: string, country: string, count: number) => {
      api.clock.set(at);
      await insertReviews(
        api,
        app,
        Array.from({ length: count }, () => ({ country, rating: 1, reviewedAt: at })),
      );
      await insertCoverage(api, app, { country, syncedAt: at });
      await evaluateAllAlerts(api);
      return (await dataOf('review.negative')).map((data) => data.ofDay);
    };
    const first = { date: day(20), number: 1 };
    expect(await write(`${day(20)}T03:00:00.000Z`, 'us', 4)).toEqual([first]);
    expect(await write(`${day(20)}T04:00:00.000Z`, 'de', 5)).toEqual([first]);
    const both = [first, { date: day(20), number: 10 }];
    expect(await write(`${day(20)}T05:00:00.000Z`, 'us', 2)).toEqual(both);
    const next = [...both, { date: day(21), number: 1 }];
    expect(await write(`${day(21)}T03:00:00.000Z`, 'us', 1)).toEqual(next);
    const body = { rules: [], days: 5 };
    const { alerts } = await api.ok('POST /alerts/rules/backtest', { body }, me);
    expect(alerts.map(({ data }) => data).toReversed()).toEqual(await dataOf('review.negative'));
  });

  it('are alerts of each app and day after a flood of others', async () => {
    await api.ok('PUT /alerts/rules', { body: { rules: [] } }, me);
    const [loud, quiet] = [
      await insertTrackedApp(api, me, { since: '2026-10-01', storeAppId: '111111111' }),
      await insertTrackedApp(api, me, { since: '2026-10-01', storeAppId: '222222222' }),
    ];
    for (const date of [day(19), day(20)])
      await api.db.pool.query(
        `insert into reviews (listing_id, country, store_review_id, rating, body, reviewed_at,
           first_seen_at)
         select $1, 'us', $2 || n, 1, '', $2::timestamptz, $2::timestamptz
         from generate_series(1, $3) n`,
        [loud.listingId, `${date}T03:00:00Z`, reviewsMax + 200],
      );
    api.clock.set(`${day(20)}T05:00:00Z`);
    await insertReviews(api, quiet, [
      { storeReviewId: 'quiet', rating: 1, reviewedAt: `${day(20)}T04:00:00Z` },
    ]);
    for (const app of [loud, quiet])
      await insertCoverage(api, app, { syncedAt: `${day(20)}T05:00:00Z` });
    await evaluateAllAlerts(api);
    const { items } = await api.ok('GET /events', { query: { type: 'review.negative' } }, me);
    const numbersOf = (alerts: { data: unknown }[]) =>
      alerts.map(({ data }) => {
        const { storeReviewId, ofDay } = data as {
          storeReviewId: string;
          ofDay: { date: string; number: number };
        };
        const name = storeReviewId.startsWith('quiet') ? 'quiet' : 'loud';
        return `${name} ${ofDay.date} ${ofDay.number}`;
      });
    const expected = [
      ...[1, 10, 100, 1_000].map((number) => `loud ${day(19)} ${number}`),
      ...[1, 10, 100, 1_000].map((number) => `loud ${day(20)} ${number}`),
      `quiet ${day(20)} 1`,
    ].toSorted();
    expect(numbersOf(items).toSorted()).toEqual(expected);
    const body = { rules: [], days: 5 };
    const { alerts } = await api.ok('POST /alerts/rules/backtest', { body }, me);
    expect(numbersOf(alerts).toSorted()).toEqual(expected);
  });
});

describe('low review', () => {
  it('raises one alert, if first seen within seven days of its date', async () => {
    const app = await insertTrackedApp(api, me, { since: '2026-10-01' });
    api.clock.set('2026-11-20T12:00:00Z');
    const seen = { firstSeenAt: '2026-11-20T03:00:00Z' };
    const [reported] = await insertReviews(api, app, [
      {
        ...seen,
        storeReviewId: 'bad-1',
        rating: 2,
        reviewedAt: '2026-11-13T03:00:00Z',
        title: 'Bad',
        body: 'It fails.',
        version: '2.0',
      },
      { ...seen, rating: 1, reviewedAt: '2026-11-13T02:59:59Z' },
      { ...seen, rating: 3, reviewedAt: '2026-11-19T03:00:00Z' },
      { ...seen, rating: 1, reviewedAt: '2026-11-19T03:00:00Z', country: 'de' },
    ]);
    await evaluateAllAlerts(api);
    expect(await dataOf('review.negative')).toEqual([]);
    await insertCoverage(api, app, { syncedAt: '2026-11-20T03:00:00Z' });
    await evaluateAllAlerts(api);
    await api.db.pool.query('update review_coverage set synced_at = $1, is_evaluated = false', [
      api.clock.now(),
    ]);
    await evaluateAllAlerts(api);
    expect(await dataOf('review.negative')).toEqual([
      {
        reviewId: reported,
        storeReviewId: 'bad-1',
        country: 'us',
        rating: 2,
        title: 'Bad',
        text: 'It fails.',
        author: 'Ana',
        version: '2.0',
        writtenAt: '2026-11-13T03:00:00.000Z',
      },
    ]);
  });

  it('raises one alert if Google Play shows it in several countries', async () => {
    const since = '2026-10-01';
    const shared = { store: 'android' as const, storeAppId: 'com.shared.app', since };
    const app = await insertTrackedApp(api, me, { ...shared, countries: ['ar', 'mx'] });
    const review = {
      storeReviewId: 'shared',
      rating: 1,
      reviewedAt: '2026-11-20T01:00:00Z',
    };
    for (const [minute, country] of [
      [1, 'mx'],
      [2, 'ar'],
      [3, 'mx'],
    ] as const) {
      api.clock.set(`2026-11-20T03:0${minute}:00Z`);
      if (minute < 3) await insertReviews(api, app, [{ ...review, country }]);
      await insertCoverage(api, app, { country, syncedAt: `2026-11-20T03:0${minute}:00Z` });
      await evaluateAllAlerts(api);
    }
    expect(await dataOf('review.negative')).toMatchObject([{ country: 'mx' }]);
    // An edit that only the second country shows, because the first one is not followed any more.
    await api.db.pool.query(
      `update keywords set tracking_periods = '[["2026-10-01", 200], ["2026-11-21", 0]]'
       where app_id = $1 and country = 'mx'`,
      [app.id],
    );
    api.clock.set('2026-11-22T03:00:00Z');
    await api.db.pool.query(
      `update reviews set edited_at = $1, reviewed_at = $1, body = 'Still broken'
       where country = 'ar' and listing_id = $2`,
      [api.clock.now(), app.listingId],
    );
    await insertCoverage(api, app, { country: 'ar', syncedAt: '2026-11-22T03:00:00Z' });
    await evaluateAllAlerts(api);
    expect(await dataOf('review.negative')).toMatchObject([
      { country: 'mx' },
      { country: 'ar', text: 'Still broken' },
    ]);
  });

  it('is not missed when the page is written after its fetch was evaluated', async () => {
    const app = await insertTrackedApp(api, me, { since: '2026-10-01' });
    api.clock.set('2026-11-20T12:00:00Z');
    await insertCoverage(api, app, { syncedAt: '2026-11-20T03:00:00Z' });
    await evaluateAllAlerts(api);
    await insertReviews(api, app, [
      { rating: 1, reviewedAt: '2026-11-20T01:00:00Z', firstSeenAt: '2026-11-20T02:59:00Z' },
    ]);
    await insertCoverage(api, app, { syncedAt: '2026-11-20T03:01:00Z' });
    await evaluateAllAlerts(api);
    expect(await dataOf('review.negative')).toHaveLength(1);
  });

  it('raises an alert after a thousand other reviews', async () => {
    const app = await insertTrackedApp(api, me, { since: '2026-10-01' });
    api.clock.set('2026-11-20T12:00:00Z');
    await api.db.pool.query(
      `insert into reviews (listing_id, country, store_review_id, rating, body, reviewed_at,
         first_seen_at)
       select $1, 'us', 'reported-' || n, 1, '', '2026-11-19T01:00:00Z', '2026-11-19T03:00:00Z'
         from generate_series(1, $2) n`,
      [app.listingId, reviewsMax],
    );
    await insertCoverage(api, app, { syncedAt: '2026-11-19T03:00:00Z' });
    await evaluateAllAlerts(api);
    await insertReviews(api, app, [
      {
        rating: 1,
        storeReviewId: 'new',
        reviewedAt: '2026-11-20T01:00:00Z',
        firstSeenAt: '2026-11-20T03:00:00Z',
      },
    ]);
    await insertCoverage(api, app, { syncedAt: '2026-11-20T03:00:00Z' });
    await evaluateAllAlerts(api);
    const { items, total } = await api.ok(
      'GET /events',
      { query: { type: 'review.negative', limit: '1', order: 'desc' } },
      me,
    );
    expect([total, items]).toMatchObject([reviewsMax + 1, [{ data: { storeReviewId: 'new' } }]]);
  });

  it('raises an alert for a new tracker, even if others fetched the review before', async () => {
    const you = await api.signUp();
    await reportAll(you);
    const theirs = await insertTrackedApp(api, you, { storeAppId: '6200', since: '2026-10-01' });
    await insertReviews(api, theirs, [
      { rating: 1, reviewedAt: '2026-11-02T10:00:00Z', firstSeenAt: '2026-11-03T03:00:00Z' },
      { rating: 1, reviewedAt: '2026-11-18T10:00:00Z', firstSeenAt: '2026-11-19T03:00:00Z' },
    ]);
    await insertTrackedApp(api, me, { storeAppId: '6200', since: '2026-11-20' });
    api.clock.set('2026-11-20T12:00:00Z');
    await insertCoverage(api, theirs, { syncedAt: '2026-11-20T04:00:00Z' });
    await evaluateAllAlerts(api);
    expect(await dataOf('review.negative')).toEqual([]);
    await insertCoverage(api, theirs, { syncedAt: '2026-11-20T09:00:00Z' });
    await evaluateAllAlerts(api);
    expect(await dataOf('review.negative')).toMatchObject([
      { writtenAt: '2026-11-18T10:00:00.000Z' },
    ]);
  });
});

describe('changed listing', () => {
  const change = async (
    listingId: number,
    given: { country?: string; previousAt?: string; fields?: string[] } = {},
  ) => {
    const {
      country = 'us',
      previousAt = '2026-11-05T03:00:00Z',
      fields = ['name', 'version'],
    } = given;
    const { rows } = await api.db.pool.query(
      'insert into snapshots (listing_id, country, taken_at, content_hash, fields) values ' +
        `($1, $2, '2026-11-06T03:00:00Z', 'x', '{}') returning id`,
      [listingId, country],
    );
    await api.db.pool.query(
      `insert into changes (listing_id, country, field, before, after, detected_at, previous_at,
         snapshot_id)
       select $1, $2, f, '"old"', '"new"', '2026-11-06T03:00:00Z', $3, $4
         from unnest($5::text[]) f`,
      [listingId, country, previousAt, rows[0].id, fields],
    );
  };
  const addCompetitor = async (app: { id: number }, since: string) => {
    const { rows } = await api.db.pool.query(
      `with l as (insert into listings (store, store_app_id, name) values ('ios', $3, 'Competitor')
         returning id)
       insert into competitors (workspace_id, app_id, listing_id, tracking_periods, followed_at,
         created_at)
         select $1, $2, l.id, '[]', $4, $4 from l returning id, listing_id`,
      [me.workspaceId, app.id, String(Math.floor(performance.now() * 1e6)), since],
    );
    return rows[0] as { id: number; listing_id: number };
  };

  it('raises one alert with all fields, for the app and for its competitors', async () => {
    const app = await insertTrackedApp(api, me, { since: '2026-10-01' });
    const competitor = await addCompetitor(app, '2026-10-02T00:00:00Z');
    await change(app.listingId);
    await change(competitor.listing_id, { fields: ['price'] });
    await evaluateAllAlerts(api);
    await evaluateAllAlerts(api);
    expect(await dataOf('metadata.changed')).toEqual([
      {
        subject: 'app',
        competitorId: null,
        listing: { store: 'ios', storeAppId: expect.any(String), name: 'App', developer: null },
        country: 'us',
        date: day(6),
        previousDate: day(5),
        changes: [
          { field: 'name', before: 'old', after: 'new' },
          { field: 'version', before: 'old', after: 'new' },
        ],
      },
      expect.objectContaining({
        subject: 'competitor',
        competitorId: competitor.id,
        changes: [expect.objectContaining({ field: 'price' })],
      }),
    ]);
  });

  it('raises no alert without a snapshot before, or in a country not tracked', async () => {
    const app = await insertTrackedApp(api, me, { since: '2026-10-01' });
    await change((await addCompetitor(app, '2026-11-05T03:00:01Z')).listing_id);
    await change(app.listingId, { country: 'de' });
    await change(app.listingId, { previousAt: '2026-09-30T03:00:00Z' });
    await evaluateAllAlerts(api);
    expect(await dataOf('metadata.changed')).toEqual([]);
  });

  it('respects rules for certain fields and for competitors only', async () => {
    const app = await insertTrackedApp(api, me, { since: '2026-10-01' });
    const competitor = await addCompetitor(app, '2026-10-02T00:00:00Z');
    const body = {
      rules: [{ event: 'metadata.changed', subjects: ['competitor'], fields: ['name'] }] as never,
    };
    await api.ok('PUT /alerts/rules', { body }, me);
    await change(app.listingId);
    await change(competitor.listing_id);
    await change(competitor.listing_id, { fields: ['version'] });
    await evaluateAllAlerts(api);
    expect(await dataOf('metadata.changed')).toMatchObject([
      { subject: 'competitor', changes: [{ field: 'name' }] },
    ]);
  });

  it('is reported by the first app with a matching rule if apps share a competitor', async () => {
    const first = await insertTrackedApp(api, me, { since: '2026-10-01' });
    const second = await insertTrackedApp(api, me, { since: '2026-10-01' });
    const competitor = await addCompetitor(first, '2026-10-02T00:00:00Z');
    await api.db.pool.query(
      `insert into competitors (workspace_id, app_id, listing_id, tracking_periods, followed_at,
         created_at)
       select workspace_id, $1, listing_id, tracking_periods, followed_at, created_at
         from competitors
         where id = $2`,
      [second.id, competitor.id],
    );
    const rules = [
      { event: 'metadata.changed', scope: { appIds: [second.id] }, fields: ['name'] },
      { event: 'metadata.changed', fields: ['price'] },
    ] as never;
    await api.ok('PUT /alerts/rules', { body: { rules } }, me);
    await change(competitor.listing_id);
    await change(competitor.listing_id, { fields: ['name', 'price'] });
    await evaluateAllAlerts(api);
    const reported = (await eventsOf(api, me)).map(({ app, data }) => [
      app?.id,
      (data as { changes: { field: string }[] }).changes.map(({ field }) => field),
    ]);
    expect(reported).toEqual([
      [second.id, ['name']],
      [first.id, ['price']],
    ]);
    api.clock.set('2026-11-07T12:00:00Z');
    const tried = await api.ok('POST /alerts/rules/backtest', { body: { rules, days: 30 } }, me);
    expect(tried.total).toBe(2);
  });
});

describe('which workspaces get alerts', () => {
  it('each workspace of a market, for its own keyword from its first day', async () => {
    const you = await api.signUp();
    await reportAll(you);
    const mine = await trackPhrase(api, me, { phrase: 'one market' });
    await checkDay(api, mine, day(1), 10);
    api.clock.set(`${day(2)}T02:00:00Z`);
    const theirs = await trackPhrase(api, you, {
      phrase: 'one market',
      app: { id: (await insertTrackedApp(api, you)).id, listingId: mine.listingId },
    });
    expect(theirs.marketId).toBe(mine.marketId);
    await checkDay(api, mine, day(2), 60);
    await evaluateAllAlerts(api);
    expect(await dataOf('rank.dropped')).toMatchObject([{ keywordId: mine.keywordId }]);
    expect(await eventsOf(api, you)).toEqual([]);
  });

  it('none with paused or archived keywords, archived apps, or a suspension', async () => {
    const followed = [
      await trackPhrase(api, me),
      await trackPhrase(api, me),
      await trackPhrase(api, me),
    ];
    for (const one of followed) await checkDay(api, one, day(1), 10);
    api.clock.set(`${day(2)}T01:00:00Z`);
    await api.ok(
      'PATCH /keywords/{keywordId}',
      { params: { keywordId: followed[0]!.keywordId }, body: { paused: true } },
      me,
    );
    await api.ok(
      'DELETE /keywords/{keywordId}',
      { params: { keywordId: followed[1]!.keywordId } },
      me,
    );
    await api.ok(
      'PATCH /apps/{id}',
      { params: { id: followed[2]!.appId }, body: { archived: true } },
      me,
    );
    for (const one of followed) await checkDay(api, one, day(2), 90);
    await evaluateAllAlerts(api);
    expect(await eventsOf(api, me)).toEqual([]);
  });
});

it('a day with a degraded store waits, and is compared later or skipped', async () => {
  const followed = await trackPhrase(api, me);
  const probe = (number: number, state: string) =>
    api.db.pool.query(
      'insert into store_probes (store, provider, date, state, probed_at) values ' +
        "('ios', 'itunes', $1, $2, now()) on conflict (date, store, provider) " +
        'do update set state = excluded.state',
      [day(number), state],
    );
  const checkAndEvaluate = async (number: number, position: number) => {
    api.clock.set(`${day(number)}T12:00:00Z`);
    await checkDay(api, followed, day(number), position);
    await evaluateAllAlerts(api);
  };
  await checkAndEvaluate(1, 10);
  await probe(2, 'degraded');
  await checkAndEvaluate(2, 40);
  expect(await dataOf('rank.dropped')).toEqual([]);
  await probe(2, 'ok');
  await evaluateAllAlerts(api);
  expect(await dataOf('rank.dropped')).toMatchObject([
    { from: { date: day(1) }, to: { date: day(2) } },
  ]);
  await probe(3, 'degraded');
  await checkAndEvaluate(3, 100);
  await checkAndEvaluate(4, 60);
  expect(await dataOf('rank.dropped')).toMatchObject([
    {},
    { from: { date: day(2), position: 40 }, to: { date: day(4), position: 60 } },
  ]);
  api.clock.set(`${day(6)}T12:00:00Z`);
  await evaluateAllAlerts(api);
  const { rows } = await api.db.pool.query('select from pending_evaluations where market_id = $1', [
    followed.marketId,
  ]);
  expect(rows).toEqual([]);
  expect(await eventsOf(api, me)).toHaveLength(2);
  await probe(3, 'ok');
  const { total } = await api.ok(
    'POST /alerts/rules/backtest',
    { body: { rules: everyMoveRules, days: 10 } },
    me,
  );
  expect(total).toBe(3);
});
