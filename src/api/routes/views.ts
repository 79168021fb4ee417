import { views } from '#contract/views.ts';
import { deleteView, listViews, saveView, updateView } from '#domain/tracking/views/views.ts';
import { routesOf } from '../route.ts';

export const viewsRoutes = routesOf(views, {
  'GET /views': ({ ctx }) => listViews(ctx),
  'POST /views': ({ ctx, body }) => saveView(ctx, body),
  'PATCH /views/{id}': ({ ctx, params, body }) => updateView(ctx, params.id, body),
  'DELETE /views/{id}': ({ ctx, params }) => deleteView(ctx, params.id),
});
