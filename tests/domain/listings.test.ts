import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { inTransaction } from '#db/database.ts';
import { FieldWatch } from '#domain/tracking/drift/field-watch.ts';
import { internCards, ListingCache } from '#domain/tracking/listings/intern-listings.ts';
import { recordListing } from '#domain/tracking/listings/record-listing.ts';
import { readPage } from '#domain/scheduling/store-tasks/fetch-page.ts';
import { TestClock } from '#lib/clock.ts';
import type { AppCard, AppListing, PageResponse } from '#domain/base/ports.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(() => database.pool.query('truncate listings restart identity cascade'));

const now = new Date('2026-11-21T10:00:00Z');
const cost = { requests: 1, bytes: 0, ms: 0 };
const nextDay = new Date('2026-11-22T10:00:00Z');

function card(storeAppId: string, over: Partial<AppCard> = {}): AppCard {
  return {
    storeAppId,
    bundleId: null,
    name: `App ${storeAppId}`,
    developer: 'Dev',
    iconUrl: null,
    rating: 4.5,
    ratingCount: 1000,
    unread: [],
    ...over,
  };
}

function listing(over: Partial<AppListing> = {}): AppListing {
  return {
    ...card('com.example'),
    subtitle: null,
    description: 'Long.\nText',
    summary: 'Short',
    storeUrl: 'https://play.google.com/store/apps/details?id=com.example',
    categoryId: 'TOOLS',
    category: 'Tools',
    priceMicros: 0,
    currency: 'USD',
    version: '1.0',
    releaseNotes: null,
    releasedAt: '2020-01-01T00:00:00.000Z',
    updatedAt: null,
    contentRating: null,
    sizeBytes: null,
    minimumOsVersion: null,
    languages: ['EN', 'DE'],
    screenshotUrls: ['https://play-lh.googleusercontent.com/abc=w526-h296'],
    developerId: null,
    developerUrl: null,
    inAppPurchases: null,
    installs: 5n,
    ...over,
  };
}

function record(over: Partial<AppListing> = {}, at = now, country = 'us') {
  return inTransaction(database.systemDb, (tx) =>
    recordListing(tx, {
      store: 'android',
      listing: listing(over),
      country,
      language: 'en',
      now: at,
    }),
  );
}

const count = async (table: string) =>
  Number((await database.pool.query(`select count(*) from ${table}`)).rows[0].count);

describe('storing the page of a listing', () => {
  const page = { rating: 4.5, ratingCount: 5, histogram: null, similar: [], cost };
  const readOn = (
    day: string,
    task: { listingId: number; readOn: string | null },
    facts: Pick<PageResponse, 'subtitle' | 'unread'>,
  ) => {
    const services = {
      systemDb: database.systemDb,
      clock: new TestClock(`${day}T12:00:00Z`),
      stores: { android: { page: async () => ({ ...page, ...facts }) } },
      fieldWatch: new FieldWatch(),
    };
    const row = { id: 1, store: 'android', country: 'us', lostOn: null, lostFields: [], ...task };
    return readPage(services as never, row as never, day, {} as never);
  };

  test('records the change of a subtitle that the first page gave the first snapshot', async () => {
    const { listingId } = await record();
    const read = (day: string, subtitle: string, readBefore: string | null) =>
      readOn(day, { listingId, readOn: readBefore }, { subtitle, unread: [] });
    await read('2026-11-21', 'First', null);
    await read('2026-11-22', 'Second', '2026-11-21');
    const stored = await database.pool.query(
      `select s.fields->>'subtitle' as subtitle, c.before, c.after, c.previous_at as previous
       from snapshots s left join changes c on c.snapshot_id = s.id order by s.id`,
    );
    expect(stored.rows).toEqual([
      { subtitle: 'First', before: null, after: null, previous: null },
      { subtitle: 'Second', before: 'First', after: 'Second', previous: now },
    ]);
  });

  test('keeps the subtitle until the page of a later day confirms that it is gone', async () => {
    const { listingId } = await record();
    const read = (day: string, facts: Pick<PageResponse, 'subtitle' | 'unread'>, lost?: object) =>
      readOn(day, { listingId, readOn: '2026-11-21', ...lost }, facts);
    const subtitles = async () =>
      (await database.pool.query(`select fields->>'subtitle' as subtitle from snapshots`)).rows;

    await read('2026-11-21', { subtitle: 'Sub', unread: [] });
    await read('2026-11-22', { subtitle: null, unread: ['subtitle'] });
    expect(await subtitles()).toEqual([{ subtitle: 'Sub' }]);
    expect(await count('rating_days')).toBe(2);
    const gone = { subtitle: null, unread: [] };
    const { lostOn, lostFields } = await read('2026-11-23', gone);
    const lost = { lostOn, lostFields };
    expect(lost).toEqual({ lostOn: '2026-11-23', lostFields: ['subtitle'] });
    expect(await subtitles()).toEqual([{ subtitle: 'Sub' }]);
    await read('2026-11-23', gone, lost);
    expect(await subtitles()).toEqual([{ subtitle: 'Sub' }]);
    expect((await read('2026-11-24', gone, lost)).lostFields).toEqual([]);
    expect(await subtitles()).toEqual([{ subtitle: 'Sub' }, { subtitle: null }]);
  });
});

