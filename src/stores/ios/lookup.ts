import type { Cost, ListingsResponse, StoreRequestOptions } from '#domain/base/ports.ts';
import { requestWithRetry, type StoreRequestContext } from '../request-with-retry.ts';
import { itunesLanguage } from '../languages.ts';
import type { HostRoot } from '../urls.ts';
import { parseItunesLookup } from './parse-lookup.ts';
import { readReply } from './results.ts';
import { lookupUrl, maxLookupIds } from './urls.ts';

/** As many apps in a request as the store allows. */
export async function lookUp(
  context: StoreRequestContext & { root: HostRoot },
  query: { ids: string[]; country: string; device?: string },
  options: StoreRequestOptions,
): Promise<ListingsResponse> {
  const { country, device } = query;
  const cost: Cost = { requests: 0, bytes: 0, ms: 0 };
  const response: ListingsResponse = {
    found: [],
    missing: [],
    language: itunesLanguage(country),
    cost,
  };
  for (let from = 0; from < query.ids.length; from += maxLookupIds) {
    const ids = query.ids.slice(from, from + maxLookupIds);
    const request = {
      kind: 'listing' as const,
      url: lookupUrl(context.root, { ids, country, device }),
      headers: { accept: '*/*' },
      consentHeaders: null,
      read: readReply((body) => parseItunesLookup(body, { country, limit: ids.length })),
    };
    const byId = await requestWithRetry(context, request, options, cost);
    for (const id of ids) {
      const listing = byId.get(id);
      if (listing === undefined) response.missing.push(id);
      else response.found.push(listing);
    }
  }
  return response;
}
