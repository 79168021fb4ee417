import type { AppCard } from '#domain/base/ports.ts';
import { unreadable } from '../store-errors.ts';
import { dedupeById } from '../value-readers.ts';
import { field, isPackageName, numberOf } from './fields.ts';
import { readRpcPayload } from './frames.ts';
import {
  iconOf,
  readSearchItem,
  readTokenOf,
  requireAllApps,
  requireOwnLink,
  toCard,
  type PlayPage,
} from './parse-search.ts';

export const continuationRpc = 'qnKhOb';

/**
 * Reads the response of `qnKhOb`; null without a payload, which is how the store rejects a token.
 * Paths are those of google-play-scraper 10.1.3; no recording of such a response is known
 * (2026-07). Throws StoreError `refused` or `unreadable`.
 */
export function parsePlayContinuation(body: string): PlayPage | null {
  const payload = readRpcPayload(body, continuationRpc);
  if (payload === null) return null;
  const [apps, ...end] = partsOf(payload);
  if (!Array.isArray(apps) || apps.length === 0)
    throw unreadable('android', 'continuation', 'no list of apps');
  const items = dedupeById(apps.map(readClusterItem));
  requireAllApps(payload, items);
  return { items, token: readTokenOf(end, [6, 1]) };
}

function partsOf(payload: unknown): unknown[] {
  const parts = field(payload, [0, 0]);
  return Array.isArray(parts) ? parts : [];
}

/**
 * Further pages have kept the layout of clusters, while clusters themselves have moved to that of
 * searches.
 */
export function readClusterItem(item: unknown): AppCard {
  const id = field(item, [12, 0]);
  if (!isPackageName(id))
    return readSearchItem(isPackageName(field(item, [0, 0])) ? item : field(item, [0]));
  requireOwnLink(item, field(item, [9]), id);
  return toCard({
    id,
    name: field(item, [2]),
    developer: field(item, [4, 0, 0, 0]),
    icon: iconOf(field(item, [1, 1, 0])),
    rating: readRatingOf(field(item, [6])),
    ratingCount: null,
  });
}

/** Null where an app has no ratings. */
function readRatingOf(ratings: unknown): unknown {
  if (ratings === undefined || ratings === null) return null;
  return numberOf(field(ratings, [0, 2, 1]) ?? 'no pair');
}
