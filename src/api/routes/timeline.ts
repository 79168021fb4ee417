import { timelineOperations } from '#contract/timeline.ts';
import { getTimeline } from '#domain/insights/timeline/get-timeline.ts';
import { routesOf } from '../route.ts';

export const timelineRoutes = routesOf(timelineOperations, {
  'GET /apps/{id}/timeline': ({ ctx, params, query }) => getTimeline(ctx, params.id, query),
});
