import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from 'kysely';
import type { weekdays } from '#contract/choices.ts';
import { eventData } from '#contract/events.ts';
import { suspendWorkspace } from '#domain/accounts/admin/suspend-workspace.ts';
import { reconcileWorkspace } from '#domain/accounts/billing/reconcile-workspace.ts';
import { unmarkDeleted } from '#domain/accounts/workspaces/restore-workspace.ts';
import { inSystem } from '#domain/base/context.ts';
import { emitDigests } from '#domain/insights/digests/emit-digests.ts';
import { dueWeek, mondayOf, nextDigestAt } from '#domain/insights/digests/week.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { everyMoveRules } from '../harness/every-move-rules.ts';
import { checkDay, eventsOf, trackPhrase, evaluateAllAlerts } from './alerts.fixtures.ts';
import { describeTables, insertApp, readWithOtherProvider } from './keywords.fixtures.ts';
import { insertCoverage, insertReviews, insertTrackedApp } from './reviews.fixtures.ts';

let api: TestApi;
let me: Account;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  // A Sunday: the digest is about the week before.
  api.clock.set('2026-11-08T12:00:00Z');
  me = await person();
  await api.db.pool.query('update workspaces set created_at = $2 where id = $1', [
    me.workspaceId,
    api.clock.now(),
  ]);
});

/** Weeks pass here, and unused sessions end: every account has a token. */
async function person(options: Parameters<TestApi['signUp']>[0] = {}): Promise<Account> {
  const account = await api.signUp(options);
  return { ...account, headers: (await api.token(account)).headers };
}

const digestOf = async (query: { week?: string } = {}, who: Account = me) =>
  api.ok('GET /digests/weekly', { query }, who);
const digestEvents = async (who: Account) =>
  (await eventsOf(api, who)).filter((event) => event.type === 'digest.weekly');
/** One call emits at most 20, and other tests have workspaces, too. */
const emitDue = async () => {
  while ((await emitDigests(api.services)) > 0);
};
const setDigestTime = (body: { digestDay: (typeof weekdays)[number]; digestHour: number }) =>
  api.ok('PATCH /settings', { body }, me);

it('the digest counts a review once that Google Play shows in several countries', async () => {
  const shared = { store: 'android' as const, storeAppId: 'com.shared.app', since: '2026-11-01' };
  const app = await insertTrackedApp(api, me, { ...shared, countries: ['ar', 'mx'] });
  const review = { storeReviewId: 'shared', rating: 1, reviewedAt: '2026-11-04T10:00:00Z' };
  await insertReviews(api, app, [
    { ...review, country: 'ar' },
    { ...review, country: 'mx' },
  ]);
  const digest = await digestOf({ week: '2026-11-02' });
  expect(digest.apps).toMatchObject([{ appId: app.id, newReviews: 1, negativeReviews: 1 }]);
});

