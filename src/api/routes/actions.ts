import { actions } from '../../contract/actions.ts';
import { routesOf } from '../route.ts';

export const actionsRoutes = routesOf(actions, {});
