import { inTransaction } from '#db/database.ts';
import { recordListing, type RecordedListing } from '#domain/tracking/listings/record-listing.ts';
import type { AppListing } from '#domain/base/ports.ts';
import type { TestApi } from '../harness/api.ts';

/** Defaults of every fetch. */
const shown = {
  bundleId: null,
  developer: 'Lumen Labs',
  iconUrl: 'https://is1-ssl.mzstatic.com/image/thumb/icon.png/512x512bb.jpg',
  rating: 4.5,
  ratingCount: 1000,
  subtitle: null,
  description: 'Build habits that last.',
  summary: null,
  categoryId: '6013',
  category: 'Health & Fitness',
  priceMicros: 0,
  currency: 'USD',
  version: '1.0',
  releaseNotes: null,
  releasedAt: null,
  updatedAt: null,
  contentRating: '4+',
  sizeBytes: 9_007_199_254_740_993n,
  minimumOsVersion: '16.0',
  languages: ['EN'],
  screenshotUrls: [],
  developerId: null,
  developerUrl: null,
  inAppPurchases: null,
  installs: null,
  unread: [],
};

/** A listing as the store returns it. */
export const listingOf = (storeAppId: string, over: Partial<AppListing> = {}): AppListing => ({
  ...shown,
  storeAppId,
  name: 'Lumen: Habit Tracker',
  storeUrl: `https://apps.apple.com/us/app/id${storeAppId}`,
  ...over,
});

/** A fetch of a listing as the daily run does it. */
export function readAt(
  api: TestApi,
  storeAppId: string,
  at: string,
  over: Partial<AppListing> = {},
  country = 'us',
  language = 'en',
): Promise<RecordedListing> {
  const listing = listingOf(storeAppId, over);
  return inTransaction(api.db.systemDb, (tx) =>
    recordListing(tx, { store: 'ios', listing, country, language, now: new Date(at) }),
  );
}

/** Sets the start of tracking of the workspace's app. */
export async function trackSince(api: TestApi, appId: number, since: string): Promise<void> {
  await api.db.pool.query('update apps set created_at = $2 where id = $1', [appId, since]);
}

/** A competitor of the app since an instant. */
export async function insertCompetitor(
  api: TestApi,
  input: { workspaceId: number; appId: number; listingId: number; since: string },
): Promise<number> {
  const { rows } = await api.db.pool.query(
    'insert into competitors (workspace_id, app_id, listing_id, tracking_periods, followed_at, ' +
      'created_at) values ($1, $2, $3, $4, $5, $5) returning id',
    [
      input.workspaceId,
      input.appId,
      input.listingId,
      JSON.stringify([[input.since.slice(0, 10), 200]]),
      input.since,
    ],
  );
  return rows[0].id as number;
}
