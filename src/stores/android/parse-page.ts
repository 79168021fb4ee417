import type { AppCard, PageResponse } from '#domain/base/ports.ts';
import { unreadable } from '../store-errors.ts';
import { createFieldReader } from '../field-reader.ts';
import { dedupeById, readText } from '../value-readers.ts';
import { field } from './fields.ts';
import { missingRpc, readIslands, type Islands } from './islands.ts';
import { readClusterItem } from './parse-continuation.ts';
import { findDetails } from './parse-details.ts';
import { namesAnApp, requireAllApps } from './parse-search.ts';
import { readAllRatings } from './ratings.ts';

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
  const ratings = readAllRatings(findDetails(html, islands, query));
  const cluster = findSimilar(html, islands);
  const fields = createFieldReader<keyof PlayAppPage>();
  return {
    rating: fields.read('rating', ratings.rating),
    ratingCount: fields.read('ratingCount', ratings.ratingCount),
    histogram: fields.read('histogram', ratings.histogram),
    unread: fields.unread,
    similar:
      cluster === null
        ? []
        : readItems(cluster.data).filter((app) => app.storeAppId !== query.storeAppId),
    similarPath: cluster?.path ?? null,
  };
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
  if (!Array.isArray(data) || !Array.isArray(list))
    throw unreadable('android', 'clusters', 'no list of clusters');
  if (namesAnApp(withoutList(data)))
    throw unreadable('android', 'clusters-moved', 'apps outside the known clusters');
  const linked = list.map((cluster) => ({
    cluster,
    path: readText(field(cluster, [21, 1, 2, 4, 2]), 4000),
  }));
  if (linked.some(({ path }) => typeof path !== 'string'))
    throw unreadable('android', 'clusters-moved', 'a cluster that leads nowhere');
  const isOfApps = ({ path }: { path?: unknown }) =>
    typeof path === 'string' && clusterPath.test(path);
  const named = linked.find(({ cluster }) =>
    String(field(cluster, [3, 1, 0, 0])).startsWith('similar_'),
  );
  if (named !== undefined && !isOfApps(named))
    throw unreadable('android', 'cluster-path', 'similar apps that lead to another page');
  const found = named ?? linked.find(isOfApps);
  return found === undefined ? null : { path: found.path!, data: found.cluster };
}

/** The data without the list of clusters. */
function withoutList(data: unknown): unknown {
  const beside = field(data, [1]);
  return Array.isArray(data) && Array.isArray(beside)
    ? data.toSpliced(1, 1, beside.toSpliced(1, 1))
    : data;
}

function readItems(cluster: unknown): AppCard[] {
  const items = field(cluster, [21, 0]);
  if (!Array.isArray(items) || items.length === 0)
    throw unreadable('android', 'list', 'a cluster without apps');
  const apps = dedupeById(items.map(readClusterItem));
  requireAllApps(cluster, apps);
  return apps;
}
