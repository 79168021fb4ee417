import type {
  AppListing,
  Cost,
  ListingsResponse,
  Store,
  StoreRequestOptions,
} from '#domain/base/ports.ts';
import { requestWithRetry, type StoreRequestContext } from '../request-with-retry.ts';
import type { EgressReply } from '../egress/fetch.ts';
import { knownCountries, playLanguage } from '../languages.ts';
import {
  requireChart,
  requireCountry,
  requireDevice,
  requireId,
  requireIds,
  requireKey,
  requirePrefix,
  requireSearch,
} from '../request-validation.ts';
import type { HostRoot } from '../urls.ts';
import { readChart } from './charts.ts';
import { searchEnterprise } from './enterprise-search.ts';
import { isPackageName } from './fields.ts';
import { readHints } from './hints.ts';
import { consentHeaders, pageHeaders, readPage } from './pages.ts';
import { parsePlayDetails } from './parse-details.ts';
import { readReviews } from './reviews.ts';
import { searchWeb } from './search.ts';
import { readAppPage, readSimilar } from './similar.ts';
import { detailsUrl, pageUrl, readUrl } from './urls.ts';

type Context = StoreRequestContext & { root: HostRoot };

const searches = { web: searchWeb, enterprise: searchEnterprise };

export function createAndroidStore(context: Context): Store {
  return {
    name: 'android',
    async search(query, options) {
      requireSearch('android', query);
      const search = requireKey('android', 'provider', searches, query.provider);
      requireDevice('android', query);
      return search(context, query, options);
    },
    async listings(query, options) {
      requireCountry('android', query.country);
      return readListings(
        context,
        { country: query.country, ids: requireIds('android', query.storeAppIds, isPackageName) },
        options,
      );
    },
    async reviews(query, options) {
      requireCountry('android', query.country);
      requireId('android', query.storeAppId, isPackageName);
      return readReviews(context, query, options);
    },
    async chart(query, options) {
      requireChart('android', query);
      return readChart(context, query, options);
    },
    async hints(query, options) {
      requireCountry('android', query.country);
      requirePrefix('android', query.prefix);
      return readHints(context, query, options);
    },
    async page(query, options) {
      requireCountry('android', query.country);
      requireId('android', query.storeAppId, isPackageName);
      return readAppPage(context, query, options);
    },
    async similar(query, options) {
      requireCountry('android', query.country);
      requireId('android', query.storeAppId, isPackageName);
      return readSimilar(context, query, options);
    },
    countries: knownCountries,
    readUrl,
    isStoreAppId: isPackageName,
    pageUrl,
  };
}

/** One page for each app, because exact installs appear nowhere else. */
async function readListings(
  context: Context,
  query: { ids: string[]; country: string },
  options: StoreRequestOptions,
): Promise<ListingsResponse> {
  const { country, ids } = query;
  const cost: Cost = { requests: 0, bytes: 0, ms: 0 };
  const response: ListingsResponse = {
    found: [],
    missing: [],
    language: playLanguage(country),
    cost,
  };
  for (const storeAppId of ids) {
    const listing = await readListing(context, { storeAppId, country }, options, cost);
    if (listing === null) response.missing.push(storeAppId);
    else response.found.push(listing);
  }
  return response;
}

/** Null for 404: the app is unknown, or not offered in the country. */
function readListing(
  context: Context,
  query: { storeAppId: string; country: string },
  options: StoreRequestOptions,
  cost: Cost,
): Promise<AppListing | null> {
  const read = (reply: EgressReply) =>
    reply.status === 404 ? null : readPage(reply, (body) => parsePlayDetails(body, query));
  const url = detailsUrl(context.root, query);
  const headers = pageHeaders(query.country);
  return requestWithRetry(
    context,
    { kind: 'listing', url, headers, consentHeaders, read },
    options,
    cost,
  );
}
