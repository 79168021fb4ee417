import type { AppCard, PageResponse } from '#domain/base/ports.ts';
import { unreadable } from '../store-errors.ts';
import { createFieldReader } from '../field-reader.ts';
import { dedupeById, readCount, readHistogram, readRating, readText } from '../value-readers.ts';
import { field } from './fields.ts';
import { missingRpc, readIslands, type Islands } from './islands.ts';
import { readClusterItem } from './parse-continuation.ts';
import { findDetails } from './parse-details.ts';
import { namesAnApp } from './parse-search.ts';

const clustersRpc = 'ag2B9c';
/** The path goes into an address unchanged, so it must match this. */
const clusterPath = /^\/store\/apps\/collection\/cluster\?[\w%.:=&~+-]{1,3500}$/;

export interface PlayAppPage extends Pick<
  PageResponse,
  'rating' | 'ratingCount' | 'histogram' | 'similar' | 'unread'
> {
  /** Path and query of the page with all similar apps; null when the store links to none. */
  similarPath: string | null;
}

/**
 * Reads the facts that only a details page shows: the histogram and the first similar apps. Checked
 * on the recording of 2026-07 (translate: 9 039 805 ratings; 6 similar apps after 6 of the same
 * developer). Throws StoreError `refused` or `unreadable`.
 */
export function parsePlayPage(html: string, query: { storeAppId: string }): PlayAppPage {
  const islands = readIslands(html);
  const ratings = field(findDetails(html, islands, query), [51]);
  const cluster = findSimilar(html, islands);
  const fields = createFieldReader<keyof PlayAppPage>();
  return {
    rating: fields.read('rating', readRating(field(ratings, [0, 1]))),
    ratingCount: fields.read('ratingCount', readCount(field(ratings, [2, 1]))),
    histogram: fields.read('histogram', readStars(field(ratings, [1]))),
    unread: fields.unread,
    similar:
      cluster === null
        ? []
        : readItems(cluster.data).filter((app) => app.storeAppId !== query.storeAppId),
    similarPath: cluster?.path ?? null,
  };
}

/** One star first, at the indexes 1 to 5. */
function readStars(stars: unknown): PageResponse['histogram'] | undefined {
  if (stars === undefined || stars === null) return null;
  return readHistogram([1, 2, 3, 4, 5].map((index) => field(stars, [index, 1])));
}

interface Cluster {
  path: string;
  data: unknown;
}

/**
 * Clusters are distinguished by their links and by the store's names for them, never by their
 * titles, which are in the page's language. The first one is often "more by this developer".
 */
function findSimilar(html: string, islands: Islands): Cluster | null {
  const [data] = islands.find(clustersRpc);
  if (data === undefined) throw missingRpc(html, clustersRpc);
  const list = field(data, [1, 1]) ?? [];
  if (!Array.isArray(list)) throw unreadable('android', 'clusters', 'no list of clusters');
  if (list.length === 0 && namesAnApp(data))
    throw unreadable('android', 'clusters-moved', 'apps outside the known clusters');
  const linked = list.map((cluster) => ({
    cluster,
    path: readText(field(cluster, [21, 1, 2, 4, 2]), 4000),
  }));
  if (list.length > 0 && linked.every(({ path }) => typeof path !== 'string')) {
    throw unreadable('android', 'clusters-moved', 'clusters that lead nowhere');
  }
  const ofApps = linked.filter(({ path }) => typeof path === 'string' && clusterPath.test(path));
  const found =
    ofApps.find(({ cluster }) => String(field(cluster, [3, 1, 0, 0])).startsWith('similar_')) ??
    ofApps[0];
  return found === undefined ? null : { path: found.path!, data: found.cluster };
}

function readItems(cluster: unknown): AppCard[] {
  const items = field(cluster, [21, 0]) ?? [];
  if (!Array.isArray(items)) throw unreadable('android', 'list', 'a list that is not one');
  return dedupeById(items.map(readClusterItem));
}
