import { briefingOperations } from '#contract/briefing.ts';
import { getBriefing } from '#domain/insights/briefing/get-briefing.ts';
import { recordVisit } from '#domain/insights/briefing/visits.ts';
import { routesOf } from '../route.ts';

export const briefingRoutes = routesOf(briefingOperations, {
  'GET /apps/{id}/briefing': ({ ctx, params, query }) => getBriefing(ctx, params.id, query),
  'POST /briefing/visit': ({ ctx }) => recordVisit(ctx),
});