describe('storing a listing', () => {
  test('writes no snapshot and no change for the same texts', async () => {
    const first = await record();
    const second = await record({}, nextDay);
    expect(first).toMatchObject({ previous: null, changes: [] });
    expect(second.snapshot.id).toBe(first.snapshot.id);
    expect(second.changes).toEqual([]);
    expect(await count('snapshots')).toBe(1);
    expect(await count('listing_days')).toBe(2);
  });

  test('ignores the order of languages, and size and host of pictures', async () => {
    const icon = (host: string, size: string) =>
      `https://${host}.mzstatic.com/image/thumb/Purple/v4/ab/AppIcon.png/${size}bb.jpg`;
    await record({ iconUrl: icon('is1-ssl', '512x512') });
    const again = await record({
      iconUrl: icon('is4-ssl', '100x100'),
      languages: ['DE', 'EN'],
      screenshotUrls: ['https://play-lh.googleusercontent.com/abc=s180-rw'],
      storeUrl: 'https://play.google.com/store/apps/details?id=com.example&gl=US',
    });
    expect(again.changes).toEqual([]);
    expect(await count('snapshots')).toBe(1);
  });

  test('records every changed text, price and number, and keeps the rest', async () => {
    await record({ sizeBytes: 10n });
    const { changes, snapshot, previous } = await record(
      {
        name: 'New',
        priceMicros: 990_000,
        sizeBytes: 11n,
        rating: 4.65123,
        ratingCount: 1001,
        installs: 2n ** 63n - 1n,
        screenshotUrls: [],
      },
      nextDay,
    );
    expect(changes).toEqual([
      { field: 'name', before: 'App com.example', after: 'New' },
      {
        field: 'screenshotUrls',
        before: ['https://play-lh.googleusercontent.com/abc=w526-h296'],
        after: [],
      },
      { field: 'price', before: 0, after: 0.99 },
      { field: 'sizeBytes', before: 10n, after: 11n },
      { field: 'rating', before: 4.5, after: 4.65123 },
      { field: 'ratingCount', before: 1000, after: 1001 },
      { field: 'installs', before: 5n, after: 9_223_372_036_854_775_807n },
    ]);
    expect(snapshot.id).not.toBe(previous?.id);
    expect(previous?.takenAt).toEqual(now);
  });

  test('with changed numbers writes the day and no snapshot', async () => {
    await record();
    const { changes } = await record({ ratingCount: 1001 });
    expect(changes).toEqual([{ field: 'ratingCount', before: 1000, after: 1001 }]);
    expect([await count('snapshots'), await count('listing_days')]).toEqual([1, 1]);
  });

  test('keeps the known value of a field that could not be read, which is no change', async () => {
    const first = await record({ iconUrl: 'https://a.b/icon.png' });
    const nothing = {
      developer: null,
      iconUrl: null,
      description: null,
      priceMicros: null,
      languages: [],
      rating: null,
      installs: null,
    };
    const { snapshot, changes } = await record(
      { ...nothing, ratingCount: 1001, unread: Object.keys(nothing) },
      nextDay,
    );
    expect(changes).toEqual([{ field: 'ratingCount', before: 1000, after: 1001 }]);
    expect(snapshot).toMatchObject({
      id: first.snapshot.id,
      fields: first.snapshot.fields,
      rating: null,
      ratingCount: 1001,
      installs: null,
    });
    expect(await count('snapshots')).toBe(1);
    const { rows } = await database.pool.query(
      'select developer, icon_url, rating, rating_count from listings',
    );
    expect(rows).toEqual([
      { developer: 'Dev', icon_url: 'https://a.b/icon.png', rating: 4.5, rating_count: 1001 },
    ]);
    const days = await database.pool.query(
      'select installs, price_micros from listing_days order by on_date',
    );
    expect(days.rows.at(-1)).toEqual({ installs: null, price_micros: null });
  });

  test('takes an update back when the store has shown the older one for two days', async () => {
    const older = { name: 'Older', updatedAt: '2026-11-01T00:00:00.000Z', ratingCount: 900 };
    const newer = { name: 'Newer', updatedAt: '2026-11-20T00:00:00.000Z', ratingCount: 950 };
    const at = (hours: number) => new Date(now.getTime() + hours * 3_600_000);
    await record(older, at(-24));
    await record(newer);
    const { changes, snapshot } = await record({ ...older, priceMicros: 5 }, at(5));
    expect([changes, snapshot.fields.name, snapshot.ratingCount]).toEqual([[], 'Newer', 950]);
    expect((await record(older, at(47))).changes.map(({ field }) => field)).toEqual([]);
    expect((await record(newer, at(47.5))).changes.map(({ field }) => field)).toEqual([
      'ratingCount',
    ]);
    expect(await count('snapshots')).toBe(2);
    expect((await record(older, at(48))).changes.map(({ field }) => field)).toEqual([
      'name',
      'updatedAt',
      'ratingCount',
    ]);
    expect(await count('snapshots')).toBe(3);
  });

  test('keeps a number of the same day that a later reading could not read', async () => {
    await record();
    const { snapshot } = await record({ installs: null, unread: ['installs'] });
    expect(snapshot.installs).toBe(5n);
    expect((await record({ installs: null })).snapshot.installs).toBeNull();
  });

  test('for a person takes no value away, and a number of the day stays', async () => {
    await record({ releaseNotes: 'Notes', sizeBytes: 5n });
    const absent = { releaseNotes: null, sizeBytes: null, rating: null, installs: null };
    const reading = { ...listing({ ...absent, name: 'New' }), subtitle: null };
    const recordKeeping = (at: Date) =>
      inTransaction(database.systemDb, (tx) =>
        recordListing(tx, {
          store: 'android',
          listing: reading,
          country: 'us',
          language: 'en',
          now: at,
          keepsLost: true,
        }),
      );
    const { keptTexts, changes, snapshot } = await recordKeeping(now);
    expect(keptTexts).toEqual(['releaseNotes', 'sizeBytes']);
    expect(changes.map(({ field }) => field)).toEqual(['name']);
    expect(snapshot).toMatchObject({ rating: 4.5, installs: 5n, fields: { sizeBytes: 5n } });
    // Another day has numbers of its own, and the card has the last known ones.
    expect((await recordKeeping(nextDay)).snapshot).toMatchObject({ rating: null, installs: null });
    const { rows } = await database.pool.query('select rating, rating_count from listings');
    expect(rows).toEqual([{ rating: 4.5, rating_count: 1000 }]);
  });

  test('takes other fields of a reading with one that could not be read', async () => {
    await record();
    const { changes } = await record({ name: 'New', version: null, unread: ['version'] }, nextDay);
    expect(changes).toEqual([{ field: 'name', before: 'App com.example', after: 'New' }]);
  });

  test('keeps the countries apart', async () => {
    await record();
    expect((await record({ name: 'Anders' }, now, 'de')).previous).toBeNull();
    expect((await record({}, nextDay)).changes).toEqual([]);
  });

  test.each([0n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 63n - 1n, null])(
    'keeps %s installs exactly',
    async (installs) => {
      await record({ installs, sizeBytes: installs });
      const { previous } = await record({ installs, sizeBytes: installs });
      expect(previous).toMatchObject({ installs, fields: { sizeBytes: installs } });
    },
  );

  test('keeps a rating with the decimals of the store', async () => {
    for (const rating of [4.76543, 1.00001, 4.99999, 0.1, 5, 3.3333333333]) {
      await record({ rating });
      const stored = await database.pool.query('select rating from listing_days');
      expect(stored.rows[0].rating).toBe(Math.round(rating * 1e5) / 1e5);
    }
  });

  test('survives hostile texts', async () => {
    const { snapshot } = await record({
      name: 'Bad\0 na\u0007me\n\ud800 end',
      description: `${'😀'.repeat(20_000)}\0`,
      iconUrl: 'javascript:alert(1)',
      screenshotUrls: ['https://x.example/a b', 'https://x.example/"onload'],
      ratingCount: 5_000_000_000,
      installs: 2n ** 63n,
    });
    expect(snapshot.fields).toMatchObject({
      name: 'Bad name end',
      iconUrl: null,
      screenshotUrls: [],
    });
    expect(snapshot.fields.description).toBe('😀'.repeat(10_000));
    expect(snapshot).toMatchObject({ ratingCount: 2_147_483_647, installs: null });
    expect(
      (await record({ name: 'Bad\0 na\u0007me\n\ud800 end', description: 'x' })).changes.map(
        (change) => change.field,
      ),
    ).not.toContain('name');
  });

  test('many times at once still writes one listing and one snapshot', async () => {
    const results = await Promise.all(Array.from({ length: 12 }, () => record()));
    expect(new Set(results.map((result) => result.snapshot.id)).size).toBe(1);
    expect([
      await count('listings'),
      await count('snapshots'),
      await count('listing_days'),
    ]).toEqual([1, 1, 1]);
  });
});

