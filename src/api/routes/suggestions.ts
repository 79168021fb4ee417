import { suggestions } from '#contract/suggestions.ts';
import { suggestKeywords } from '#domain/insights/suggestions/suggest-keywords.ts';
import { routesOf } from '../route.ts';

export const suggestionsRoutes = routesOf(suggestions, {
  'GET /apps/{id}/keyword-suggestions': ({ ctx, params, query, signal }) =>
    suggestKeywords(ctx, params.id, query, signal),
});
