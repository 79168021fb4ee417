import { live } from '#contract/live.ts';
import { routesOf } from '../route.ts';

export const liveRoutes = routesOf(live, {
  'GET /live': async ({ ctx, query, raw }) => {
    const last = raw.request.headers['last-event-id'];
    // A browser that reconnects repeats the address, with an id that is older by then.
    const since = typeof last === 'string' ? last : query.since;
    await raw.request.server.api.liveStreams.open(ctx, since, raw);
    return '';
  },
});
