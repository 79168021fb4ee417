import { suggestions } from '#contract/suggestions.ts';
import { suggestKeywords } from '#domain/insights/suggestions/suggest-keywords.ts';
import { assertAllowance } from '../plugins/plan-limits.ts';
import { routesOf } from '../route.ts';

export const suggestionsRoutes = routesOf(suggestions, {
  'GET /apps/{id}/keyword-suggestions': async ({ ctx, params, query, signal, raw }) => {
    const { list, hasAskedStore } = await suggestKeywords(ctx, params.id, query, {
      signal,
      assertAllowance: () => assertAllowance(raw.request, raw.reply),
    });
    raw.request.isFree = !hasAskedStore;
    return list;
  },
});
