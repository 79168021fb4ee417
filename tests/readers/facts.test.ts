import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type pg from 'pg';
import { addDays, minDay, utcDayOf, type UtcDay } from '#lib/dates.ts';
import { TestClock } from '#lib/clock.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import {
  fillWorld,
  makeReader,
  randomOf,
  type Random,
  type TestReader,
  type World,
} from './readers.fixtures.ts';

const seed = Number(process.env.TEST_SEED ?? 20_261_126) >>> 0;
const now = new Date();
const today = utcDayOf(now);
const from = addDays(today, -90);

let api: TestApi;
let mine: Account;
let theirs: Account;
let world: World;
let reader: TestReader;
let client: pg.Client;

beforeAll(async () => {
  api = await startApi({ clock: new TestClock(now.toISOString()) });
  mine = await api.signUp();
  theirs = await api.signUp();
  const random = randomOf(seed);
  world = await fillWorld(api.db.pool, [mine.workspaceId, theirs.workspaceId], { random, now });
  // A second country for some keywords, and for all of an app. A first reading finds few reviews.
  await api.db.pool.query("update keywords set country = 'de' where id % 5 = 0 or app_id = $1", [
    world.appIds.get(mine.workspaceId)![0],
  ]);
  await api.db.pool.query("update stores set first_reviews = 500 where store = 'ios'");
  for (const appId of world.appIds.get(mine.workspaceId)!) await fillFacts(appId, random);
  await api.db.pool.query('update apps set archived_at = $2, purge_at = $3 where id = $1', [
    world.appIds.get(mine.workspaceId)![1],
    addDays(today, -5),
    '2999-01-01',
  ]);
  // Both were archived and restored before.
  await api.db.pool.query(`update apps set archived_spans = $2 where workspace_id = $1`, [
    mine.workspaceId,
    JSON.stringify([
      [`${addDays(today, -30)}T10:00:00.250Z`, `${addDays(today, -26)}T15:20:10.250Z`],
      [`${addDays(today, -20)}T10:00:00Z`, `${addDays(today, -19)}T22:00:00Z`],
    ]),
  ]);
  // Each is the competitor of the other, and was removed and added again.
  await api.db.pool.query(
    `insert into competitors (workspace_id, app_id, listing_id, tracking_periods, followed_at,
       created_at, archived_spans)
     select a.workspace_id, a.id, b.listing_id, '[]', $2, $2, $3
     from apps a join apps b on b.workspace_id = a.workspace_id and b.id <> a.id
     where a.workspace_id = $1`,
    [
      mine.workspaceId,
      addDays(today, -50),
      JSON.stringify([[`${addDays(today, -12)}T10:00:00Z`, `${today}T23:00:00Z`]]),
    ],
  );
  reader = await makeReader(api.db, mine.workspaceId);
  client = await reader.connect();
});
afterAll(async () => {
  await client?.end();
  await reader?.revoke();
  await api?.close();
});

const at = (day: UtcDay, random: Random) =>
  `${day}T${10 + random(14)}:${10 + random(50)}:07.${100 + random(900)}Z`;

/** Snapshots, charts and reviews of a listing, from before and after it was tracked. */
async function fillFacts(appId: number, random: Random): Promise<void> {
  const { pool } = api.db;
  const { rows } = await pool.query<{ id: number }>(
    'select listing_id as id from apps where id = $1',
    [appId],
  );
  const listingId = rows[0]!.id;
  for (const offset of [-60, -40, -39, -10]) {
    const fields = {
      name: `Name ${random(9)}`,
      developer: 'Somebody',
      bundleId: null,
      iconUrl: null,
      currency: null,
      version: null,
      releasedAt: null,
      updatedAt: null,
      category: ['Games', 'Music'][random(2)],
      categoryId: ['6014', '6011'][random(2)],
      priceMicros: [0, 1_990_000, null][random(3)],
      inAppPurchases: [true, false, null][random(3)],
    };
    await pool.query(
      `insert into snapshots (listing_id, country, taken_at, content_hash, fields)
       values ($1, 'us', $2, '', $3)`,
      [listingId, at(addDays(today, offset), random), fields],
    );
  }
  for (const country of ['us', 'de'])
    for (const chart of ['free', 'paid', 'grossing'])
      for (const category of [null, '6014', '6011']) {
        const task = await pool.query<{ id: number }>(
          `insert into store_tasks (store, kind, country, chart, category)
           values ('ios', 'chart', $1, $2, $3)
           on conflict (store, kind, country, listing_id, market_id, chart, category)
             do update set active = true returning id`,
          [country, chart, category],
        );
        for (let day = from; day <= today; day = addDays(day, 1))
          await fillChart(task.rows[0]!.id, day, { random, listingId });
      }
  for (let day = from; day <= today; day = addDays(day, 1))
    if (random(3) > 0)
      await pool.query(
        `insert into listing_days (listing_id, country, on_date, rating, rating_count, read_at)
         values ($1, 'us', $2, 4.5, $3, $4)`,
        [listingId, day, random(9_999), at(day, random)],
      );
  await fillReviews(listingId, random);
  await fillImports(appId, random);
}

