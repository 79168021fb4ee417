import { tagOperations } from '../../contract/tags.ts';
import { routesOf } from '../route.ts';

export const tagsRoutes = routesOf(tagOperations, {});
