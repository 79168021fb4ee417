import { unreadable } from '../store-errors.ts';
import { dedupeById } from '../value-readers.ts';
import { field } from './fields.ts';
import { missingRpc, readIslands } from './islands.ts';
import { readClusterItem } from './parse-continuation.ts';
import { namesAnApp, readTokenOf, requireAllApps, type PlayPage } from './parse-search.ts';

const clusterRpc = 'CNT7ob';

/**
 * Reads the page of `/store/apps/collection/cluster`: similar apps, in store order.
 * Checked on the recording of 2026-07 (translate: 50 apps and a token).
 * Throws StoreError `refused` or `unreadable`.
 */
export function parsePlayCluster(html: string): PlayPage {
  const [data] = readIslands(html).find(clusterRpc);
  if (data === undefined) throw missingRpc(html, clusterRpc);
  const sections = field(data, [0, 1]);
  if (!Array.isArray(sections)) throw unreadable('android', 'sections', 'no list of sections');
  const list = sections
    .map((section) => field(section, [21]))
    .find((candidate) => Array.isArray(candidate));
  const items = field(list, [0]) ?? [];
  if (!Array.isArray(items)) throw unreadable('android', 'list', 'a list that is not one');
  if (items.length === 0) {
    const marker = namesAnApp(data) ? 'list-moved' : 'list';
    throw unreadable('android', marker, 'a page without a list of apps');
  }
  const apps = dedupeById(items.map(readClusterItem));
  requireAllApps(data, apps);
  return { items: apps, token: readTokenOf(field(list, [1])) };
}
