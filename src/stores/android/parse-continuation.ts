import type { AppCard } from '#domain/base/ports.ts';
import { unreadable } from '../store-errors.ts';
import { dedupeById } from '../value-readers.ts';
import { field, isPackageName } from './fields.ts';
import { readRpcPayload } from './frames.ts';
import { readSearchItem, readToken, toCard, type PlayPage } from './parse-search.ts';

export const continuationRpc = 'qnKhOb';

/**
 * Reads the response of `qnKhOb`; null without a payload, which is how the store rejects a token.
 * Paths are those of google-play-scraper 10.1.3; no recording of such a response is known
 * (2026-07). Throws StoreError `refused` or `unreadable`.
 */
export function parsePlayContinuation(body: string): PlayPage | null {
  const payload = readRpcPayload(body, continuationRpc);
  if (payload === null) return null;
  const items = field(payload, [0, 0, 0]);
  if (!Array.isArray(items)) throw unreadable('android', 'continuation', 'no list of apps');
  return {
    items: dedupeById(items.map(readClusterItem)),
    token: readToken(field(payload, [0, 0, 7, 1])),
  };
}

/**
 * Further pages have kept the layout of clusters, while clusters themselves have moved to that of
 * searches.
 */
export function readClusterItem(item: unknown): AppCard {
  const id = field(item, [12, 0]);
  if (!isPackageName(id))
    return readSearchItem(isPackageName(field(item, [0, 0])) ? item : field(item, [0]));
  return toCard({
    id,
    name: field(item, [2]),
    developer: field(item, [4, 0, 0, 0]),
    icon: field(item, [1, 1, 0, 3, 2]),
    rating: field(item, [6, 0, 2, 1, 1]),
    ratingCount: null,
  });
}
