import { visibility } from '#contract/visibility.ts';
import { getVisibility } from '#domain/insights/visibility/get-visibility.ts';
import { routesOf } from '../route.ts';

export const visibilityRoutes = routesOf(visibility, {
  'GET /apps/{id}/visibility': ({ ctx, params, query }) => getVisibility(ctx, params.id, query),
});
