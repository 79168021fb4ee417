import { events } from '#contract/events.ts';
import { describeEventTypes } from '#domain/alerting/events/describe-types.ts';
import { listEvents } from '#domain/alerting/events/list-events.ts';
import { countUnread, markRead } from '#domain/alerting/events/unread-events.ts';
import { routesOf } from '../route.ts';

export const eventsRoutes = routesOf(events, {
  'GET /events': ({ ctx, query }) => listEvents(ctx, query),
  'GET /events/unread': ({ ctx }) => countUnread(ctx),
  'POST /events/read': ({ ctx, body }) => markRead(ctx, body.sequence),
  'GET /events/types': ({ ctx }) => ({ items: describeEventTypes(ctx) }),
});
