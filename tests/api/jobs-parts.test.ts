import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { completeWithGap, rescheduleCheck } from '#db/queries/rankings/checks.ts';
import { completeListings } from '#db/queries/listings/listing-schedule.ts';
import { completeStoreTaskWithGap } from '#db/queries/store-tasks/store-tasks.ts';
import { syncJobStatus } from '#db/queries/jobs/sync-job-status.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { jobSync } from '../harness/background-work.ts';
import { insertApp, marketIdOf, recordMarketSearch } from './keywords.fixtures.ts';

const day = '2026-11-21';
let api: TestApi;
let me: Account;
beforeAll(async () => {
  api = await startApi();
  me = await api.signUp();
});
afterAll(() => api.close());

async function addKeywords(id: number, phrases: string[], country = 'us') {
  const body = { phrases, countries: [country] };
  return (await api.ok('POST /apps/{id}/keywords', { params: { id }, body }, me)).job!;
}

async function readSynced(jobId: number) {
  await syncJobStatus(api.services.systemDb, { ...jobSync, now: api.clock.now() });
  return api.ok('GET /jobs/{jobId}', { params: { jobId } }, me);
}

const inHours = (hours: number) => new Date(api.clock.now().getTime() + hours * 3_600_000);
const wait = async (phrase: string, hours: number) =>
  rescheduleCheck(api.services.systemDb, {
    marketId: await marketIdOf(api, phrase),
    day,
    attempts: 1,
    retryAt: inHours(hours),
    marker: 'implausible',
  });
const respond = async (phrase: string, listingId: number) =>
  recordMarketSearch(api, { marketId: await marketIdOf(api, phrase), listingIds: [listingId] });

it('a job does not wait for a country that is tracked after it was accepted', async () => {
  const app = await insertApp(api, me);
  await addKeywords(app.id, ['first country']);
  const { job } = await api.ok('POST /apps/{id}/run-daily', { params: { id: app.id } }, me);
  await addKeywords(app.id, ['second country'], 'de');
  const { systemDb } = api.services;
  await respond('first country', app.listingId);
  const done = { listingIds: [app.listingId], day, read: true, marker: null };
  await completeListings(systemDb, { ...done, country: 'us' });
  const { rows } = await api.db.pool.query(
    `update store_tasks set completed_on = $1, read_on = $1, urgent_at = null
      where urgent_at is not null returning kind`,
    [day],
  );
  expect(rows.length).toBeGreaterThan(0);
  const unread = await api.db.pool.query(
    'select country from listing_schedule where listing_id = $1 and completed_on is null',
    [app.listingId],
  );
  expect(unread.rows).toEqual([{ country: 'de' }]);
  expect(await readSynced(job.id)).toMatchObject({ state: 'succeeded', error: null });
});

describe('a run of an app', () => {
  it('succeeds without its reviews, and says what is missing and why', async () => {
    const app = await insertApp(api, me);
    await addKeywords(app.id, ['without reviews']);
    const { job } = await api.ok('POST /apps/{id}/run-daily', { params: { id: app.id } }, me);
    await refreshAll(app);
    const ended = await readSynced(job.id);
    expect(ended).toMatchObject({
      state: 'succeeded',
      result: { path: `/apps/${app.id}/rankings` },
      error: expect.stringContaining('parts has the reasons'),
    });
    expect(ended.progress.done).toBe(ended.progress.total);
    expect(ended.parts.find(({ kind }) => kind === 'rank-check')).toMatchObject({
      total: 1,
      done: 1,
      missing: 0,
    });
    expect(ended.parts.find(({ kind }) => kind === 'reviews')).toMatchObject({
      done: 0,
      missing: 1,
      reason: 'http-500',
    });

    // Everything else has its response of the day, so only what is missing is requested again.
    const again = await api.ok('POST /apps/{id}/run-daily', { params: { id: app.id } }, me);
    expect(again.job.id).not.toBe(job.id);
    await failReviews(app.listingId);
    expect(await readSynced(again.job.id)).toMatchObject({ state: 'succeeded' });
  });

  async function failReviews(listingId: number) {
    const { rows } = await api.db.pool.query(
      `select id from store_tasks where listing_id = $1 and kind = 'reviews'`,
      [listingId],
    );
    for (const { id } of rows)
      await completeStoreTaskWithGap(api.services.systemDb, {
        storeTaskId: id,
        day,
        marker: 'http-500',
      });
  }

  async function refreshAll({ listingId }: { listingId: number }) {
    await respond('without reviews', listingId);
    const done = { listingIds: [listingId], country: 'us', day, read: true, marker: null };
    await completeListings(api.services.systemDb, done);
    await failReviews(listingId);
    await api.db.pool.query(
      `update store_tasks set completed_on = $1, read_on = $1, urgent_at = null
        where kind <> 'reviews' and urgent_at is not null`,
      [day],
    );
  }
});

