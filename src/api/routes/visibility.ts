import { visibility } from '../../contract/visibility.ts';
import { routesOf } from '../route.ts';

export const visibilityRoutes = routesOf(visibility, {});
