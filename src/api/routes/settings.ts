import { settings } from '#contract/settings.ts';
import { updateSettings } from '#domain/tracking/settings/update-settings.ts';
import { getSettings } from '#domain/tracking/settings/get-settings.ts';
import { routesOf } from '../route.ts';

export const settingsRoutes = routesOf(settings, {
  'GET /settings': ({ ctx }) => getSettings(ctx),
  'PATCH /settings': ({ ctx, body }) => updateSettings(ctx, body),
});
