import { settings } from '../../contract/settings.ts';
import { changeSettings } from '../../domain/settings/change-settings.ts';
import { getSettings } from '../../domain/settings/read-settings.ts';
import { routesOf } from '../route.ts';

export const settingsRoutes = routesOf(settings, {
  'GET /settings': ({ ctx }) => getSettings(ctx),
  'PATCH /settings': ({ ctx, body }) => changeSettings(ctx, body),
});
