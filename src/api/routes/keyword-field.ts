import { keywordField } from '../../contract/keyword-field.ts';
import { routesOf } from '../route.ts';

export const keywordFieldRoutes = routesOf(keywordField, {});
