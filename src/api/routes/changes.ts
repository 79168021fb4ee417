import { changes } from '../../contract/changes.ts';
import { routesOf } from '../route.ts';

export const changesRoutes = routesOf(changes, {});
