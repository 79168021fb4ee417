import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const source = (path: string) => JSON.stringify(new URL(`../../src/${path}`, import.meta.url).href);

/** Fetches a listing just before and after midnight, in a process with another local time. */
const child = `
  import { openPool } from ${source('db/pool.ts')};
  import { openDatabase, inTransaction } from ${source('db/database.ts')};
  import { silentLogger } from ${source('lib/logger.ts')};
  import { recordListing } from ${source('domain/tracking/listings/record-listing.ts')};
  import { presentSnapshot } from ${source('domain/tracking/listings/listing-snapshot.ts')};
  const pool = openPool({ url: process.env.TEST_URL, role: 'system', max: 1,
    statementTimeoutMs: 10_000, log: silentLogger });
  const db = openDatabase(pool);
  const listing = {
    storeAppId: process.env.TZ, bundleId: null, name: 'N', developer: null, iconUrl: null,
      rating: 4.5, ratingCount: 1, subtitle: null, description: null,
    summary: null, storeUrl: 'https://x.example/', categoryId: null, category: null, priceMicros: 0,
      currency: null, version: null, releaseNotes: null,
    releasedAt: '2024-02-29T23:59:59.000Z', updatedAt: '2026-03-29T01:30:00.000Z',
      contentRating: null, sizeBytes: null, minimumOsVersion: null,
    languages: [], screenshotUrls: [], developerId: null, developerUrl: null, inAppPurchases: null,
      installs: null, unread: [],
  };
  const read = (now) => inTransaction(db, (tx) => recordListing(tx, { store: 'ios', listing,
    country: 'us', language: null, now: new Date(now) }));
  await read('2026-12-31T23:59:58Z');
  const second = await read('2027-01-01T00:00:03Z');
  const days = await pool.query('select on_date, read_at from listing_days ' +
    'where listing_id = $1 order by 1', [second.listingId]);
  const shown = [second.previous, second.snapshot].map((reading) => ({ ...presentSnapshot(reading),
    id: 0 }));
  console.log(JSON.stringify({ days: days.rows, shown, changes: second.changes }));
  await pool.end();
`;

test('days and instants are the same in every time zone of the machine', async () => {
  const zones = ['UTC', 'Pacific/Kiritimati', 'America/St_Johns', 'Asia/Tokyo'];
  const outputs: string[] = [];
  for (const TZ of zones) {
    const env = { PATH: process.env['PATH'], TZ, TEST_URL: database.url };
    outputs.push(
      (
        await promisify(execFile)(process.execPath, ['--input-type=module', '-e', child], {
          env,
          timeout: 120_000,
        })
      ).stdout,
    );
  }
  expect(new Set(outputs).size).toBe(1);
  expect(JSON.parse(outputs[0]!)).toMatchObject({
    days: [
      { on_date: '2026-12-31', read_at: '2026-12-31T23:59:58.000Z' },
      { on_date: '2027-01-01', read_at: '2027-01-01T00:00:03.000Z' },
    ],
    shown: [
      { takenAt: '2026-12-31T23:59:58.000Z', releasedAt: '2024-02-29T23:59:59.000Z' },
      { takenAt: '2027-01-01T00:00:03.000Z' },
    ],
    changes: [],
  });
});
