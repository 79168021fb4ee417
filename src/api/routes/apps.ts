import { apps } from '#contract/apps.ts';
import { addApp } from '#domain/tracking/apps/add-app.ts';
import { updateApp } from '#domain/tracking/apps/update-app.ts';
import { deleteApp } from '#domain/tracking/apps/delete-app.ts';
import { listApps } from '#domain/tracking/apps/list-apps.ts';
import { getAppDetail } from '#domain/tracking/apps/get-app-detail.ts';
import { refreshApp } from '#domain/tracking/apps/refresh-app.ts';
import { restoreApp } from '#domain/tracking/apps/restore-app.ts';
import { runDaily } from '#domain/tracking/apps/run-daily.ts';
import { getAppMarkets } from '#domain/insights/overview/get-app-markets.ts';
import { getOverview } from '#domain/insights/overview/get-overview.ts';
import { ResponseOf, routesOf } from '../route.ts';

export const appsRoutes = routesOf(apps, {
  'GET /apps': ({ ctx, query: { include, ...filter } }) =>
    listApps(ctx, { ...filter, withCounts: include?.includes('summary') ?? false }),

  'POST /apps': async ({ ctx, body, signal }) => {
    const added = await addApp(ctx, body, signal);
    return added.created
      ? new ResponseOf(201, { app: added.app, job: added.job })
      : new ResponseOf(200, { app: added.app, job: null });
  },

  'GET /apps/{id}': ({ ctx, params, query }) => getAppDetail(ctx, params.id, query.include),

  'PATCH /apps/{id}': ({ ctx, params, body }) => updateApp(ctx, params.id, body),

  'DELETE /apps/{id}': async ({ ctx, params, query }) => {
    const { purgeAt } = await deleteApp(ctx, params.id, { purge: query.purge ?? false });
    return { id: params.id, deleted: true as const, purgeAt: purgeAt.toISOString() };
  },

  'POST /apps/{id}/restore': ({ ctx, params }) => restoreApp(ctx, params.id),

  'POST /apps/{id}/refresh': ({ ctx, params, signal }) => refreshApp(ctx, params.id, signal),

  'POST /apps/{id}/run-daily': ({ ctx, params }) => runDaily(ctx, params.id),

  'GET /apps/{id}/overview': ({ ctx, params, query }) => getOverview(ctx, params.id, query),

  'GET /apps/{id}/markets': ({ ctx, params }) => getAppMarkets(ctx, params.id),
});
