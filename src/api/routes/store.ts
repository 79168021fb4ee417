import { store } from '#contract/store.ts';
import { listCategories } from '#domain/tracking/store-lookups/categories.ts';
import { listCountries } from '#domain/tracking/store-lookups/countries.ts';
import { lookUpApp } from '#domain/tracking/store-lookups/look-up-app.ts';
import { searchLive, searchStore } from '#domain/tracking/store-lookups/search-store.ts';
import { routesOf } from '../route.ts';

const listed = <T>(items: T[]) => ({ items, nextCursor: null, total: items.length });

export const storeRoutes = routesOf(store, {
  'GET /store/serp': ({ ctx, query, signal }) => searchLive(ctx, query, signal),
  'GET /store/categories': ({ query }) => listed(listCategories(query.store)),
  'GET /store/countries': ({ ctx, query }) => listed(listCountries(ctx, query.store)),
  'GET /store/apps/search': async ({ ctx, query: { q: phrase, ...query }, signal }) =>
    listed(await searchStore(ctx, { phrase, ...query }, signal)),
  'GET /store/apps/lookup': ({ ctx, query, signal }) => lookUpApp(ctx, query, signal),
});
