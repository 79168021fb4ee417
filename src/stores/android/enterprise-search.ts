import type { AppCard, Cost, SearchResponse, StoreRequestOptions } from '#domain/base/ports.ts';
import type { EgressReply } from '../egress/fetch.ts';
import type { StoreRequest } from '../exchange.ts';
import { playLanguage } from '../languages.ts';
import { requestWithRetry, type StoreRequestContext } from '../request-with-retry.ts';
import { toSearchResults } from '../search-results.ts';
import type { HostRoot } from '../urls.ts';
import { dedupeById } from '../value-readers.ts';
import { enterpriseSearchArgument } from './enterprise-request.ts';
import { sessionCookie } from './pages.ts';
import { enterpriseSearchRpc, parseEnterpriseSearch } from './parse-enterprise-search.ts';
import type { PlayPage, PlaySearchPage } from './parse-search.ts';
import { callRpc, nextPage } from './rpc.ts';

type Context = StoreRequestContext & { root: HostRoot };
type Query = { phrase: string; country: string; depth: number };
type Found = Pick<SearchResponse, 'depthReached' | 'end' | 'unread'> & { items: AppCard[] };

/** The store names its list "range 0 to 249", so one of this length is not known to be complete. */
const maxResults = 250;
/** With 50 results on a page five requests are enough. */
const maxContinuations = 12;

/**
 * Searches managed Google Play, which shows more results than the public page: one call, and
 * another for each further page. A failure on a further page fails the whole search, because half a
 * list would read as "not found". The first call is a published one of 2025-12; further pages are
 * requested as on the public page, which nobody has described for this front end. Google announced
 * the end of its web pages for 2026-05, so the calls may no longer be answered.
 */
export async function searchEnterprise(
  context: Context,
  query: Query,
  options: StoreRequestOptions,
): Promise<SearchResponse> {
  const cost: Cost = { requests: 0, bytes: 0, ms: 0 };
  let cookie = '';
  const request = firstPage(context, query, (reply) => (cookie = sessionCookie(reply)));
  const first = await requestWithRetry(context, request, options, cost);
  const readNext = (token: string) => {
    const next = nextPage(context, {
      kind: 'search',
      country: query.country,
      token,
      cookie,
      frontEnd: 'enterprise',
    });
    return requestWithRetry(context, next, options, cost);
  };
  const { items, ...found } = await readPages(first, query.depth, readNext);
  return {
    ...found,
    items: toSearchResults(items),
    depthRequested: query.depth,
    provider: 'enterprise',
    ads: null,
    language: playLanguage(query.country),
    cost,
  };
}

function firstPage(
  context: Context,
  { phrase, country }: Query,
  onReply: (reply: EgressReply) => void,
): StoreRequest<PlaySearchPage> {
  const request = callRpc(context, {
    kind: 'search',
    rpcId: enterpriseSearchRpc,
    argument: enterpriseSearchArgument(phrase),
    country,
    frontEnd: 'enterprise',
    parse: parseEnterpriseSearch,
  });
  const read = (reply: EgressReply) => {
    onReply(reply);
    return request.read(reply);
  };
  return { ...request, read };
}

/** Follows the tokens. A page without one ends the list only if another page led to it. */
async function readPages(
  first: PlaySearchPage,
  depth: number,
  readNext: (token: string) => Promise<PlayPage | null>,
): Promise<Found> {
  let { items, token } = first;
  const { unread } = first;
  if (items.length === 0 && token === null)
    return { items, depthReached: 0, end: 'exhausted', unread };
  let end: SearchResponse['end'] = 'truncated';
  for (let page = 0; token !== null && items.length < depth && page < maxContinuations; page++) {
    const next: PlayPage | null = await readNext(token);
    if (next === null) break;
    const longer = dedupeById([...items, ...next.items]);
    // A page that repeats known apps would never end.
    if (longer.length === items.length && next.token !== null) break;
    items = longer;
    token = next.token;
    if (token === null && items.length < maxResults) end = 'exhausted';
  }
  if (items.length >= depth)
    return { items: items.slice(0, depth), depthReached: depth, end: 'depth', unread };
  return { items, depthReached: items.length, end, unread };
}
