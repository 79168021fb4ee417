import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { inTransaction } from '#db/database.ts';
import { recordListing } from '#domain/tracking/listings/record-listing.ts';
import { recordSubtitle } from '#domain/tracking/listings/record-subtitle.ts';
import type { AppListing } from '#domain/base/ports.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(() => database.pool.query('truncate listings restart identity cascade'));

const whole: AppListing = {
  storeAppId: 'com.example.app',
  bundleId: 'com.example.app',
  name: 'Lumen: Habit Tracker',
  developer: 'Lumen Labs',
  iconUrl: 'https://is1-ssl.mzstatic.com/image/thumb/icon.png/512x512bb.jpg',
  rating: 4.5,
  ratingCount: 1000,
  subtitle: 'Daily goals',
  description: 'Build habits that last.\nSee your streaks grow.',
  summary: 'Habits that last',
  storeUrl: 'https://play.google.com/store/apps/details?id=com.example.app',
  categoryId: 'HEALTH',
  category: 'Health & Fitness',
  priceMicros: 0,
  currency: 'USD',
  version: '1.0',
  releaseNotes: 'First steps.',
  releasedAt: '2020-01-01T00:00:00.000Z',
  updatedAt: '2026-10-01T00:00:00.000Z',
  contentRating: '4+',
  sizeBytes: 10_000_000n,
  minimumOsVersion: '16.0',
  languages: ['EN', 'DE', 'FR'],
  screenshotUrls: [
    'https://play-lh.googleusercontent.com/a=w526',
    'https://play-lh.googleusercontent.com/b=w526',
  ],
  developerId: '12',
  developerUrl: 'https://lumen.example/',
  inAppPurchases: true,
  installs: 5n,
  unread: [],
};

let hour = 0;
/** Each fetch is an hour after the previous one. */
function read(over: Partial<AppListing> = {}, language: string | null = 'en') {
  hour += 1;
  const now = new Date(Date.UTC(2026, 10, 1, hour));
  return inTransaction(database.systemDb, (tx) =>
    recordListing(tx, {
      store: 'android',
      listing: { ...whole, ...over },
      country: 'us',
      language,
      now,
    }),
  );
}

async function listChangeRows(): Promise<{ field: string; before: unknown; after: unknown }[]> {
  return (await database.pool.query('select field, before, after from changes order by id')).rows;
}

/** The same listing in another response: nobody changed anything in it. */
const noise = fc.record({
  gone: fc.subarray(
    [
      'subtitle',
      'summary',
      'description',
      'developer',
      'iconUrl',
      'category',
      'priceMicros',
      'currency',
      'version',
      'releaseNotes',
      'contentRating',
      'minimumOsVersion',
      'inAppPurchases',
    ] as const,
    { minLength: 0, maxLength: 5 },
  ),
  emptied: fc.subarray(['languages', 'screenshotUrls'] as const),
  keys: fc.shuffledSubarray(Object.keys(whole), { minLength: Object.keys(whole).length }),
  languages: fc.shuffledSubarray(whole.languages, { minLength: whole.languages.length }),
  space: fc.constantFrom(' ', '  ', '\n', '\t ', '\u00a0', '\r\n\r\n'),
  host: fc.integer({ min: 1, max: 5 }),
  width: fc.integer({ min: 50, max: 999 }),
  rating: fc.double({ min: 1, max: 5, noNaN: true }),
  form: fc.constantFrom('NFC', 'NFD'),
});

function disturb(
  listing: AppListing,
  how: ReturnType<typeof noise.generate>['value'],
): Partial<AppListing> {
  const spaced = (text: string | null) =>
    text && ` ${text.normalize(how.form).replaceAll(' ', how.space)} `;
  const shown = {
    ...listing,
    name: spaced(listing.name)!,
    description: spaced(listing.description),
    releaseNotes: spaced(listing.releaseNotes),
    iconUrl: `https://is${how.host}-ssl.mzstatic.com/image/thumb/icon.png/${how.width}x${how.width}bb.jpg`,
    screenshotUrls: ['a', 'b'].map(
      (name) => `https://play-lh.googleusercontent.com/${name}=w${how.width}-h${how.width}`,
    ),
    languages: how.languages,
    rating: how.rating,
    ratingCount: 1000 + how.width,
    installs: BigInt(how.width),
    ...Object.fromEntries(how.gone.map((field) => [field, null])),
    ...Object.fromEntries(how.emptied.map((field) => [field, []])),
  };
  return Object.fromEntries(how.keys.map((key) => [key, shown[key as keyof AppListing]]));
}

test('the same listing in any order, form, size and with missing facts is no change', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(noise, { minLength: 1, maxLength: 4 }), async (readings) => {
      await database.pool.query('truncate listings restart identity cascade');
      const listing = {
        ...whole,
        name: 'Café Übung',
        description: 'Größe zählt.\n\nCafé and more words',
      };
      await read(listing);
      for (const how of readings) await read(disturb(listing, how));
      await read(listing);
      expect(await listChangeRows()).toEqual([]);
      await read({ ...listing, category: 'Lifestyle' });
      expect(await listChangeRows()).toEqual([
        { field: 'category', before: whole.category, after: 'Lifestyle' },
      ]);
    }),
    { numRuns: 30 },
  );
});