async function fillChart(
  taskId: number,
  day: UtcDay,
  { random, listingId }: { random: Random; listingId: number },
): Promise<void> {
  const what = random(6);
  if (what === 0) {
    await api.db.pool.query(
      `insert into store_task_gaps (store_task_id, on_date, reason) select $1, $2, $3
       where not exists (select from charts where store_task_id = $1 and on_date = $2)
       on conflict do nothing`,
      [taskId, day, ['shed', 'store_error'][random(2)]],
    );
    return;
  }
  if (what > 3) return;
  const ids = Buffer.alloc(4 * 20);
  for (let index = 0; index < 20; index += 1) ids.writeInt32BE(70_000 + random(1_000), index * 4);
  if (random(3) > 0) ids.writeInt32BE(listingId, random(20) * 4);
  await api.db.pool.query(
    `insert into charts (store_task_id, on_date, depth, read_at, ids)
     select $1, $2, 20, $3, $4
     where not exists (select from store_task_gaps where store_task_id = $1 and on_date = $2)
     on conflict (store_task_id, on_date) do update set ids = excluded.ids`,
    [taskId, day, at(day, random), ids],
  );
}

async function fillReviews(listingId: number, random: Random): Promise<void> {
  for (const country of ['us', 'de', 'fr']) {
    await api.db.pool.query(
      `insert into review_coverage (listing_id, country, synced_at) values ($1, $2, $3)`,
      [listingId, country, at(addDays(today, -random(30)), random)],
    );
    // One of yesterday is in a single country.
    for (let number = 0; number < (country === 'us' ? 41 : 40); number += 1) {
      const written = addDays(today, number === 40 ? -1 : -random(85));
      await api.db.pool.query(
        `insert into reviews (listing_id, country, store_review_id, author, rating, title, body,
           version, language, reviewed_at, first_seen_at, edited_at, reply, reply_at)
         values ($1, $2, $3, $4, $5, $6, $7, '1.0', 'en', $8, $9, $10, $11, $12)`,
        [
          listingId,
          country,
          `r${number}`,
          random(4) === 0 ? null : `Author ${number}`,
          1 + random(5),
          random(4) === 0 ? null : 'Title',
          `Body ${number}`,
          random(5) === 0 ? null : at(written, random),
          at(minDay(addDays(written, random(20)), addDays(today, -1)), random),
          random(4) === 0 ? at(addDays(today, -random(20)), random) : null,
          random(3) === 0 ? 'Thanks' : null,
          at(addDays(today, -random(20)), random),
        ],
      );
    }
    // An edit keeps the text from before it.
    await api.db.pool.query(
      `insert into review_versions (review_id, seen_at, replaced_at, reviewed_at, rating, body)
       select id, least(first_seen_at, edited_at), edited_at, dated_at - interval '1 hour', 3,
         'before ' || body
       from reviews where listing_id = $1 and country = $2 and edited_at is not null`,
      [listingId, country],
    );
  }
}