describe('the reviews of a digest', () => {
  const since = '2026-10-01';
  const low = { rating: 1, reviewedAt: '2026-11-04T10:00:00Z' };
  const seenAt = (time: string) => ({ firstSeenAt: `2026-11-${time}:00Z` });
  const pause = (app: { id: number }, country: string, day: string) =>
    api.db.pool.query(
      `update keywords set tracking_periods = tracking_periods || $3 where app_id = $1
       and country = $2`,
      [app.id, country, JSON.stringify([[day, 0]])],
    );
  const counted = async (app: { id: number }) => {
    const week = { from: '2026-11-02', to: '2026-11-08' };
    const { apps } = await digestOf({ week: week.from });
    const { newReviews, negativeReviews } = apps.find(({ appId }) => appId === app.id)!;
    const { total } = await api.ok(
      'GET /apps/{id}/reviews/stats',
      { params: { id: app.id }, query: week },
      me,
    );
    return { newReviews, negativeReviews, stars: total.stars };
  };
  const android = (storeAppId: string, countries: string[]) =>
    insertTrackedApp(api, me, { store: 'android', storeAppId, since, countries });

  it('have the stars of the country that is still followed', async () => {
    const app = await android('com.edited.app', ['at', 'de']);
    const review = { ...low, storeReviewId: 'edited' };
    await insertReviews(api, app, [
      { ...review, country: 'at', ...seenAt('04T12:00') },
      {
        ...review,
        ...seenAt('04T12:01'),
        country: 'de',
        rating: 5,
        editedAt: '2026-11-06T12:00:00Z',
      },
    ]);
    await pause(app, 'at', '2026-11-05');
    expect(await counted(app)).toEqual({
      newReviews: 1,
      negativeReviews: 0,
      stars: [0, 0, 0, 0, 1],
    });
  });

  it('do not change with edits that were read for others', async () => {
    const app = await insertTrackedApp(api, me, { since, countries: ['de'] });
    const [edited] = await insertReviews(api, app, [
      { ...low, ...seenAt('04T12:00'), country: 'de', rating: 5, editedAt: '2026-11-07T12:00:00Z' },
    ]);
    await api.db.pool.query(
      `insert into review_versions (review_id, seen_at, replaced_at, reviewed_at, rating, body)
       values ($1, '2026-11-04T12:00:00Z', '2026-11-07T12:00:00Z', $2, 1, 'words')`,
      [edited, low.reviewedAt],
    );
    await pause(app, 'de', '2026-11-05');
    expect(await counted(app)).toEqual({
      newReviews: 1,
      negativeReviews: 1,
      stars: [1, 0, 0, 0, 0],
    });
  });

  it('stay when another country has them later, and begin with the tracking', async () => {
    const app = await android('com.moved.app', ['ar', 'mx']);
    await api.db.pool.query(
      `update keywords set created_at = '2026-11-06T12:00:00Z',
         tracking_periods = '[["2026-11-06", 200]]' where app_id = $1 and country = 'ar'`,
      [app.id],
    );
    await insertReviews(api, app, [
      { ...low, ...seenAt('04T12:00'), storeReviewId: 'moved', country: 'mx' },
      { ...low, ...seenAt('06T13:00'), storeReviewId: 'moved', country: 'ar' },
      { ...low, ...seenAt('06T13:00'), storeReviewId: 'earlier', country: 'ar' },
    ]);
    await insertCoverage(api, app, { country: 'ar', syncedAt: '2026-11-06T13:00:00Z' });
    await pause(app, 'mx', '2026-11-06');
    expect(await counted(app)).toEqual({
      newReviews: 1,
      negativeReviews: 1,
      stars: [2, 0, 0, 0, 0],
    });
  });
});

it('the digest has positions, moves with depths, visibility, coverage and reviews', async () => {
  await api.ok('PUT /alerts/rules', { body: { rules: everyMoveRules } }, me);
  const risen = await trackPhrase(api, me, { phrase: 'risen words' });
  const app = { id: risen.appId, listingId: risen.listingId };
  const fallen = await trackPhrase(api, me, { app, phrase: 'fallen words' });
  const unchecked = await trackPhrase(api, me, { app, phrase: 'unchecked words' });
  const steps = ['09', '10', '11', '13', '14', '15'];
  for (const [index, day] of steps.entries()) {
    api.clock.set(`2026-11-${day}T12:00:00Z`);
    await checkDay(api, risen, `2026-11-${day}`, 20 - 3 * index);
    await checkDay(api, fallen, `2026-11-${day}`, index < 5 ? 2 : null);
    await evaluateAllAlerts(api);
  }
  await insertReviews(api, app, [
    { rating: 1, reviewedAt: '2026-11-10T10:00:00Z' },
    { rating: 5, reviewedAt: '2026-11-11T10:00:00Z' },
    { rating: 1, reviewedAt: '2026-11-01T10:00:00Z' },
  ]);
  api.clock.set('2026-11-16T12:00:00Z');
  const digest = await digestOf();
  const side = (position: number | null, date: string) => ({ date, position, depth: 200 });
  expect(digest).toEqual({
    week: '2026-11-09',
    from: '2026-11-09',
    to: '2026-11-15',
    apps: [
      {
        appId: app.id,
        store: 'ios',
        name: 'App',
        keywords: 3,
        ranked: 1,
        notFound: 1,
        notChecked: 1,
        top3: 0,
        top10: 1,
        averagePosition: 5,
        improved: 1,
        dropped: 1,
        visibility: { from: null, to: 10 },
        coverage: 0.5714,
        gained: [
          {
            keywordId: risen.keywordId,
            phrase: 'risen words',
            country: 'us',
            device: 'iphone',
            from: side(20, '2026-11-09'),
            to: side(5, '2026-11-15'),
            positionsGained: 15,
          },
        ],
        lost: [
          {
            keywordId: fallen.keywordId,
            phrase: 'fallen words',
            country: 'us',
            device: 'iphone',
            from: side(2, '2026-11-09'),
            to: side(null, '2026-11-15'),
            positionsGained: null,
          },
        ],
        rating: null,
        newReviews: 2,
        negativeReviews: 1,
        metadataChanges: 0,
        openActions: 0,
      },
    ],
    moreApps: 0,
    events: { 'rank.dropped': 1, 'rank.improved': expect.any(Number) },
  });
  expect(unchecked.keywordId).toBeGreaterThan(0);
  expect(await digestOf({ week: '2026-11-12' })).toEqual(digest);
  const { apps } = await readWithOtherProvider(api, '2026-11-14', () => digestOf());
  expect(apps[0]).toMatchObject({ averagePosition: 5, coverage: 0.5714, gained: [], lost: [] });
});

