import type { AppCard, PageResponse } from '#domain/base/ports.ts';
import { refused, unreadable } from '../store-errors.ts';
import { findRefusalMarker } from '../refusals.ts';
import {
  dedupeById,
  isRecord,
  readCount,
  readRating,
  readText,
  readHttpUrl,
} from '../value-readers.ts';
import { expectRead } from './results.ts';

const island = 'id="serialized-server-data">';
const maxSimilar = 100;

/**
 * Reads an app's page on apps.apple.com, whose facts are all in one island of JSON. Shelves may be
 * null. Checked on the recording of 2026-05 (headspace). Throws StoreError `refused` or
 * `unreadable`, marker `other-app` for the page of another app.
 */
export function parseAppPage(html: string, storeAppId: string): Omit<PageResponse, 'cost'> {
  const { lockup, shelves } = readProduct(html);
  if (lockup['adamId'] !== storeAppId)
    throw unreadable('ios', 'other-app', 'the page of another app');
  const ratings = firstItem(shelves['productRatings']);
  return {
    subtitle: expectRead(readText(lockup['subtitle'], 300), 'subtitle'),
    rating: expectRead(readRating(ratings?.['ratingAverage']), 'ratingAverage'),
    ratingCount: expectRead(readCount(ratings?.['totalNumberOfRatings']), 'totalNumberOfRatings'),
    histogram: readHistogram(ratings?.['ratingCounts']),
    similar:
      itemsOf(shelves['similarItems']).length === 0
        ? []
        : readSimilar(shelves['similarItems'], storeAppId),
  };
}

function readProduct(html: string): {
  lockup: Record<string, unknown>;
  shelves: Record<string, unknown>;
} {
  const from = html.indexOf(island);
  const to = html.indexOf('</script>', from);
  if (html.trim() === '') throw refused('ios', 'empty');
  if (from < 0 || to < 0) {
    const marker = findRefusalMarker(html);
    throw marker === null
      ? unreadable('ios', 'island-missing', 'a page without its data')
      : refused('ios', marker);
  }
  const parsed = parseJson(html.slice(from + island.length, to));
  const pages = isRecord(parsed) ? parsed['data'] : parsed;
  const page: unknown = Array.isArray(pages) ? pages[0] : null;
  const data = isRecord(page) ? page['data'] : null;
  if (!isRecord(data)) throw unreadable('ios', 'page-data', 'no product in the page');
  const { lockup, shelfMapping } = data;
  if (!isRecord(lockup)) throw unreadable('ios', 'lockup', 'no lockup in the page');
  // Every product has a ribbon. Without it the shelves have been renamed, and none of them would be
  // found.
  if (!isRecord(shelfMapping) || !('informationRibbon' in shelfMapping))
    throw unreadable('ios', 'shelves', 'no known shelves in the page');
  return { lockup, shelves: shelfMapping };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unreadable('ios', 'json', 'an island that is not JSON');
  }
}

function itemsOf(shelf: unknown): unknown[] {
  if (shelf === undefined || shelf === null) return [];
  const items = isRecord(shelf) ? (shelf['items'] ?? []) : null;
  if (!Array.isArray(items)) throw unreadable('ios', 'shelf', 'a shelf without items');
  return items;
}

function firstItem(shelf: unknown): Record<string, unknown> | null {
  const [first] = itemsOf(shelf);
  return isRecord(first) ? first : null;
}

/** Apple writes five stars first. */
function readHistogram(counts: unknown): PageResponse['histogram'] {
  if (counts === undefined || counts === null) return null;
  const read =
    Array.isArray(counts) && counts.length === 5
      ? counts.map((count) => readCount(count) ?? undefined)
      : [];
  const [five, four, three, two, one] = [0, 1, 2, 3, 4].map((index) =>
    expectRead(read[index], 'ratingCounts'),
  );
  return [one!, two!, three!, four!, five!];
}

function readSimilar(shelf: unknown, storeAppId: string): AppCard[] {
  const apps = itemsOf(shelf)
    .slice(0, maxSimilar)
    .map((item) => readLockup(isRecord(item) ? item : {}));
  return dedupeById(apps).filter((app) => app.storeAppId !== storeAppId);
}

function readLockup(item: Record<string, unknown>): AppCard {
  const { adamId } = item;
  const name = expectRead(readText(item['title'], 500), 'title');
  if (typeof adamId !== 'string' || !/^[1-9]\d{0,14}$/.test(adamId))
    throw unreadable('ios', 'adam-id', 'a similar app without an id');
  if (name === null) throw unreadable('ios', 'title', 'a similar app without a title');
  return {
    storeAppId: adamId,
    bundleId: expectRead(readText(item['bundleId'], 300), 'bundleId'),
    name,
    developer: null,
    iconUrl: readIcon(item['icon']),
    rating: expectRead(readRating(item['rating']), 'rating'),
    ratingCount: null,
  };
}

/** `…/{w}x{h}{c}.{f}`: the reader chooses size, crop and format. */
function readIcon(icon: unknown): string | null {
  const template = isRecord(icon) ? icon['template'] : null;
  if (typeof template !== 'string') return null;
  const chosen = template
    .replaceAll('{w}', '512')
    .replaceAll('{h}', '512')
    .replaceAll('{c}', 'bb')
    .replaceAll('{f}', 'jpg');
  return readHttpUrl(chosen) ?? null;
}
