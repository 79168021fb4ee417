import type { AppCard, Cost, SearchResponse, StoreRequestOptions } from '#domain/base/ports.ts';
import { requestWithRetry, type StoreRequestContext } from '../request-with-retry.ts';
import type { EgressReply } from '../egress/fetch.ts';
import { playLanguage } from '../languages.ts';
import { toSearchResults } from '../search-results.ts';
import { dedupeById } from '../value-readers.ts';
import type { HostRoot } from '../urls.ts';
import { pageHeaders, consentHeaders, readPage, sessionCookie } from './pages.ts';
import { parsePlaySearch, type PlayPage } from './parse-search.ts';
import { nextPage } from './rpc.ts';
import { searchUrl } from './urls.ts';

type Query = { phrase: string; country: string; depth: number };
type Found = Pick<SearchResponse, 'depthReached' | 'end' | 'unread'> & { items: AppCard[] };
type Context = StoreRequestContext & { root: HostRoot };

/** A page has had at least 20 results, so this is enough for 480. */
const maxContinuations = 24;

/** Reads the public search page. */
export async function searchWeb(
  context: Context,
  query: Query,
  options: StoreRequestOptions,
): Promise<SearchResponse> {
  const cost: Cost = { requests: 0, bytes: 0, ms: 0 };
  const { items, ...found } = await readPages(context, query, options, cost);
  return {
    ...found,
    items: toSearchResults(items),
    depthRequested: query.depth,
    provider: 'web',
    ads: null,
    language: playLanguage(query.country),
    cost,
  };
}

/**
 * Follows the tokens of the page. Today it has none: it shows 20 to 30 results, and the depth
 * reports that. A failure on a further page fails the whole search, because half a list would read
 * as "not found".
 */
async function readPages(
  context: Context,
  query: Query,
  options: StoreRequestOptions,
  cost: Cost,
): Promise<Found> {
  let cookie = '';
  const first = await requestWithRetry(
    context,
    firstPage(context, query, (reply) => (cookie = sessionCookie(reply))),
    options,
    cost,
  );
  let items = first.items;
  let { token } = first;
  const { unread } = first;
  if (items.length === 0 && token === null)
    return { items, depthReached: 0, end: 'exhausted', unread };
  let end: SearchResponse['end'] = 'truncated';
  for (
    let page = 0;
    token !== null && items.length < query.depth && page < maxContinuations;
    page++
  ) {
    const next: PlayPage | null = await requestWithRetry(
      context,
      nextPage(context, { kind: 'search', country: query.country, token, cookie }),
      options,
      cost,
    );
    if (next === null) break;
    const longer = dedupeById([...items, ...next.items]);
    // A page that repeats known apps would never end.
    if (longer.length === items.length && next.token !== null) break;
    items = longer;
    token = next.token;
    if (token === null) end = 'exhausted';
  }
  if (items.length >= query.depth)
    return { items: items.slice(0, query.depth), depthReached: query.depth, end: 'depth', unread };
  return { items, depthReached: items.length, end, unread };
}

function firstPage(context: Context, query: Query, onReply: (reply: EgressReply) => void) {
  return {
    kind: 'search' as const,
    url: searchUrl(context.root, query),
    headers: pageHeaders(query.country),
    consentHeaders,
    read: (reply: EgressReply) => {
      onReply(reply);
      return readPage(reply, parsePlaySearch);
    },
  };
}
