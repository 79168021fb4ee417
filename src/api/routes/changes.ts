import { changes } from '../../contract/changes.ts';
import { measureImpact } from '../../domain/changes/measure-impact.ts';
import { readChanges } from '../../domain/changes/read-changes.ts';
import { routesOf } from '../route.ts';

export const changesRoutes = routesOf(changes, {
  'GET /apps/{id}/changes': ({ ctx, params, query }) =>
    readChanges(ctx, { ...query, appId: params.id }),
  'GET /changes': ({ ctx, query }) => readChanges(ctx, query),
  'GET /changes/{id}/impact': ({ ctx, params, query }) => measureImpact(ctx, params.id, query),
});
