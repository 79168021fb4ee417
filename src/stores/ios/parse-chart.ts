import type { AppCard } from '../../domain/ports.ts';
import { unreadable } from '../failures.ts';
import { dedupeById, isRecord, readText, readWebAddress } from '../shape.ts';
import { attributeOf, labelOf, readFeed } from './feed.ts';
import { expectRead } from './results.ts';

/**
 * Reads a legacy chart feed into its apps, best first; ratings are not in it. Throws StoreError `refused` or
 * `unreadable`; an empty feed is `soft-empty`, as the store is known to answer so when it does not want to.
 */
export function parseItunesChart(body: string, limit: number): AppCard[] {
  const { entries } = readFeed(body);
  if (entries.length > limit)
    throw unreadable('ios', 'too-many', `${entries.length} places for a limit of ${limit}`);
  if (entries.length === 0) throw unreadable('ios', 'soft-empty', 'a chart without places');
  return dedupeById(entries.map(readPlace));
}

function readPlace(entry: Record<string, unknown>): AppCard {
  const storeAppId = attributeOf(entry['id'], 'im:id');
  const name = expectRead(readText(labelOf(entry['im:name']), 500), 'im:name');
  if (typeof storeAppId !== 'string' || !/^[1-9]\d{0,14}$/.test(storeAppId))
    throw unreadable('ios', 'im-id', 'a place without an id');
  if (name === null) throw unreadable('ios', 'im-name', 'a place without a name');
  return {
    storeAppId,
    bundleId: expectRead(readText(attributeOf(entry['id'], 'im:bundleId'), 300), 'im:bundleId'),
    name,
    developer: expectRead(readText(labelOf(entry['im:artist']), 500), 'im:artist'),
    iconUrl: largestIcon(entry['im:image']),
    rating: null,
    ratingCount: null,
  };
}

function largestIcon(images: unknown): string | null {
  const sized = (Array.isArray(images) ? images : [images]).filter(isRecord).map((image) => ({
    url: readWebAddress(labelOf(image)) ?? null,
    height: Number(attributeOf(image, 'height') ?? 0),
  }));
  return sized.toSorted((a, b) => b.height - a.height)[0]?.url ?? null;
}
