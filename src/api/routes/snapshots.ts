import { snapshots } from '../../contract/snapshots.ts';
import { diffSnapshots } from '../../domain/snapshots/diff-snapshots.ts';
import { listSnapshots, readSnapshot } from '../../domain/snapshots/read-snapshots.ts';
import { routesOf } from '../route.ts';

export const snapshotsRoutes = routesOf(snapshots, {
  'GET /apps/{id}/snapshots': ({ ctx, params, query }) => listSnapshots(ctx, params.id, query),
  'GET /apps/{id}/snapshots/diff': ({ ctx, params, query }) => diffSnapshots(ctx, params.id, query),
  'GET /snapshots/{id}': ({ ctx, params }) => readSnapshot(ctx, params.id),
});