async function fillImports(appId: number, random: Random): Promise<void> {
  const insert = (kind: string, day: UtcDay, items: object[]) =>
    api.db.pool.query(
      `insert into imported_facts (workspace_id, app_id, kind, on_date, items)
       values ($1, $2, $3, $4, $5)`,
      [mine.workspaceId, appId, kind, day, JSON.stringify(items)],
    );
  for (let number = 0; number < 30; number += 1) {
    const day = addDays(today, -random(85));
    await insert('reviews', day, [
      {
        id: 1_073_741_900 + appId * 100 + number,
        appId,
        storeReviewId: `r${number + 20}`,
        author: 'Imported',
        rating: 1 + random(5),
        title: null,
        body: `Imported ${number}`,
        version: null,
        country: ['us', 'de', 'fr'][random(3)],
        language: null,
        reviewedAt: `${day}T01:02:03.004Z`,
        firstSeenAt: null,
        editedAt: null,
        reply: random(2) === 0 ? { text: 'Hello', at: null } : null,
        tags: [],
        note: null,
        read: false,
      },
    ]);
    await insert('category_ranks', day, [
      {
        appId,
        date: day,
        country: ['us', 'de', 'fr'][random(3)],
        category: random(2) === 0 ? null : { id: ['6014', '6011'][random(2)], name: 'Imported' },
        chart: ['free', 'paid', 'grossing'][random(3)],
        state: 'ranked',
        position: 1 + random(50),
        depth: 100,
        checkedAt: `${day}T04:05:06.000Z`,
      },
    ]);
  }
  await api.db.pool.query(
    `insert into review_marks (workspace_id, app_id, country, store_review_id, tags, note, read_at)
     values ($1, $2, 'us', 'r3', '{bug}', 'look', now()),
       ($1, $2, 'us', 'r25', '{idea}', null, null)`,
    [mine.workspaceId, appId],
  );
}

/** All pages of a list. */
async function all<Item>(
  list: (cursor: string | undefined) => Promise<{ items: Item[]; nextCursor: string | null }>,
): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  do {
    const page = await list(cursor);
    items.push(...page.items);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return items;
}

const iso = (instant: Date | null) => instant?.toISOString() ?? null;
const sorted = <Item extends { date: string; country: string; chart: string; category: unknown }>(
  items: Item[],
) => {
  const keyOf = ({ date, country, chart, category }: Item) =>
    `${date} ${country} ${chart} ${(category as { id: string } | null)?.id ?? ''}`;
  return items.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
};