describe('a job with unconfirmed results', () => {
  it('ends with what is done, and still reports what comes later', async () => {
    const app = await insertApp(api, me);
    const { id } = await addKeywords(app.id, ['confirmed', 'unconfirmed']);
    await respond('confirmed', app.listingId);
    await wait('unconfirmed', 2);
    const part = { kind: 'rank-check', total: 2, done: 1, missing: 0, awaited: 1 };
    const awaited = await readSynced(id);
    expect(awaited).toMatchObject({
      state: 'succeeded',
      progress: { done: 1, total: 2 },
      finishedAt: api.clock.now().toISOString(),
      error: null,
      parts: [{ ...part, reason: 'implausible', awaitedUntil: inHours(2).toISOString() }],
    });
    await respond('unconfirmed', app.listingId);
    const done = { ...part, done: 2, awaited: 0, reason: null, awaitedUntil: null };
    expect(await readSynced(id)).toEqual({
      ...awaited,
      progress: { done: 2, total: 2 },
      parts: [done],
    });
    const { rows } = await api.db.pool.query('select awaited_until from jobs where id = $1', [id]);
    expect(rows).toEqual([{ awaited_until: null }]);
  });

  it('goes on when the next attempt comes within a minute', async () => {
    const app = await insertApp(api, me);
    const { id } = await addKeywords(app.id, ['soon confirmed', 'soon again']);
    await respond('soon confirmed', app.listingId);
    await wait('soon again', 1 / 180);
    expect(await readSynced(id)).toMatchObject({ state: 'running', progress: { done: 1 } });
  });

  it('is queued while nothing of it is done, and failed when nothing came of it', async () => {
    const app = await insertApp(api, me);
    const { id } = await addKeywords(app.id, ['never confirmed']);
    await wait('never confirmed', 2);
    expect(await readSynced(id)).toMatchObject({
      state: 'queued',
      finishedAt: null,
      parts: [{ awaited: 1, reason: 'implausible', awaitedUntil: inHours(2).toISOString() }],
    });
    const marketId = await marketIdOf(api, 'never confirmed');
    await completeWithGap(api.services.systemDb, { marketId, day, marker: 'implausible' });
    expect(await readSynced(id)).toMatchObject({
      state: 'failed',
      parts: [{ awaited: 0, missing: 1, reason: 'implausible', awaitedUntil: null }],
    });
  });
});

it('a failed probe of the store is what waiting work waits for', async () => {
  const app = await insertApp(api, me, { store: 'android', storeAppId: 'app.probe' });
  const { id } = await addKeywords(app.id, ['probed']);
  const { rows } = await api.db.pool.query(
    `insert into store_probes (date, store, provider, state, probed_at, marker)
      values ($1, 'android', position_provider('android', $1), 'degraded', $2, 'captcha')
      returning provider`,
    [day, api.clock.now()],
  );
  expect(rows[0].provider).not.toBeNull();
  const until = new Date(api.clock.now().getTime() + jobSync.probeRetryMs).toISOString();
  expect(await readSynced(id)).toMatchObject({
    state: 'queued',
    parts: [{ awaited: 1, reason: 'captcha', awaitedUntil: until }],
  });
});
