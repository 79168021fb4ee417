import { store } from '../../contract/store.ts';
import { lookUpApp } from '../../domain/store-lookups/look-up-app.ts';
import { searchStore } from '../../domain/store-lookups/search-store.ts';
import { routesOf } from '../route.ts';

export const storeRoutes = routesOf(store, {
  'GET /store/apps/search': async ({ ctx, query, signal }) => {
    const items = await searchStore(ctx, query, signal);
    return { items, nextCursor: null, total: items.length };
  },

  'GET /store/apps/lookup': ({ ctx, query, signal }) => lookUpApp(ctx, query, signal),
});
