import type { AppCard } from '#domain/base/ports.ts';
import { isAppIdOf } from '../profiles.ts';
import { createFieldReader } from '../field-reader.ts';
import { unreadable } from '../store-errors.ts';
import { dedupeById, isRecord, readHttpUrl, readText, required } from '../value-readers.ts';
import { attributeOf, labelOf, readFeed } from './feed.ts';
import { isOfGenre } from './feed-genre.ts';
import { iosProfile } from './profile.ts';
import { expectRead, requireOwnAddress } from './results.ts';

/**
 * Reads a legacy chart feed into its apps, best first; it has no ratings. Throws StoreError
 * `refused` or `unreadable`, the latter also with marker `other-genre` for a feed of another
 * `category` than requested, which is null for all apps. An empty feed is `soft-empty`, because the
 * store throttles that way.
 */
export function parseItunesChart(
  body: string,
  { limit, category }: { limit: number; category: string | null },
): AppCard[] {
  const feed = readFeed(body);
  const { entries } = feed;
  if (entries.length > limit)
    throw unreadable('ios', 'too-many', `${entries.length} positions for a limit of ${limit}`);
  if (entries.length === 0) throw unreadable('ios', 'soft-empty', 'a chart without entries');
  if (!isOfGenre(feed, category))
    throw unreadable('ios', 'other-genre', `not the chart of ${category ?? 'all apps'}`);
  return dedupeById(entries.map(readEntry));
}

function readEntry(entry: Record<string, unknown>): AppCard {
  const storeAppId = attributeOf(entry['id'], 'im:id');
  const name = expectRead(readText(labelOf(entry['im:name']), 500), 'im:name');
  if (!isAppIdOf(iosProfile, storeAppId))
    throw unreadable('ios', 'im-id', 'an entry without an id');
  if (name === null) throw unreadable('ios', 'im-name', 'an entry without a name');
  requireOwnAddress(labelOf(entry['id']), storeAppId);
  const bundleId = readText(attributeOf(entry['id'], 'im:bundleId'), 300);
  const fields = createFieldReader<keyof AppCard>();
  const card = {
    storeAppId,
    bundleId: fields.read('bundleId', required(bundleId)),
    name,
    developer: fields.read('developer', required(readText(labelOf(entry['im:artist']), 500))),
    iconUrl: fields.read('iconUrl', required(largestIcon(entry['im:image']))),
    rating: null,
    ratingCount: null,
  };
  return { ...card, unread: fields.unread };
}

function largestIcon(images: unknown): string | null {
  const sized = (Array.isArray(images) ? images : [images]).filter(isRecord).map((image) => ({
    url: readHttpUrl(labelOf(image)) ?? null,
    height: Number(attributeOf(image, 'height') ?? 0),
  }));
  return sized.toSorted((a, b) => b.height - a.height)[0]?.url ?? null;
}
