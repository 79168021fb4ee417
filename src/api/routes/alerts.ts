import { alerts } from '../../contract/alerts.ts';
import { routesOf } from '../route.ts';

export const alertsRoutes = routesOf(alerts, {});
