import { events } from '../../contract/events.ts';
import { routesOf } from '../route.ts';

export const eventsRoutes = routesOf(events, {});
