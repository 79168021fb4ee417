import type { AppListing } from '#domain/base/ports.ts';
import { readInstant, readText, readHttpUrl } from '../value-readers.ts';
import { unreadable } from '../store-errors.ts';
import { expectRead, readCard, readResults, type ItunesResult } from './results.ts';
import { pageUrl } from './urls.ts';

/**
 * Reads the response of `/lookup` into listings by id. Ids that the country does not offer are
 * silently absent, the order means nothing, and Mac apps and developers are skipped. Checked on
 * recordings of 2026-05 (headspace), 2025-12 (mas-slack-lookup) and 2014 (fastlane-empty). Throws
 * StoreError `unreadable` or `bad_request`.
 */
export function parseItunesLookup(
  body: string,
  query: { country: string; limit: number },
): Map<string, AppListing> {
  const found = new Map<string, AppListing>();
  for (const result of readResults(body, query.limit)) {
    if (typeof result['kind'] !== 'string' && typeof result['wrapperType'] !== 'string') {
      throw unreadable('ios', 'kind', 'a result without kind and wrapperType');
    }
    if (result['wrapperType'] === 'software' && typeof result['kind'] !== 'string') {
      throw unreadable('ios', 'kind', 'software without a kind');
    }
    if (result['kind'] !== 'software') continue;
    const listing = readListing(result, query.country);
    if (!found.has(listing.storeAppId)) found.set(listing.storeAppId, listing);
  }
  return found;
}

function readListing(result: ItunesResult, country: string): AppListing {
  const card = readCard(result);
  const text = (field: string, maxLength?: number) =>
    expectRead(readText(result[field], maxLength), field);
  return {
    ...card,
    // A lookup contains no subtitle, no short description and no in-app purchases.
    subtitle: null,
    summary: null,
    inAppPurchases: null,
    installs: null,
    description: text('description'),
    storeUrl:
      expectRead(readHttpUrl(result['trackViewUrl']), 'trackViewUrl') ??
      pageUrl(card.storeAppId, country),
    categoryId: readNumberAsText(result['primaryGenreId'], 'primaryGenreId'),
    category: text('primaryGenreName', 200),
    priceMicros: readPriceMicros(result['price']),
    currency: text('currency', 10),
    version: text('version', 100),
    releaseNotes: text('releaseNotes'),
    releasedAt: readInstant(text('releaseDate', 40)),
    updatedAt: readInstant(text('currentVersionReleaseDate', 40)),
    contentRating: text('contentAdvisoryRating', 50) ?? text('trackContentRating', 50),
    sizeBytes: readSize(result['fileSizeBytes']),
    minimumOsVersion: text('minimumOsVersion', 50),
    languages: readTexts(result['languageCodesISO2A'], 'languageCodesISO2A'),
    screenshotUrls: readScreenshots(result),
    developerId: readNumberAsText(result['artistId'], 'artistId'),
    developerUrl: expectRead(readHttpUrl(result['artistViewUrl']), 'artistViewUrl'),
  };
}

/** The store's decimal price in millionths; null when the app is not for sale. */
function readPriceMicros(price: unknown): number | null {
  if (price === undefined || price === null) return null;
  const isPrice = typeof price === 'number' && price >= 0 && price < 1e9;
  return expectRead(isPrice ? Math.round(price * 1e6) : undefined, 'price');
}

/** iTunes writes it as text, since it once exceeded 32 bits. */
function readSize(size: unknown): bigint | null {
  if (size === undefined || size === null) return null;
  const text = typeof size === 'number' ? String(size) : size;
  return expectRead(
    typeof text === 'string' && /^\d{1,18}$/.test(text) ? BigInt(text) : undefined,
    'fileSizeBytes',
  );
}

function readNumberAsText(value: unknown, field: string): string | null {
  if (value === undefined || value === null) return null;
  return expectRead(Number.isSafeInteger(value) ? String(value as number) : undefined, field);
}

function readTexts(value: unknown, field: string): string[] {
  if (value === undefined || value === null) return [];
  const isTexts =
    Array.isArray(value) && value.length <= 500 && value.every((text) => typeof text === 'string');
  return expectRead(isTexts ? value : undefined, field);
}

/** Screenshots of the phone, or of the tablet for an app that has only those. */
function readScreenshots(result: ItunesResult): string[] {
  const phone = readTexts(result['screenshotUrls'], 'screenshotUrls');
  const urls =
    phone.length > 0 ? phone : readTexts(result['ipadScreenshotUrls'], 'ipadScreenshotUrls');
  return urls.filter((url) => readHttpUrl(url) === url);
}
