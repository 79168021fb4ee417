import { settings } from '../../contract/settings.ts';
import { routesOf } from '../route.ts';

export const settingsRoutes = routesOf(settings, {});
