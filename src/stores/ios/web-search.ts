import type { Cost, SearchResponse, StoreRequestOptions } from '#domain/base/ports.ts';
import { storefrontOf } from '#lib/apple-storefronts.ts';
import { requestWithRetry, type StoreRequestContext } from '../request-with-retry.ts';
import { cutToDepth } from '../search-results.ts';
import { notOffered } from '../store-errors.ts';
import type { HostRoot } from '../urls.ts';
import { parseWebSearch } from './parse-web-search.ts';
import { readReply } from './results.ts';
import { appPages, webSearchUrl } from './urls.ts';

/**
 * Sends one request: the page has the facts of the first results and the ids of the others. A page
 * that names further ids does not say how many more there are, so only its ids are examined. Throws
 * `not_offered` for a country without an App Store: the 404 of its page does not say so.
 */
export async function searchWeb(
  context: StoreRequestContext & { root: HostRoot },
  query: { phrase: string; country: string; device: string; depth: number },
  options: StoreRequestOptions,
): Promise<SearchResponse> {
  if (storefrontOf(query.country) === null)
    throw notOffered('ios', 'storefront', `no App Store known for ${query.country}`);
  const cost: Cost = { requests: 0, bytes: 0, ms: 0 };
  const page = await requestWithRetry(
    context,
    {
      kind: 'search',
      url: webSearchUrl(context.root, query),
      host: appPages,
      headers: { accept: 'text/html' },
      consentHeaders: null,
      read: readReply((body) => parseWebSearch(body, query)),
    },
    options,
    cost,
  );
  return {
    ...cutToDepth(page, query.depth),
    unread: [],
    provider: 'web',
    ads: page.ads,
    language: null,
    cost,
  };
}
