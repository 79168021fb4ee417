import { suggestions } from '../../contract/suggestions.ts';
import { routesOf } from '../route.ts';

export const suggestionsRoutes = routesOf(suggestions, {});
