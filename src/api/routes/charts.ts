import { charts } from '../../contract/charts.ts';
import { routesOf } from '../route.ts';

export const chartsRoutes = routesOf(charts, {});
