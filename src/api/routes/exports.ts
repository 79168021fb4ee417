import { exports } from '../../contract/exports.ts';
import { routesOf } from '../route.ts';

export const exportsRoutes = routesOf(exports, {});
