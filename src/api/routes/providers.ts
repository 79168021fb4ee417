import { providers } from '#contract/providers.ts';
import { compareProviders } from '#domain/tracking/providers/compare-providers.ts';
import { listProviders } from '#domain/tracking/providers/list-providers.ts';
import { routesOf } from '../route.ts';

export const providersRoutes = routesOf(providers, {
  'GET /providers': async ({ ctx }) => {
    const items = await listProviders(ctx);
    return { items, nextCursor: null, total: items.length };
  },
  'GET /keywords/{keywordId}/providers': ({ ctx, params, query, signal }) =>
    compareProviders(ctx, params.keywordId, query, signal),
});