describe('listing ids of result cards', () => {
  const intern = (
    cards: AppCard[],
    options: { cache?: ListingCache; day?: string; country?: string } = {},
  ) =>
    internCards(database.systemDb, options.cache ?? new ListingCache(), 'ios', cards, {
      day: options.day ?? '2026-11-21',
      country: options.country ?? 'us',
    });

  test('are in the order of the cards, with and without the cache', async () => {
    const cache = new ListingCache();
    const cards = ['9', '10', '2'].map((id) => card(id));
    const ids = await intern(cards, { cache });
    expect(new Set(ids).size).toBe(3);
    expect(await intern(cards.toReversed())).toEqual(ids.toReversed());
    expect(await intern([cards[2]!, card('new'), cards[0]!, cards[2]!], { cache })).toEqual([
      ids[2],
      expect.any(Number),
      ids[0],
      ids[2],
    ]);
    expect(await intern([], { cache })).toEqual([]);
  });

  test('need no query while the cache has the cards', async () => {
    const cache = new ListingCache();
    const cards = [card('1'), card('2')];
    const ids = await intern(cards, { cache });
    const noDatabase = new Proxy(
      {},
      {
        get: (_target, name) =>
          name === 'isTransaction' ? false : expect.unreachable(String(name)),
      },
    );
    expect(
      await internCards(noDatabase as never, cache, 'ios', cards, {
        day: '2026-11-22',
        country: 'us',
      }),
    ).toEqual(ids);
    expect(
      await internCards(noDatabase as never, cache, 'ios', [card('1', { name: 'Other' })], {
        day: '2026-11-21',
        country: 'us',
      }),
    ).toEqual([ids[0]]);
  });

  test('update a changed card once a day at most, and not for one more rating', async () => {
    const cache = new ListingCache();
    await intern([card('1')], { cache });
    const name = async () =>
      (await database.pool.query('select name, rating_count, seen_on from listings')).rows[0];
    await intern([card('1', { name: 'Second' })], { cache });
    await intern([card('1', { name: 'Second' })]);
    expect(await name()).toMatchObject({ name: 'App 1', seen_on: '2026-11-21' });
    await intern([card('1', { ratingCount: 1001 })], { cache, day: '2026-11-22' });
    expect(await name()).toMatchObject({ rating_count: 1000, seen_on: '2026-11-21' });
    await intern([card('1', { name: 'Second' })], { cache, day: '2026-11-22' });
    expect(await name()).toMatchObject({ name: 'Second', seen_on: '2026-11-22' });
    await intern([card('1', { name: 'Third' })], { cache, day: '2026-11-22' });
    expect(await name()).toMatchObject({ name: 'Second' });
  });

  test('name a listing per storefront, each written once a day', async () => {
    const named = async () =>
      (
        await database.pool.query(
          'select l.named_in, l.name, n.country, n.name as other from listings l left join ' +
            'listing_names n on n.listing_id = l.id',
        )
      ).rows;
    await intern([card('1')]);
    await intern([card('1', { name: 'Eins' })], { country: 'de' });
    await intern([card('1', { name: 'Uno' })], { country: 'de' });
    expect(await named()).toEqual([
      { named_in: 'us', name: 'App 1', country: 'de', other: 'Eins' },
    ]);
    await intern([card('1', { name: 'Uno' })], { country: 'de', day: '2026-11-22' });
    await intern([card('1', { name: 'One' })], { day: '2026-11-22' });
    expect(await named()).toEqual([{ named_in: 'us', name: 'One', country: 'de', other: 'Uno' }]);
  });

  test('keep ratings that a card lacks, which does not count as a change', async () => {
    const read = async () =>
      (await database.pool.query('select name, rating, rating_count, seen_on from listings'))
        .rows[0];
    const silent = { ratingCount: null };
    await intern([card('1')]);
    await intern([card('1', silent)], { day: '2026-11-22' });
    expect(await read()).toEqual({
      name: 'App 1',
      rating: 4.5,
      rating_count: 1000,
      seen_on: '2026-11-21',
    });
    await intern([card('1', { ...silent, rating: null, name: 'Second' })], { day: '2026-11-22' });
    expect(await read()).toEqual({
      name: 'Second',
      rating: 4.5,
      rating_count: 1000,
      seen_on: '2026-11-22',
    });
    await intern([card('1', { name: 'Second', ratingCount: 1100 })], { day: '2026-11-23' });
    await intern([card('1', { name: 'Second', ratingCount: 1200 })], { day: '2026-11-24' });
    expect(await read()).toEqual({
      name: 'Second',
      rating: 4.5,
      rating_count: 1200,
      seen_on: '2026-11-24',
    });
  });

  test('do not consume ids of the sequence for known listings', async () => {
    for (let round = 0; round < 20; round++)
      await intern([card('1'), card('2')], { day: `2026-11-${21 + (round % 5)}` });
    expect(await intern([card('3')])).toEqual([3]);
  });

  test('are not cached if their transaction is rolled back', async () => {
    const cache = new ListingCache();
    const failing = inTransaction(database.systemDb, async (tx) => {
      await internCards(tx, cache, 'ios', [card('1')], { day: '2026-11-21', country: 'us' });
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    expect(cache.size).toBe(0);
    await inTransaction(database.systemDb, (tx) =>
      internCards(tx, cache, 'ios', [card('1')], { day: '2026-11-21', country: 'us' }),
    );
    expect(cache.size).toBe(1);
  });

  test.each(['in transactions', 'without'])(
    'are the same for 32 concurrent writers, %s, without a deadlock',
    async (mode) => {
      const shuffled = (seed: number) =>
        Array.from({ length: 60 }, (_, index) =>
          card(String((index * 7 + seed * 13) % 90), { name: `Name of ${seed}` }),
        );
      await intern(
        Array.from({ length: 30 }, (_, index) => card(String(index))),
        { day: '2026-11-20' },
      );
      const before = await database.pool.query(
        'select deadlocks from pg_stat_database where datname = current_database()',
      );
      const responses = await Promise.all(
        Array.from({ length: 32 }, async (_, seed) => {
          const cards = shuffled(seed);
          const work = (db: Parameters<typeof internCards>[0]) =>
            internCards(db, new ListingCache(), 'ios', cards, {
              day: '2026-11-21',
              country: seed % 2 ? 'us' : 'de',
            });
          const ids =
            mode === 'without'
              ? await work(database.systemDb)
              : await inTransaction(database.systemDb, work);
          return cards.map((one, index) => [one.storeAppId, ids[index]!] as const);
        }),
      );
      const seen = new Map<string, number>();
      for (const [storeAppId, id] of responses.flat()) {
        expect(seen.get(storeAppId) ?? id).toBe(id);
        seen.set(storeAppId, id);
      }
      expect(await count('listings')).toBe(seen.size);
      const after = await database.pool.query(
        'select deadlocks from pg_stat_database where datname = current_database()',
      );
      expect(after.rows[0].deadlocks).toBe(before.rows[0].deadlocks);
    },
  );

  test('are evicted least recently used first', () => {
    const cache = new ListingCache(2);
    const entry = (id: number) => ({ id, hash: 0, seenOn: null });
    cache.set('ios', 'a', entry(1));
    cache.set('ios', 'b', entry(2));
    cache.get('ios', 'a');
    cache.set('ios', 'c', entry(3));
    expect([
      cache.get('ios', 'a')?.id,
      cache.get('ios', 'b'),
      cache.get('ios', 'c')?.id,
      cache.get('android', 'a'),
    ]).toEqual([1, undefined, 3, undefined]);
  });
});

test('both database roles can write what they must', async () => {
  await inTransaction(database.appDb, (tx) =>
    recordListing(tx, { store: 'ios', listing: listing(), country: 'us', language: null, now }),
  );
  await inTransaction(database.systemDb, (tx) =>
    recordListing(tx, {
      store: 'ios',
      listing: listing({ name: 'B' }),
      country: 'us',
      language: null,
      now,
    }),
  );
  const { rows } = await sql<{ name: string }>`select name from listings`.execute(
    database.systemDb,
  );
  expect(rows).toEqual([{ name: 'B' }]);
});
