import type { AppCard, AppListing } from '#domain/base/ports.ts';

/**
 * The texts and facts of a listing as stored in `snapshots.fields`; daily numbers are stored
 * separately.
 */
export type ListingFields = Omit<
  AppListing,
  'storeAppId' | 'rating' | 'ratingCount' | 'installs' | 'unread'
>;

export interface ListingNumbers {
  /** 0–5, at most 5 decimals. */
  rating: number | null;
  ratingCount: number | null;
  installs: bigint | null;
}

const maxInt4 = 2_147_483_647;
const maxInt8 = 9_223_372_036_854_775_807n;

/**
 * Store text is untrusted. It is bounded and made valid for PostgreSQL before it is stored or
 * shown.
 */
export function cleanCard(card: AppCard): AppCard {
  return {
    storeAppId: card.storeAppId,
    bundleId: cleanLine(card.bundleId, 300),
    name: cleanName(card),
    developer: cleanLine(card.developer, 500),
    iconUrl: cleanUrl(card.iconUrl),
    ...cleanRatings(card),
    unread: card.unread,
  };
}

export function cleanRatings({
  rating,
  ratingCount,
}: Pick<AppCard, 'rating' | 'ratingCount'>): Pick<AppCard, 'rating' | 'ratingCount'> {
  return {
    rating: toStoredRating(rating),
    ratingCount: ratingCount === null ? null : Math.min(ratingCount, maxInt4),
  };
}

export const cleanName = ({ name, storeAppId }: AppCard): string =>
  cleanLine(name, 500) ?? storeAppId;

export function cleanFields(listing: AppListing): ListingFields {
  const { bundleId, name, developer, iconUrl } = cleanCard(listing);
  return {
    bundleId,
    name,
    developer,
    iconUrl,
    subtitle: cleanLine(listing.subtitle, 500),
    summary: cleanText(listing.summary, 2_000),
    description: cleanText(listing.description, 20_000),
    storeUrl: cleanUrl(listing.storeUrl) ?? '',
    categoryId: cleanLine(listing.categoryId, 100),
    category: cleanLine(listing.category, 200),
    priceMicros: listing.priceMicros,
    currency: cleanLine(listing.currency, 10),
    version: cleanLine(listing.version, 100),
    releaseNotes: cleanText(listing.releaseNotes, 20_000),
    releasedAt: listing.releasedAt,
    updatedAt: listing.updatedAt,
    contentRating: cleanLine(listing.contentRating, 100),
    sizeBytes: toInt8(listing.sizeBytes),
    minimumOsVersion: cleanLine(listing.minimumOsVersion, 100),
    languages: cleanList(listing.languages, 500, (text) => cleanLine(text, 40)),
    screenshotUrls: cleanList(listing.screenshotUrls, 100, cleanUrl),
    developerId: cleanLine(listing.developerId, 200),
    developerUrl: cleanUrl(listing.developerUrl),
    inAppPurchases: listing.inAppPurchases,
  };
}

export function cleanNumbers(listing: AppListing): ListingNumbers {
  const { rating, ratingCount } = cleanCard(listing);
  return { rating, ratingCount, installs: toInt8(listing.installs) };
}

/** Five decimals survive a `real` unchanged for every number up to 5. */
export function toStoredRating(rating: number | null): number | null {
  return rating === null ? null : Math.round(rating * 1e5) / 1e5;
}

/** A count that no column can hold becomes unknown rather than wrong. */
function toInt8(count: bigint | null): bigint | null {
  return count === null || count < 0n || count > maxInt8 ? null : count;
}

/**
 * Several lines, without control characters and lone surrogates (jsonb rejects both) and without
 * surrounding space.
 */
export function cleanText(text: string | null, maxLength: number): string | null {
  if (text === null) return null;
  const bounded = text
    .slice(0, maxLength * 2)
    .replace(/\r\n?/g, '\n')
    .replace(/[\p{Cc}\p{Cs}]/gu, keepBreak)
    .trim();
  return truncate(bounded, maxLength) || null;
}

function keepBreak(character: string): string {
  return character === '\n' || character === '\t' ? character : '';
}

/** Most lines of a store: printable characters of the common scripts, with single spaces. */
const cleanForm = /^[!-~\u00a1-\u167f\u3001-\ud7ff]+(?: [!-~\u00a1-\u167f\u3001-\ud7ff]+)*$/;

export function cleanLine(text: string | null, maxLength: number): string | null {
  if (text !== null && text.length <= maxLength && cleanForm.test(text)) return text;
  return cleanText(text, maxLength)?.replace(/\s+/g, ' ') ?? null;
}

/** Only schemes that a browser may follow. */
function cleanUrl(text: string | null): string | null {
  if (text === null || text.length > 4_096) return null;
  return /^https?:\/\/[^\s"'<>\\\p{Cc}]+$/iu.test(text) && URL.canParse(text) ? text : null;
}

function cleanList(
  texts: string[],
  maxCount: number,
  clean: (text: string) => string | null,
): string[] {
  return texts
    .slice(0, maxCount)
    .map(clean)
    .filter((text) => text !== null);
}

/** Cuts the text at a number of UTF-16 units without splitting a character. */
function truncate(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  return text
    .slice(0, maxLength)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd();
}
