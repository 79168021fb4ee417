import type { AppListing } from '#domain/base/ports.ts';
import { createFieldReader, firstOf } from '../field-reader.ts';
import { readInstant, readText, readHttpUrl, required } from '../value-readers.ts';
import { isApp, isMacApp, readCard, readResults, type ItunesResult } from './results.ts';
import { pageUrl } from './urls.ts';

/**
 * Reads the response of `/lookup` into listings by id. Ids that the country does not offer are
 * silently absent, the order means nothing, and developers are skipped. Checked on
 * recordings of 2026-05 (headspace), 2025-12 (mas-slack-lookup) and 2014 (fastlane-empty). Throws
 * StoreError `unreadable` or `bad_request`.
 */
export function parseItunesLookup(
  body: string,
  query: { country: string; limit: number },
): Map<string, AppListing> {
  const found = new Map<string, AppListing>();
  for (const result of readResults(body, query.limit)) {
    if (!isApp(result)) continue;
    const listing = readListing(result, query.country);
    if (!found.has(listing.storeAppId)) found.set(listing.storeAppId, listing);
  }
  return found;
}

function readListing(result: ItunesResult, country: string): AppListing {
  const card = readCard(result);
  const fields = createFieldReader<keyof AppListing>();
  const text = (name: keyof AppListing, key: string, maxLength?: number) =>
    fields.read(name, required(readText(result[key], maxLength)));
  const contentRatings = ['contentAdvisoryRating', 'trackContentRating'];
  const listing = {
    ...card,
    // A lookup contains no subtitle, no short description and no in-app purchases.
    subtitle: null,
    summary: null,
    inAppPurchases: null,
    installs: null,
    description: text('description', 'description'),
    storeUrl:
      fields.read('storeUrl', required(readHttpUrl(result['trackViewUrl']))) ??
      pageUrl(card.storeAppId, country),
    // No chart has the genres of Mac apps.
    categoryId: isMacApp(result)
      ? null
      : fields.read('categoryId', required(readNumberAsText(result['primaryGenreId']))),
    category: text('category', 'primaryGenreName', 200),
    priceMicros: fields.read('priceMicros', readPriceMicros(result)),
    currency: text('currency', 'currency', 10),
    version: text('version', 'version', 100),
    releaseNotes: fields.read('releaseNotes', readText(result['releaseNotes'])),
    releasedAt: fields.read('releasedAt', required(readInstant(result['releaseDate']))),
    updatedAt: fields.read('updatedAt', required(readInstant(result['currentVersionReleaseDate']))),
    contentRating: fields.read(
      'contentRating',
      required(firstOf(...contentRatings.map((key) => readText(result[key], 50)))),
    ),
    sizeBytes: fields.read('sizeBytes', required(readSize(result['fileSizeBytes']))),
    minimumOsVersion: text('minimumOsVersion', 'minimumOsVersion', 50),
    languages: fields.read('languages', readLanguages(result['languageCodesISO2A'])) ?? [],
    screenshotUrls: fields.read('screenshotUrls', readScreenshots(result)) ?? [],
    developerId: fields.read('developerId', required(readNumberAsText(result['artistId']))),
    developerUrl: fields.read('developerUrl', required(readHttpUrl(result['artistViewUrl']))),
  };
  return { ...listing, unread: [...card.unread, ...fields.unread] };
}

/**
 * The store's decimal price in millionths; null when the app is not for sale, which has no price as
 * text either.
 */
function readPriceMicros({ price, formattedPrice }: ItunesResult): number | null | undefined {
  if (price === undefined || price === null)
    return formattedPrice === undefined || formattedPrice === null ? null : undefined;
  const isPrice = typeof price === 'number' && price >= 0 && price < 1e9;
  return isPrice ? Math.round(price * 1e6) : undefined;
}

/** iTunes writes it as text, since it once exceeded 32 bits. */
function readSize(size: unknown): bigint | null | undefined {
  if (size === undefined || size === null) return null;
  const text = typeof size === 'number' ? String(size) : size;
  return typeof text === 'string' && /^\d{1,18}$/.test(text) ? BigInt(text) : undefined;
}

function readNumberAsText(value: unknown): string | null | undefined {
  if (value === undefined || value === null) return null;
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0
    ? String(value)
    : undefined;
}

function readLanguages(value: unknown): string[] | undefined {
  const codes = readTexts(value);
  return codes?.every((code) => /^[a-z]{2,3}(-\w{2,8})*$/i.test(code)) ? codes : undefined;
}

/** A list of texts, which the store also sends when it is empty. */
function readTexts(value: unknown): string[] | undefined {
  const isTexts =
    Array.isArray(value) && value.length <= 500 && value.every((text) => typeof text === 'string');
  return isTexts ? value : undefined;
}

/** Screenshots of the phone, or of the tablet for an app that has only those. */
function readScreenshots(result: ItunesResult): string[] | undefined {
  const phone = readTexts(result['screenshotUrls']);
  const urls = phone?.length === 0 ? readTexts(result['ipadScreenshotUrls']) : phone;
  const usable = urls?.filter((url) => readHttpUrl(url) === url);
  return usable?.length === urls?.length ? usable : undefined;
}
