import { annotations } from '#contract/annotations.ts';
import { listAnnotations } from '#domain/tracking/annotations/list-annotations.ts';
import {
  createAnnotation,
  updateAnnotation,
  deleteAnnotation,
} from '#domain/tracking/annotations/update-annotation.ts';
import { routesOf } from '../route.ts';

export const annotationsRoutes = routesOf(annotations, {
  'GET /apps/{id}/annotations': ({ ctx, params, query }) => listAnnotations(ctx, params.id, query),
  'POST /apps/{id}/annotations': ({ ctx, params, body }) => createAnnotation(ctx, params.id, body),
  'PATCH /annotations/{id}': ({ ctx, params, body }) => updateAnnotation(ctx, params.id, body),
  'DELETE /annotations/{id}': ({ ctx, params }) => deleteAnnotation(ctx, params.id),
});