it('the visibility of a digest is compared between almost fully checked days', async () => {
  const first = await trackPhrase(api, me);
  const app = { id: first.appId, listingId: first.listingId };
  const second = await trackPhrase(api, me, { app });
  const visibility = async () => (await digestOf({ week: '2026-11-09' })).apps[0]!.visibility;
  const page = async () =>
    (await api.raw('/digests/weekly?week=2026-11-09&format=html', {}, me)).text;
  // On the first and on the last day, one of the two was not checked.
  await checkDay(api, first, '2026-11-09', 1);
  await checkDay(api, first, '2026-11-10', 1);
  await checkDay(api, second, '2026-11-10', null);
  api.clock.set('2026-11-16T12:00:00Z');
  expect(await visibility()).toEqual({ from: null, to: 50 });
  expect(await page()).toContain('Visibility 50. Its change is unknown');
  await checkDay(api, first, '2026-11-12', 2);
  await checkDay(api, second, '2026-11-12', null);
  await checkDay(api, first, '2026-11-15', 2);
  expect(await visibility()).toEqual({ from: 50, to: 25 });
  expect(await page()).toContain('Visibility from 50 to 25, over the keywords tracked');
});

it('the visibility of a digest is compared over the keywords of the whole week', async () => {
  const first = await trackPhrase(api, me);
  const app = { id: first.appId, listingId: first.listingId };
  const days = { from: '2026-11-09', to: '2026-11-15' };
  const both = async () => {
    const same = await api.ok(
      'GET /apps/{id}/visibility',
      { params: { id: app.id }, query: { ...days, keywords: 'same' } },
      me,
    );
    return {
      digest: (await digestOf({ week: days.from })).apps[0]!.visibility,
      same: { from: same.items[0]!.index, to: same.items.at(-1)!.index },
    };
  };
  for (const day of ['09', '10', '11', '12', '13', '14', '15'])
    await checkDay(api, first, `2026-11-${day}`, 1);
  api.clock.set('2026-11-11T01:00:00Z');
  const second = await trackPhrase(api, me, { app });
  for (const day of ['11', '12', '13', '14', '15'])
    await checkDay(api, second, `2026-11-${day}`, null);
  api.clock.set('2026-11-16T12:00:00Z');
  const unmoved = { from: 100, to: 100 };
  expect(await both()).toEqual({ digest: unmoved, same: unmoved });
  await api.db.pool.query(
    `update keywords set tracking_periods = tracking_periods || '[["2026-11-13", 0]]'
     where id = $1`,
    [first.keywordId],
  );
  expect(await both()).toMatchObject({ digest: { from: null, to: 0 } });
});

