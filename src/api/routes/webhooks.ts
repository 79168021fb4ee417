import { webhooks } from '../../contract/webhooks.ts';
import { routesOf } from '../route.ts';

export const webhooksRoutes = routesOf(webhooks, {});
