import { snapshots } from '#contract/snapshots.ts';
import { diffSnapshots } from '#domain/tracking/snapshots/diff-snapshots.ts';
import { listSnapshots, getSnapshot } from '#domain/tracking/snapshots/list-snapshots.ts';
import { routesOf } from '../route.ts';

export const snapshotsRoutes = routesOf(snapshots, {
  'GET /apps/{id}/snapshots': ({ ctx, params, query }) => listSnapshots(ctx, params.id, query),
  'GET /apps/{id}/snapshots/diff': ({ ctx, params, query }) => diffSnapshots(ctx, params.id, query),
  'GET /snapshots/{id}': ({ ctx, params }) => getSnapshot(ctx, params.id),
});
