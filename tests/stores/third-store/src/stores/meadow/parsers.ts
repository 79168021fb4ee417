import type { AppCard, AppListing, StoreName } from '#domain/base/ports.ts';
import { unreadable } from '#stores/store-errors.ts';
import { isRecord, readCount, readRating, readText } from '#stores/value-readers.ts';

export interface ResultPage {
  items: AppCard[];
  /** Results of the whole search. */
  total: number;
}

/** Reads a page of `/v1/search`. Throws StoreError `unreadable`. */
export function parseSearch(store: StoreName, body: string): ResultPage {
  const { total, apps } = readObject(store, body);
  const count = readCount(total);
  if (typeof count !== 'number') throw unreadable(store, 'total', 'no number of results');
  return { items: readApps(store, apps).map((app) => readCard(store, app)), total: count };
}

/** Reads `/v1/apps` into listings by id; apps that the country lacks are absent. */
export function parseListings(
  store: StoreName,
  body: string,
  pageUrl: (storeAppId: string) => string,
): Map<string, AppListing> {
  const listings = readApps(store, readObject(store, body)['apps']).map((app): AppListing => ({
    ...readCard(store, app),
    subtitle: null,
    summary: null,
    description: readText(app['description']) ?? null,
    storeUrl: pageUrl(String(app['id'])),
    categoryId: 'health',
    category: 'Health',
    priceMicros: 0,
    currency: 'USD',
    version: readText(app['version']) ?? null,
    releaseNotes: null,
    releasedAt: null,
    updatedAt: null,
    contentRating: null,
    sizeBytes: null,
    minimumOsVersion: null,
    languages: [],
    screenshotUrls: [],
    developerId: null,
    developerUrl: null,
    inAppPurchases: null,
    installs: null,
  }));
  return new Map(listings.map((listing) => [listing.storeAppId, listing]));
}

export function parseHints(store: StoreName, body: string): string[] {
  const { terms } = readObject(store, body);
  if (!Array.isArray(terms) || !terms.every((term) => typeof term === 'string'))
    throw unreadable(store, 'terms', 'no list of terms');
  return terms;
}

function readObject(store: StoreName, body: string): Record<string, unknown> {
  const value: unknown = JSON.parse(body);
  if (!isRecord(value)) throw unreadable(store, 'envelope', 'not an object');
  return value;
}

function readApps(store: StoreName, apps: unknown): Record<string, unknown>[] {
  if (!Array.isArray(apps) || !apps.every(isRecord)) throw unreadable(store, 'apps', 'no apps');
  return apps;
}

function readCard(store: StoreName, app: Record<string, unknown>): AppCard {
  const [storeAppId, name] = [readText(app['id']), readText(app['title'])];
  if (!storeAppId || !name) throw unreadable(store, 'app', 'an app without id or title');
  return {
    storeAppId,
    bundleId: null,
    name,
    developer: readText(app['developer']) ?? null,
    iconUrl: null,
    rating: readRating(app['rating']) ?? null,
    ratingCount: readCount(app['ratings']) ?? null,
    unread: [],
  };
}
