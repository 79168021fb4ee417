import { keywordField } from '#contract/keyword-field.ts';
import { analyseSavedField, previewField } from '#domain/insights/keyword-field/analyse-field.ts';
import { listFieldHistory } from '#domain/insights/keyword-field/list-field-history.ts';
import { readField, saveField } from '#domain/insights/keyword-field/save-field.ts';
import { routesOf } from '../route.ts';

export const keywordFieldRoutes = routesOf(keywordField, {
  'GET /apps/{id}/keyword-field': ({ ctx, params, query }) => readField(ctx, params.id, query),
  'PUT /apps/{id}/keyword-field': ({ ctx, params, body }) => saveField(ctx, params.id, body),
  'GET /apps/{id}/keyword-field/analysis': ({ ctx, params, query }) =>
    analyseSavedField(ctx, params.id, query),
  'POST /apps/{id}/keyword-field/preview': ({ ctx, params, query, body }) =>
    previewField(ctx, params.id, { ...body, ...query }),
  'GET /apps/{id}/keyword-field/history': ({ ctx, params, query }) =>
    listFieldHistory(ctx, params.id, query),
});