it('a digest is emitted once an ISO week at its hour as GET returns it, even empty', async () => {
  api.clock.set('2026-11-16T07:59:00Z');
  await emitDue();
  expect(await digestEvents(me)).toEqual([]);
  api.clock.set('2026-11-16T08:00:00Z');
  await Promise.all([emitDue(), emitDue(), emitDue()]);
  const emitted = await digestEvents(me);
  expect(emitted.map((event) => event.data)).toEqual([await digestOf()]);
  expect(eventData['digest.weekly'].parse(emitted[0]!.data)).toMatchObject({
    week: '2026-11-09',
    apps: [],
    events: {},
  });
  for (const instant of ['2026-11-16T08:01:00Z', '2026-11-22T23:59:00Z', '2026-11-23T07:00:00Z']) {
    api.clock.set(instant);
    await emitDue();
  }
  expect(await digestEvents(me)).toHaveLength(1);
  api.clock.set('2026-11-23T08:00:00Z');
  await emitDue();
  expect((await digestEvents(me)).map((event) => (event.data as { week: string }).week)).toEqual([
    '2026-11-09',
    '2026-11-16',
  ]);
});

it('a digest follows the workspace’s day and hour; moving the day sends none twice', async () => {
  await setDigestTime({ digestDay: 'friday', digestHour: 17 });
  api.clock.set('2026-11-20T16:59:00Z');
  await emitDue();
  expect(await digestEvents(me)).toEqual([]);
  api.clock.set('2026-11-20T17:00:00Z');
  await emitDue();
  expect(await digestEvents(me)).toHaveLength(1);
  await setDigestTime({ digestDay: 'sunday', digestHour: 23 });
  api.clock.set('2026-11-22T23:30:00Z');
  await emitDue();
  expect(await digestEvents(me)).toHaveLength(1);
});

it('a workspace is read again at its next digest time, or after a change of it', async () => {
  const consideredAt = async () => {
    const { rows } = await api.db.pool.query<{ at: Date | null }>(
      `select nullif(digest_at, '-infinity') as at from workspaces where id = $1`,
      [me.workspaceId],
    );
    return rows[0]!.at?.toISOString();
  };
  expect(await consideredAt()).toBeUndefined();
  api.clock.set('2026-11-16T09:00:00Z');
  await emitDue();
  expect(await consideredAt()).toBe('2026-11-23T08:00:00.000Z');
  await setDigestTime({ digestDay: 'friday', digestHour: 17 });
  expect(await consideredAt()).toBeUndefined();
  await emitDue();
  expect(await consideredAt()).toBe('2026-11-20T17:00:00.000Z');
  await api.ok('PATCH /settings', { body: { defaultDepth: 50 } }, me);
  expect(await consideredAt()).toBe('2026-11-20T17:00:00.000Z');
});

it('a digest is not delayed by a thousand workspaces that are not due', async () => {
  const { pool } = api.db;
  await pool.query(
    `insert into workspaces (name, created_at) select 'not due', '2026-11-16T03:00:00Z' from ` +
      'generate_series(1, 1000)',
  );
  const last = await person();
  await pool.query('update workspaces set created_at = $2 where id = $1', [
    last.workspaceId,
    api.clock.now(),
  ]);
  api.clock.set('2026-11-16T09:00:00Z');
  await emitDue();
  await pool.query(`delete from workspaces where name = 'not due'`);
  expect(await digestEvents(last)).toHaveLength(1);
});

it('no digest is sent to a workspace that the daily run skips, until it has a plan', async () => {
  const pause = (isPaused: boolean) =>
    api.db.pool.query(`update workspaces set daily_run_paused = $2 where id = $1`, [
      me.workspaceId,
      isPaused,
    ]);
  await pause(true);
  for (const day of ['16', '23']) {
    api.clock.set(`2026-11-${day}T09:00:00Z`);
    await emitDue();
  }
  expect(await digestEvents(me)).toEqual([]);
  await pause(false);
  await emitDue();
  expect(await digestEvents(me)).toEqual([]);
  api.clock.set('2026-11-30T09:00:00Z');
  await emitDue();
  expect((await digestEvents(me)).map(({ data }) => data)).toMatchObject([{ week: '2026-11-23' }]);
});

it('no digest is sent to suspended workspaces or those created after the week', async () => {
  const [suspended, late] = [await person(), await person()];
  await api.db.pool.query(
    `update workspaces set created_at = '2026-11-16T03:00:00Z' where id = $1`,
    [late.workspaceId],
  );
  await api.db.pool.query(`update workspaces set suspended_at = now() where id = $1`, [
    suspended.workspaceId,
  ]);
  api.clock.set('2026-11-16T09:00:00Z');
  await emitDue();
  await api.db.pool.query(`update workspaces set suspended_at = null where id = $1`, [
    suspended.workspaceId,
  ]);
  for (const account of [suspended, late]) expect(await digestEvents(account)).toEqual([]);
  expect(await digestEvents(me)).toHaveLength(1);
});

