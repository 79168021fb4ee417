import { unreadable } from '../store-errors.ts';
import { dedupeById } from '../value-readers.ts';
import { field } from './fields.ts';
import { readRpcPayload } from './frames.ts';
import { readClusterItem } from './parse-continuation.ts';
import { namesAnApp, readToken, type PlaySearchPage } from './parse-search.ts';

export const enterpriseSearchRpc = 'lGYRle';
/** Play's name for the list of results goes on with a range: `…_range_0_249`. */
const listName = 'search_results_cluster_apps';

/**
 * Reads the first page of a search of managed Google Play: apps at `[0][1][0][0][0]`, in the layout
 * of clusters, and the token at `[0][1][0][0][7][1]`. The form is that of a response of 2025-12,
 * which a public repository quotes with three apps; there is no recording, and nobody has described
 * a response without results. Throws StoreError `refused` or `unreadable`; no items means that the
 * list of results itself is there and empty.
 */
export function parseEnterpriseSearch(body: string): PlaySearchPage {
  const payload = readRpcPayload(body, enterpriseSearchRpc);
  if (payload === null) throw unreadable('android', 'payload-missing', 'no results and no list');
  const sections = field(payload, [0, 1]);
  if (!Array.isArray(sections)) throw unreadable('android', 'sections', 'no list of sections');
  const [section, ...others] = sections as unknown[];
  const items = field(section, [0, 0]);
  if (!Array.isArray(items)) throw unreadable('android', 'list', 'a list that is not one');
  requireName(field(section, [3, 1, 0, 0]), items);
  // The data mentions apps but the list is empty, so the layout has moved.
  if (items.length === 0 && namesAnApp(payload))
    throw unreadable('android', 'list-moved', 'apps outside the known list');
  return {
    items: dedupeById(items.map(readClusterItem)),
    token: readToken(field(section, [0, 7, 1])),
    unread: others.map(() => 'section'),
  };
}

/** Only the named list of results may be empty; a list with another name has other apps. */
function requireName(name: unknown, items: readonly unknown[]): void {
  const isMissing = name === undefined || name === null;
  if (isMissing && items.length > 0) return;
  if (typeof name !== 'string' || !name.startsWith(listName))
    throw unreadable('android', 'list-name', `a list named ${String(name).slice(0, 40)}`);
}
