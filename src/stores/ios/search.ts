import type { Cost, SearchResponse, StoreRequestOptions } from '#domain/base/ports.ts';
import { requestWithRetry, type StoreRequestContext } from '../request-with-retry.ts';
import { toSearchResults } from '../search-results.ts';
import { itunesLanguage } from '../languages.ts';
import { parseItunesSearch, type ItunesSearch } from './parse-search.ts';
import { readReply } from './results.ts';
import { maxSearchResults, searchUrl } from './urls.ts';
import type { HostRoot } from '../urls.ts';

/**
 * Sends one request, always for the maximum, because the store caches by address, and apps of
 * another kind among the results have no positions.
 */
export async function searchItunes(
  context: StoreRequestContext & { root: HostRoot },
  query: { phrase: string; country: string; device: string; depth: number },
  options: StoreRequestOptions,
): Promise<SearchResponse> {
  const cost: Cost = { requests: 0, bytes: 0, ms: 0 };
  const response = await requestWithRetry(
    context,
    {
      kind: 'search',
      url: searchUrl(context.root, query),
      headers: { accept: '*/*' },
      consentHeaders: null,
      read: readReply((body) =>
        parseItunesSearch(body, { device: query.device, limit: maxSearchResults }),
      ),
    },
    options,
    cost,
  );
  return {
    ...measureDepth(response, query.depth),
    unread: [],
    provider: 'itunes',
    ads: null,
    language: itunesLanguage(query.country),
    cost,
  };
}

/**
 * A response with fewer results than the maximum means that the index has no more. When apps of
 * another kind took up part of a full response, only the seen positions count.
 */
export function measureDepth(
  response: ItunesSearch,
  depth: number,
): Pick<SearchResponse, 'items' | 'depthRequested' | 'depthReached' | 'end'> {
  const items = toSearchResults(response.items.slice(0, depth));
  const positions = response.items.length;
  if (positions >= depth)
    return { items, depthRequested: depth, depthReached: depth, end: 'depth' };
  if (response.returned < maxSearchResults)
    return { items, depthRequested: depth, depthReached: positions, end: 'exhausted' };
  return { items, depthRequested: depth, depthReached: positions, end: 'truncated' };
}