const suspend = (reason: string | null) =>
  suspendWorkspace(me.ctx, me.workspaceId, reason, { requests: [] });
const markDeleted = () =>
  api.db.pool.query(`update workspaces set delete_at = '2026-12-10T00:00:00Z' where id = $1`, [
    me.workspaceId,
  ]);
const restore = () =>
  inSystem(api.services, (tx) =>
    unmarkDeleted(tx, api.services, {
      workspaceId: me.workspaceId,
      actor: 'user:1',
      credential: 'session',
    }),
  );

const setStatus = (status: 'live' | 'lapsed') =>
  inSystem(api.services, (tx) =>
    reconcileWorkspace(
      tx,
      { clock: api.clock, settings: { ...api.services.settings, billingEnabled: true } },
      me.workspaceId,
      async () => {
        await sql`update workspaces set status = ${status} where id = ${me.workspaceId}`.execute(
          tx,
        );
      },
    ),
  );

describe.each([
  ['suspended', () => suspend('too many searches'), () => suspend(null)],
  ['deleted', markDeleted, restore],
  ['without a plan', () => setStatus('lapsed'), () => setStatus('live')],
])('after a workspace was %s', (_, begin, end) => {
  const emitAt = async (instant: string) => {
    api.clock.set(instant);
    await emitDue();
  };
  const weeksAt = async (instant: string) => {
    await emitAt(instant);
    return (await digestEvents(me)).map(({ data }) => (data as { week: string }).week);
  };
  beforeEach(async () => {
    expect(await weeksAt('2026-11-16T09:00:00Z')).toEqual(['2026-11-09']);
    await begin();
    await emitAt('2026-12-02T09:00:00Z');
    await end();
  });

  it('its digests begin with the next one', async () => {
    expect(await weeksAt('2026-12-02T09:01:00Z')).toEqual(['2026-11-09']);
    expect(await weeksAt('2026-12-07T08:00:00Z')).toEqual(['2026-11-09', '2026-11-30']);
  });

  it('a change of their day sends none that was skipped', async () => {
    await setDigestTime({ digestDay: 'tuesday', digestHour: 8 });
    expect(await weeksAt('2026-12-02T09:01:00Z')).toEqual(['2026-11-09']);
    await setDigestTime({ digestDay: 'thursday', digestHour: 8 });
    expect(await weeksAt('2026-12-02T09:02:00Z')).toEqual(['2026-11-09']);
    expect(await weeksAt('2026-12-03T08:00:00Z')).toEqual(['2026-11-09', '2026-11-23']);
  });
});

it('a digest has nothing from before tracking, nor from other workspaces', async () => {
  const you = await person();
  const theirs = await trackPhrase(api, you, {
    phrase: 'shared words',
    app: await insertApp(api, you, { storeAppId: '4711' }),
  });
  for (const day of ['09', '10', '11']) await checkDay(api, theirs, `2026-11-${day}`, Number(day));
  api.clock.set('2026-11-12T12:00:00Z');
  const mine = await trackPhrase(api, me, {
    phrase: 'shared words',
    app: await insertApp(api, me, { storeAppId: '4711' }),
  });
  api.clock.set('2026-11-13T12:00:00Z');
  await checkDay(api, mine, '2026-11-13', 3);
  const { apps } = await digestOf({ week: '2026-11-13' });
  expect(apps).toMatchObject([
    {
      appId: mine.appId,
      keywords: 1,
      notChecked: 0,
      improved: 0,
      gained: [],
      coverage: expect.any(Number),
    },
  ]);
  expect(apps[0]!.coverage).toBe(0.5);
});

