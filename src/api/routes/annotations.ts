import { annotations } from '../../contract/annotations.ts';
import { listAnnotations } from '../../domain/annotations/list-annotations.ts';
import {
  addAnnotation,
  changeAnnotation,
  deleteAnnotation,
} from '../../domain/annotations/write-annotation.ts';
import { readTimeline } from '../../domain/timeline/read-timeline.ts';
import { routesOf } from '../route.ts';

export const annotationsRoutes = routesOf(annotations, {
  'GET /apps/{id}/annotations': ({ ctx, params, query }) => listAnnotations(ctx, params.id, query),
  'POST /apps/{id}/annotations': ({ ctx, params, body }) => addAnnotation(ctx, params.id, body),
  'PATCH /annotations/{id}': ({ ctx, params, body }) => changeAnnotation(ctx, params.id, body),
  'DELETE /annotations/{id}': ({ ctx, params }) => deleteAnnotation(ctx, params.id),
  'GET /apps/{id}/timeline': ({ ctx, params, query }) => readTimeline(ctx, params.id, query),
});
