import type { Store } from '#domain/base/ports.ts';
import { storefrontCountries } from '#lib/apple-storefronts.ts';
import type { StoreRequestContext } from '../request-with-retry.ts';
import { playLanguage } from '../languages.ts';
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
import { createHintsReader } from './hints.ts';
import { lookUp } from './lookup.ts';
import { readAppPage } from './page.ts';
import { readReviews } from './reviews.ts';
import { searchMzStore } from './mzstore-search.ts';
import { searchItunes } from './search.ts';
import { searchWeb } from './web-search.ts';
import { isTrackId, pageUrl, readUrl } from './urls.ts';

const searches = { web: searchWeb, itunes: searchItunes, mzstore: searchMzStore };

export function createIosStore(context: StoreRequestContext & { root: HostRoot }): Store {
  const readHints = createHintsReader(context);
  return {
    name: 'ios',
    async search(query, options) {
      requireSearch('ios', query);
      const search = requireKey('ios', 'provider', searches, query.provider);
      requireDevice('ios', query);
      return search(context, query, options);
    },
    async listings(query, options) {
      requireCountry('ios', query.country);
      return lookUp(
        context,
        { ...query, ids: requireIds('ios', query.storeAppIds, isTrackId) },
        options,
      );
    },
    async reviews(query, options) {
      requireApp(query);
      return readReviews(context, query, options);
    },
    async chart(query, options) {
      requireChart('ios', query);
      return readChart(context, query, options);
    },
    async hints(query, options) {
      requireCountry('ios', query.country);
      requirePrefix('ios', query.prefix);
      return readHints(query, options);
    },
    async page(query, options) {
      requireApp(query);
      return readAppPage(context, { ...query, kind: 'page' }, options);
    },
    async similar(query, options) {
      requireApp(query);
      const { similar, cost } = await readAppPage(context, { ...query, kind: 'similar' }, options);
      return { items: similar, cost };
    },
    countries: () =>
      storefrontCountries().map((country) => ({ country, language: playLanguage(country) })),
    readUrl,
    isStoreAppId: isTrackId,
    pageUrl,
  };
}

function requireApp(query: { storeAppId: string; country: string }): void {
  requireCountry('ios', query.country);
  requireId('ios', query.storeAppId, isTrackId);
}
