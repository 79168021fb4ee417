import { live } from '#contract/live.ts';
import { routesOf } from '../route.ts';

export const liveRoutes = routesOf(live, {
  'GET /live': async ({ ctx, query, raw }) => {
    const last = raw.request.headers['last-event-id'];
    const since = query.since ?? (typeof last === 'string' ? last : undefined);
    await raw.request.server.api.liveStreams.open(ctx, since, raw);
    return '';
  },
});
