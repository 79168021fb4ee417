import { retention } from '#contract/retention.ts';
import { getRetention } from '#domain/scheduling/retention/get-retention.ts';
import { routesOf } from '../route.ts';

export const retentionRoutes = routesOf(retention, {
  'GET /retention': async ({ ctx }) => getRetention(ctx),
});
