import { competitors } from '../../contract/competitors.ts';
import { routesOf } from '../route.ts';

export const competitorsRoutes = routesOf(competitors, {});
