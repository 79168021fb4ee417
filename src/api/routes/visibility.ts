import { visibility } from '../../contract/visibility.ts';
import { readVisibility } from '../../domain/visibility/read-visibility.ts';
import { routesOf } from '../route.ts';

export const visibilityRoutes = routesOf(visibility, {
  'GET /apps/{id}/visibility': ({ ctx, params, query }) => readVisibility(ctx, params.id, query),
});
