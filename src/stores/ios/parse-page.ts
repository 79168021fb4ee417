import type { AppCard, PageResponse } from '#domain/base/ports.ts';
import { createFieldReader } from '../field-reader.ts';
import { unreadable } from '../store-errors.ts';
import {
  dedupeById,
  isRecord,
  readHistogram,
  readRating,
  readRatingsOfPage,
  readText,
} from '../value-readers.ts';
import { readLanguage, readLockup } from './lockup.ts';
import { readPageData } from './page-data.ts';
import { iosProfile } from './profile.ts';

const maxSimilar = 100;
/** The ribbon has the genre in the page's language, and may be missing. */
const englishGenres = iosProfile.categories.map(([, name]) => name);

/**
 * Reads an app's page on apps.apple.com, whose facts are all in one island of JSON. Shelves may be
 * null. Checked on the recording of 2026-05 (headspace). Throws StoreError `refused` or
 * `unreadable`, marker `other-app` for the page of another app.
 */
export function parseAppPage(html: string, storeAppId: string): Omit<PageResponse, 'cost'> {
  const { lockup, shelves, language } = readProduct(html);
  if (lockup['adamId'] !== storeAppId)
    throw unreadable('ios', 'other-app', 'the page of another app');
  const ratings = readRatingShelf(lockup, shelves['productRatings']);
  const fields = createFieldReader<keyof PageResponse>();
  return {
    subtitle: fields.read('subtitle', readSubtitle(lockup, shelves['informationRibbon'])),
    rating: fields.read('rating', ratings?.rating),
    ratingCount: fields.read('ratingCount', ratings?.ratingCount),
    histogram: fields.read('histogram', ratings?.histogram),
    // The shelf is null without similar apps. When there is none, it has another name.
    similar:
      fields.read('similar', readSimilar(shelves['similarItems'], { storeAppId, language })) ?? [],
    unread: fields.unread,
  };
}

/** Null without ratings. The lockup shows the rating too, so that a missing shelf is noticed. */
function readRatingShelf(lockup: Record<string, unknown>, shelf: unknown) {
  const [ratings] = itemsOf(shelf);
  const isRated = typeof readRating(lockup['rating']) === 'number';
  if (shelf === undefined || shelf === null)
    return isRated ? undefined : { rating: null, ratingCount: null, histogram: null };
  if (!isRecord(ratings)) return undefined;
  const histogram = readStars(ratings['ratingCounts']);
  const { ratingAverage, totalNumberOfRatings } = ratings;
  const read = readRatingsOfPage(ratingAverage, totalNumberOfRatings, histogram);
  return isRated && read.rating === null ? undefined : read;
}

/** An app without a subtitle has its genre there, and then no tagline. */
function readSubtitle(lockup: Record<string, unknown>, ribbon: unknown): string | null | undefined {
  const subtitle = readText(lockup['subtitle'], 300);
  if (subtitle === undefined || subtitle === null) return undefined;
  if (subtitle === lockup['developerTagline']) return subtitle;
  const badges = itemsOf(ribbon).filter(isRecord);
  const genres = badges.filter(({ key }) => key === 'category').map(({ caption }) => caption);
  const isGenre = [...englishGenres, ...genres].some((genre) => genre === subtitle);
  return isGenre ? null : subtitle;
}

function readProduct(html: string): {
  lockup: Record<string, unknown>;
  shelves: Record<string, unknown>;
  language: string | null;
} {
  const [page] = readPageData(html);
  const { data, intent } = isRecord(page) ? page : {};
  if (!isRecord(data)) throw unreadable('ios', 'page-data', 'no product in the page');
  const { lockup, shelfMapping } = data;
  if (!isRecord(lockup)) throw unreadable('ios', 'lockup', 'no lockup in the page');
  // Every product has a ribbon. Without it the shelves have been renamed, and none of them would be
  // found.
  if (!isRecord(shelfMapping) || !('informationRibbon' in shelfMapping))
    throw unreadable('ios', 'shelves', 'no known shelves in the page');
  return { lockup, shelves: shelfMapping, language: readLanguage(intent) };
}

function itemsOf(shelf: unknown): unknown[] {
  if (shelf === undefined || shelf === null) return [];
  const items = isRecord(shelf) ? shelf['items'] : null;
  if (!Array.isArray(items)) throw unreadable('ios', 'shelf', 'a shelf without items');
  return items;
}

/** Apple writes five stars first. */
function readStars(counts: unknown): PageResponse['histogram'] | undefined {
  return readHistogram(Array.isArray(counts) ? counts.toReversed() : counts);
}

function readSimilar(
  shelf: unknown,
  { storeAppId, language }: { storeAppId: string; language: string | null },
): AppCard[] | undefined {
  if (shelf === undefined) return undefined;
  if (JSON.stringify({ ...(shelf as object), items: null }).includes('"adamId"'))
    throw unreadable('ios', 'items-moved', 'apps outside the list of the shelf');
  const apps = itemsOf(shelf)
    .slice(0, maxSimilar)
    .map((item) => readLockup(isRecord(item) ? item : {}, language));
  return dedupeById(apps).filter((app) => app.storeAppId !== storeAppId);
}
