import { runs } from '#contract/runs.ts';
import { getRun, listRuns } from '#domain/scheduling/runs/list-runs.ts';
import { routesOf } from '../route.ts';

export const runsRoutes = routesOf(runs, {
  'GET /runs': ({ ctx, query }) => listRuns(ctx, query),
  'GET /runs/{date}': ({ ctx, params }) => getRun(ctx, params.date),
});
