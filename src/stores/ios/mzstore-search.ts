import type { Cost, SearchResponse, StoreRequestOptions } from '#domain/base/ports.ts';
import { storefrontOf } from '#lib/apple-storefronts.ts';
import { requestWithRetry, type StoreRequestContext } from '../request-with-retry.ts';
import { cutToDepth } from '../search-results.ts';
import { notOffered } from '../store-errors.ts';
import type { HostRoot } from '../urls.ts';
import { parseMzStoreSearch } from './parse-mzstore.ts';
import { readReply } from './results.ts';
import { mzStoreUrl } from './urls.ts';

/** Public clients report that a browser's is redirected or gets 503 here. */
const userAgent =
  'AppStore/3.0 iOS/18.0 model/iPhone16,2 hwp/t8130 build/22A3354 (6; dt:326) AMS/1';

/**
 * Sends one request to the search of the App Store's own app: up to about 250 ids, with cards for
 * the first eight. Address, headers and response are
 * those of public clients of 2025–26, which take its order for the one that people see; there is no
 * recording. Throws `not_offered` for a country whose storefront is unknown.
 */
export async function searchMzStore(
  context: StoreRequestContext & { root: HostRoot },
  query: { phrase: string; country: string; depth: number },
  options: StoreRequestOptions,
): Promise<SearchResponse> {
  const storefront = storefrontOf(query.country);
  if (storefront === null)
    throw notOffered('ios', 'storefront', `no App Store known for ${query.country}`);
  const cost: Cost = { requests: 0, bytes: 0, ms: 0 };
  const request = {
    kind: 'search' as const,
    url: mzStoreUrl(context.root, query.phrase),
    headers: {
      accept: 'application/json',
      'user-agent': userAgent,
      'x-apple-store-front': `${storefront}-1,29`,
    },
    consentHeaders: null,
    read: readReply((body) => parseMzStoreSearch(body, query)),
  };
  const list = await requestWithRetry(context, request, options, cost);
  return {
    ...cutToDepth(list, query.depth),
    unread: [],
    provider: 'mzstore',
    ads: null,
    language: null,
    cost,
  };
}