test('a release writes a row per changed field with the snapshot, none for numbers', async () => {
  await read();
  const { snapshot, previous } = await read({
    name: 'Lumen: Habits',
    priceMicros: 1_990_000,
    version: '1.1',
    releaseNotes: 'Faster.',
    screenshotUrls: [...whole.screenshotUrls].toReversed(),
    languages: ['EN'],
    inAppPurchases: false,
    sizeBytes: 11_000_000n,
    updatedAt: '2026-11-01T00:00:00.000Z',
    rating: 4.4,
    installs: 50n,
  });
  expect(await listChangeRows()).toEqual([
    { field: 'name', before: 'Lumen: Habit Tracker', after: 'Lumen: Habits' },
    {
      field: 'screenshotUrls',
      before: whole.screenshotUrls,
      after: whole.screenshotUrls.toReversed(),
    },
    { field: 'price', before: 0, after: 1.99 },
    { field: 'version', before: '1.0', after: '1.1' },
    { field: 'releaseNotes', before: 'First steps.', after: 'Faster.' },
    { field: 'languages', before: ['EN', 'DE', 'FR'], after: ['EN'] },
    { field: 'inAppPurchases', before: true, after: false },
  ]);
  const { rows } = await database.pool.query(
    'select distinct country, language, version, detected_at, previous_at, snapshot_id from ' +
      'changes',
  );
  expect(rows).toEqual([
    {
      country: 'us',
      language: 'en',
      version: '1.1',
      detected_at: snapshot.takenAt,
      previous_at: previous!.takenAt,
      snapshot_id: BigInt(snapshot.id),
    },
  ]);
});

test('the previous snapshot counts from its last sighting, not its first', async () => {
  await read();
  const { snapshot } = await read();
  await read({ name: 'Other' });
  const { rows } = await database.pool.query('select previous_at, detected_at from changes');
  expect(rows).toEqual([
    {
      previous_at: snapshot.takenAt,
      detected_at: new Date(snapshot.takenAt.getTime() + 3_600_000),
    },
  ]);
});

describe('a field missing in a response', () => {
  test('is compared with the last response that had it', async () => {
    await read();
    await read({ contentRating: null, screenshotUrls: [] });
    await read({ contentRating: null, screenshotUrls: [], name: 'Other' });
    await read({ contentRating: '12+', name: 'Other' });
    expect(await listChangeRows()).toEqual([
      { field: 'name', before: whole.name, after: 'Other' },
      { field: 'contentRating', before: '4+', after: '12+' },
    ]);
  });

  test('that was never present before is no change when it appears', async () => {
    await read({ summary: null, languages: [], inAppPurchases: null });
    await read();
    expect(await listChangeRows()).toEqual([]);
  });

  test('does not apply to release notes, which come and go with the version', async () => {
    await read({ releaseNotes: null });
    await read({ releaseNotes: 'Late notes' });
    await read({ releaseNotes: null });
    expect(await listChangeRows()).toEqual([]);
    await read({ releaseNotes: 'Notes', version: '1.1' });
    await read({ releaseNotes: null, version: '1.2' });
    expect((await listChangeRows()).filter(({ field }) => field === 'releaseNotes')).toEqual([
      { field: 'releaseNotes', before: null, after: 'Notes' },
      { field: 'releaseNotes', before: 'Notes', after: null },
    ]);
  });
});

test('texts in another language are not compared; fields without language are', async () => {
  await read();
  await read({ name: 'Lumen: Gewohnheiten', description: 'Gewohnheiten.', version: '2.0' }, 'de');
  expect(await listChangeRows()).toEqual([{ field: 'version', before: '1.0', after: '2.0' }]);
});

test('a subtitle that only the page shows is no change when first fetched', async () => {
  const { listingId } = await read({ subtitle: null });
  const readPage = (subtitle: string | null, previousOn: string | null) => {
    hour += 1;
    const now = new Date(Date.UTC(2026, 10, 1, hour));
    return inTransaction(database.systemDb, (tx) =>
      recordSubtitle(tx, { listingId, country: 'us', subtitle, previousOn, now }),
    );
  };
  await readPage('Goals', null);
  await read({ subtitle: null });
  await readPage('Goals', '2026-11-01');
  expect(await listChangeRows()).toEqual([]);
  await readPage('Better goals', '2026-11-01');
  await read({ subtitle: null });
  await readPage(null, '2026-11-02');
  expect(await listChangeRows()).toEqual([
    { field: 'subtitle', before: 'Goals', after: 'Better goals' },
    { field: 'subtitle', before: 'Better goals', after: null },
  ]);
});

test('a rolled back fetch leaves neither snapshot nor change', async () => {
  await read();
  const failing = inTransaction(database.systemDb, async (tx) => {
    await recordListing(tx, {
      store: 'android',
      listing: { ...whole, name: 'Other' },
      country: 'us',
      language: 'en',
      now: new Date(),
    });
    throw new Error('rolled back');
  });
  await expect(failing).rejects.toThrow('rolled back');
  expect(await listChangeRows()).toEqual([]);
});

test('concurrent fetches of one change write it once', async () => {
  await read();
  await Promise.all(Array.from({ length: 10 }, () => read({ name: 'Other' })));
  expect(await listChangeRows()).toEqual([{ field: 'name', before: whole.name, after: 'Other' }]);
});
