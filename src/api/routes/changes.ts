import { changes } from '#contract/changes.ts';
import { measureImpact } from '#domain/tracking/changes/measure-impact.ts';
import { listChanges } from '#domain/tracking/changes/list-changes.ts';
import { routesOf } from '../route.ts';

export const changesRoutes = routesOf(changes, {
  'GET /apps/{id}/changes': ({ ctx, params, query }) =>
    listChanges(ctx, { ...query, appId: params.id }),
  'GET /changes': ({ ctx, query }) => listChanges(ctx, query),
  'GET /changes/{id}/impact': ({ ctx, params, query }) => measureImpact(ctx, params.id, query),
});