describe(`the other views (seed ${seed})`, () => {
  test('category_ranks has the days of the API', async () => {
    for (const appId of world.appIds.get(mine.workspaceId)!) {
      const items = await all((cursor) =>
        api.ok(
          'GET /apps/{id}/category-ranks',
          { params: { id: appId }, query: { from, to: today, fill: 'gaps', limit: 500, cursor } },
          mine,
        ),
      );
      const { rows } = await client.query(
        'select * from category_ranks where app_id = $1 and date >= $2',
        [appId, from],
      );
      const shown = rows.map((row) => ({
        date: row.date,
        country: row.country,
        category: row.category_id === null ? null : { id: row.category_id, name: row.category },
        chart: row.chart,
        state: row.state,
        ...(row.state === 'not_checked'
          ? { reason: row.reason }
          : { position: row.position, depth: row.depth, checkedAt: iso(row.checked_at) }),
      }));
      expect(items.length).toBeGreaterThan(100);
      expect(sorted(shown)).toEqual(sorted(items));
    }
  });

  // In the second store several countries have the same review, which counts once.
  test.each(['ios', 'android'])('reviews has the reviews of the API, on %s', async (store) => {
    await api.db.pool.query(
      `insert into review_marks (workspace_id, app_id, country, store_review_id, tags, note,
         read_at)
       select a.workspace_id, a.id, country, 'r' || n, array[country], country || n, null
       from apps a, unnest(array['us', 'de']) as country, generate_series(1, 40, 3) as n
       where a.workspace_id = $1 and (country = 'de' or n % 2 = 0) on conflict do nothing`,
      [mine.workspaceId],
    );
    const setStore = (name: string) =>
      api.db.pool.query(
        `update listings set store = $2 where id in (
           select listing_id from apps where workspace_id = $1)`,
        [mine.workspaceId, name],
      );
    await setStore(store);
    onTestFinished(async () => void (await setStore('ios')));
    for (const appId of world.appIds.get(mine.workspaceId)!) {
      const items = await all((cursor) =>
        api.ok(
          'GET /apps/{id}/reviews',
          { params: { id: appId }, query: { from, to: today, limit: 100, cursor } },
          mine,
        ),
      );
      const { rows } = await client.query('select * from reviews where app_id = $1', [appId]);
      const shown = rows.map((row) => ({
        id: Number(row.review_id),
        appId: row.app_id,
        storeReviewId: row.store_review_id,
        author: row.author,
        rating: row.rating,
        title: row.title,
        body: row.body,
        version: row.version,
        country: row.country,
        language: row.language,
        reviewedAt: iso(row.reviewed_at),
        firstSeenAt: iso(row.first_seen_at),
        editedAt: iso(row.edited_at),
        reply: row.reply === null ? null : { text: row.reply, at: iso(row.reply_at) },
        tags: row.tags,
        note: row.note,
        read: row.is_read,
      }));
      expect(items.length).toBeGreaterThan(30);
      const byId = (list: { id: number }[]) => list.toSorted((a, b) => a.id - b.id);
      expect(byId(shown)).toEqual(byId(items.map(({ etag: _, ...review }) => review)));
      // Nothing that was read since an app was archived is there.
      const since = rows.flatMap((row) => [row.first_seen_at, row.edited_at]);
      const archivedAt = new Date(addDays(today, -5));
      expect(since.some((instant) => instant !== null && instant >= archivedAt)).toBe(
        appId !== world.appIds.get(mine.workspaceId)![1],
      );
    }
  });

  test('an archived app has its name from before also beside its positions', async () => {
    const appId = world.appIds.get(mine.workspaceId)![1]!;
    const { rows: renamed } = await api.db.pool.query(
      `insert into snapshots (listing_id, country, taken_at, content_hash, fields)
       select listing_id, primary_country, $2, '', '{"name": "Read for others"}' from apps
       where id = $1 returning id`,
      [appId, addDays(today, -1)],
    );
    onTestFinished(async () => {
      await api.db.pool.query('delete from snapshots where id = $1', [renamed[0].id]);
    });
    const { items } = await api.ok('GET /apps', { query: { archived: 'true' } }, mine);
    for (const view of ['positions', 'gaps']) {
      const { rows } = await client.query(`select distinct app from ${view} where app_id = $1`, [
        appId,
      ]);
      expect([view, rows]).toEqual([view, [{ app: items[0]!.name }]]);
    }
  });

  test('apps, keywords, competitors, events and annotations are those of the API', async () => {
    const live = (await api.ok('GET /apps', { query: {} }, mine)).items;
    const archived = (await api.ok('GET /apps', { query: { archived: 'true' } }, mine)).items;
    const { rows: apps } = await client.query('select * from apps order by app_id');
    expect(
      apps.map((row) => [row.app_id, row.name, row.developer, row.category, row.rating_count]),
    ).toEqual(
      [...live, ...archived]
        .toSorted((a, b) => a.id - b.id)
        .map((app) => [app.id, app.name, app.developer, app.category, app.ratingCount]),
    );
    const competitors = await Promise.all(
      [...live, ...archived].map(({ id }) =>
        api.ok('GET /apps/{id}/competitors', { params: { id }, query: {} }, mine),
      ),
    );
    const { rows: found } = await client.query('select * from competitors order by competitor_id');
    expect(found.map((row) => [row.competitor_id, row.name, row.rating_count])).toEqual(
      competitors
        .flatMap(({ items }) => items)
        .toSorted((a, b) => a.id - b.id)
        .map((one) => [one.id, one.name, one.ratingCount]),
    );
    expect(found).toHaveLength(2);
    expect(apps.map((row) => row.archived_at !== null)).toEqual([false, true]);
    const keywords = (
      await api.ok('GET /apps/{id}/keywords', { params: { id: live[0]!.id }, query: {} }, mine)
    ).items;
    const { rows } = await client.query(
      'select * from keywords where app_id = $1 order by keyword_id',
      [live[0]!.id],
    );
    expect(
      rows.map((row) => [row.keyword_id, row.keyword, row.country, row.device, row.paused]),
    ).toEqual(
      keywords
        .toSorted((a, b) => a.id - b.id)
        .map(({ id, phrase, country, device, paused }) => [id, phrase, country, device, paused]),
    );
  });
});
