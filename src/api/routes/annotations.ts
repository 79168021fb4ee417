import { annotations } from '../../contract/annotations.ts';
import { routesOf } from '../route.ts';

export const annotationsRoutes = routesOf(annotations, {});