describe('a clock that is ahead for a moment', () => {
  const weeks = async () =>
    (await digestEvents(me)).map(({ data }) => (data as { week: string }).week);
  const emitAt = async (instant: string) => {
    api.clock.set(instant);
    await emitDue();
    return weeks();
  };

  it('sends no digest; after days without a run, they are sent within an hour', async () => {
    const openRun = (openedAt: string) =>
      api.db.pool.query(
        `insert into runs (date, opened_at, state)
         values (($1::timestamptz at time zone 'UTC')::date, $1, 'running')`,
        [openedAt],
      );
    try {
      await openRun('2026-11-18T02:00:00Z');
      expect(await emitAt('2026-11-18T12:00:00Z')).toEqual(['2026-11-09']);
      await openRun('2026-11-25T12:00:00Z');
      expect(await emitAt('2026-11-25T12:00:00Z')).toEqual(['2026-11-09']);
      await openRun('2026-11-23T08:30:00Z');
      expect(await emitAt('2026-11-23T09:29:59Z')).toEqual(['2026-11-09']);
      expect(await emitAt('2026-11-23T09:30:00Z')).toEqual(['2026-11-09', '2026-11-16']);
    } finally {
      await api.db.pool.query('delete from runs');
    }
  });

  it('does not stop the digests until its time, where there was no run yet', async () => {
    expect(await emitAt('2027-12-01T12:00:00Z')).toEqual(['2027-11-22']);
    for (const day of ['2026-11-16', '2026-11-23', '2026-11-30']) await emitAt(`${day}T08:00:00Z`);
    expect(await weeks()).toEqual(['2027-11-22', '2026-11-09', '2026-11-16', '2026-11-23']);
  });
});

describe('weeks', () => {
  it.each([
    ['2026-11-16', '2026-11-16'],
    ['2026-11-22', '2026-11-16'],
    ['2027-01-01', '2026-12-28'],
    ['2028-02-29', '2028-02-28'],
  ])('the Monday of %s is %s', (day, monday) => expect(mondayOf(day)).toBe(monday));

  it.each([
    ['2026-11-16T07:59:59Z', '2026-11-16T08:00:00Z'],
    ['2026-11-16T08:00:00Z', '2026-11-23T08:00:00Z'],
    ['2026-11-22T23:59:59Z', '2026-11-23T08:00:00Z'],
  ])('the first digest time after %s is %s', (now, next) =>
    expect(nextDigestAt(new Date(now), { day: 1, hour: 8 })).toEqual(new Date(next)),
  );

  it('the due week follows from the hour, the creation and the last one sent', () => {
    const due = (now: string, createdAt: string, lastDigestWeek: string | null = null) =>
      dueWeek(
        new Date(now),
        { day: 1, hour: 8 },
        { createdAt: new Date(createdAt), lastDigestWeek, digestsFrom: null },
      );
    expect(due('2026-11-18T00:00:00Z', '2026-11-15T23:59:59Z')).toBe('2026-11-09');
    expect(due('2026-11-18T00:00:00Z', '2026-11-16T00:00:00Z')).toBeNull();
    expect(due('2026-11-18T00:00:00Z', '2026-01-01T00:00:00Z', '2026-11-09')).toBeNull();
    // A digest that was missed for a week comes late; a new one waits for the next hour.
    expect(due('2026-11-16T07:00:00Z', '2026-01-01T00:00:00Z', '2026-10-26')).toBe('2026-11-02');
    expect(due('2026-11-16T07:00:00Z', '2026-01-01T00:00:00Z')).toBeNull();
    expect(due('2026-11-18T00:00:00Z', '2026-01-01T00:00:00Z', '2026-11-16')).toBe('2026-11-09');
  });
});

it('future weeks and invalid days are refused; read-only tokens can read', async () => {
  const reader = await api.token(me, { readOnly: true });
  await api.ok('GET /digests/weekly', null, reader);
  const before = await describeTables(api, ['tokens', 'sessions']);
  for (const query of [
    'week=2026-11-09',
    'week=2026-W46',
    'week=2026-02-30',
    'week=',
    'weak=2026-11-02',
  ])
    expect([query, (await api.raw(`/digests/weekly?${query}`, {}, reader)).status]).toEqual([
      query,
      400,
    ]);
  expect((await api.raw('/digests/weekly?week=2026-11-08', {}, reader)).status).toBe(200);
  expect((await api.raw('/digests/weekly')).status).toBe(401);
  expect(await describeTables(api, ['tokens', 'sessions'])).toEqual(before);
});
