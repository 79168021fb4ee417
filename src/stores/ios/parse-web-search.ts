import type { AppCard, SearchResult } from '#domain/base/ports.ts';
import { storefrontOf } from '#lib/apple-storefronts.ts';
import { playLanguage } from '../languages.ts';
import { unreadable } from '../store-errors.ts';
import { isRecord } from '../value-readers.ts';
import { readId, readLanguage, readLockup } from './lockup.ts';
import { readPageData } from './page-data.ts';
import { isSamePhrase } from './same-phrase.ts';

export interface WebSearchQuery {
  phrase: string;
  country: string;
  device: string;
}

export interface WebSearch {
  /** In store order, each app once. Beyond the first shelf the page has the id alone. */
  results: SearchResult[];
  /** For each ad the 1-based position of the result that follows it. */
  ads: number[];
  /** The store has more results than it names in this page. */
  hasMore: boolean;
}

type Item = Record<string, unknown>;

const shelfId = 'SearchResults.shelfId';
/** Kinds of items that have no position. */
const otherItems = new Set([
  'EditorialSearchResult',
  'DeveloperSearchResult',
  'AppBundleSearchResult',
  'InAppSearchResult',
  'GroupingSearchResult',
]);
/** Types of the further ids that have no position. */
const otherTypes = new Set(['editorial-items', 'app-bundles', 'in-apps']);

/**
 * Reads the search page of apps.apple.com as two public tools describe it; there is no recording.
 * Throws StoreError `refused` or `unreadable`: for the results of another search, for a kind of
 * item that nobody has described, and for ids of which it is unclear where they continue.
 */
export function parseWebSearch(html: string, query: WebSearchQuery): WebSearch {
  const { page, language } = findPage(readPageData(html), query);
  const { results, ads } = readShelf(page, language);
  const { nextPage, shelves: _shelves, ...others } = page;
  // Further ids under another name would read as the end of the results.
  if (JSON.stringify({ ...others, of: nextIn(nextPage) }).includes('"type":"apps"'))
    throw unreadable('ios', 'web-next-moved', 'further ids outside their list');
  if (nextPage === undefined || nextPage === null) return { results, ads, hasMore: false };
  if (results.length === 0) throw unreadable('ios', 'web-items', 'further ids after no results');
  return { results: continueWith(results, readFurtherIds(nextPage)), ads, hasMore: true };
}

/** The one entry of search results, if they are those that were requested. */
function findPage(
  entries: readonly unknown[],
  query: WebSearchQuery,
): { page: Item; language: string } {
  const found = entries.filter(isRecord).filter(({ intent }) => {
    return isRecord(intent) && intent['$kind'] === 'SearchResultsPageIntent';
  });
  const [response] = found;
  if (found.length !== 1 || !response || !isRecord(response['intent']))
    throw unreadable('ios', 'web-intent', `${found.length} entries of search results`);
  requireIntent(response['intent'], query);
  const { data } = response;
  if (!isRecord(data) || data['$kind'] !== 'SearchResultsPage')
    throw unreadable('ios', 'web-page', 'no page of search results');
  // Without a language the page is in that of most people there.
  return { page: data, language: readLanguage(response['intent']) ?? playLanguage(query.country) };
}

function requireIntent({ term, storefront, platform }: Item, query: WebSearchQuery): void {
  const known = [query.country, String(storefrontOf(query.country))];
  const [shop = ''] = String(storefront).toLowerCase().split('-');
  if (typeof term !== 'string' || !isSamePhrase(term, query.phrase))
    throw unreadable('ios', 'web-term', 'the results of another term');
  if (!known.includes(shop))
    throw unreadable('ios', 'web-storefront', 'the results of another storefront');
  if (platform !== query.device)
    throw unreadable('ios', 'web-platform', 'the results on another device');
}

function readShelf({ shelves }: Item, language: string): Omit<WebSearch, 'hasMore'> {
  const found = Array.isArray(shelves)
    ? shelves.filter(isRecord).filter(({ id }) => id === shelfId)
    : [];
  const [shelf] = found;
  if (found.length !== 1 || shelf?.['contentType'] !== 'searchResult')
    throw unreadable('ios', 'web-shelf', `${found.length} shelves of search results`);
  const { items } = shelf;
  if (!Array.isArray(items)) throw unreadable('ios', 'web-items', 'a shelf without items');
  if (JSON.stringify({ ...shelf, items: null }).includes('"adamId"'))
    throw unreadable('ios', 'web-items-moved', 'apps outside the list of the shelf');
  const byId = new Map<string, SearchResult>();
  const ads: number[] = [];
  for (const item of items) {
    const found = readItem(item, language);
    if (found === 'ad') ads.push(byId.size + 1);
    else if (found !== null && !byId.has(found.storeAppId))
      byId.set(found.storeAppId, { storeAppId: found.storeAppId, card: found });
  }
  return { results: [...byId.values()], ads };
}

/** Null for an item without a position. */
function readItem(item: unknown, language: string): AppCard | 'ad' | null {
  const kind = isRecord(item) ? item['$kind'] : undefined;
  if (!isRecord(item) || typeof kind !== 'string')
    throw unreadable('ios', 'web-item', 'an item without a kind');
  if (otherItems.has(kind)) return null;
  const type = item['resultType'];
  if (kind === 'AppSearchResult' && type === 'ad') return 'ad';
  const isResult =
    (kind === 'AppSearchResult' && type === 'content') ||
    (kind === 'AppEventSearchResult' && type === 'appEvent');
  if (!isResult) throw unreadable('ios', 'web-item-kind', `an item ${kind} ${String(type)}`);
  const { lockup } = item;
  if (!isRecord(lockup)) throw unreadable('ios', 'web-lockup', 'a result without an app');
  return readLockup(lockup, language);
}

/** The next page without its ids. */
function nextIn(nextPage: unknown): unknown {
  return isRecord(nextPage) ? { ...nextPage, results: null } : null;
}

function readFurtherIds(nextPage: unknown): string[] {
  const further = isRecord(nextPage) ? nextPage['results'] : null;
  if (!Array.isArray(further))
    throw unreadable('ios', 'web-next-page', 'a next page without results');
  return further.flatMap((result) => {
    const { id, type } = isRecord(result) ? result : {};
    if (typeof type === 'string' && otherTypes.has(type)) return [];
    if (type !== 'apps')
      throw unreadable('ios', 'web-next-type', `a further result ${String(type)}`);
    const storeAppId = readId(id);
    if (storeAppId === null)
      throw unreadable('ios', 'web-next-id', 'a further result without an id');
    return [storeAppId];
  });
}

/** The further ids repeat all results of the shelf first, or none of them. */
function continueWith(results: readonly SearchResult[], ids: readonly string[]): SearchResult[] {
  const further = [...new Set(ids)];
  const shown = new Set(results.map(({ storeAppId }) => storeAppId));
  const repeated = further.filter((id) => shown.has(id));
  const repeatsAll =
    repeated.length === results.length &&
    results.every(({ storeAppId }, index) => storeAppId === further[index]);
  if (repeated.length > 0 && !repeatsAll)
    throw unreadable('ios', 'web-order', 'further ids that overlap the shelf');
  const rest = further.filter((id) => !shown.has(id));
  return [...results, ...rest.map((storeAppId) => ({ storeAppId, card: null }))];
}
