import { apps } from '../../contract/apps.ts';
import { addApp } from '../../domain/apps/add-app.ts';
import { changeApp } from '../../domain/apps/change-app.ts';
import { deleteApp } from '../../domain/apps/delete-app.ts';
import { listApps } from '../../domain/apps/list-apps.ts';
import { readApp } from '../../domain/apps/read-app.ts';
import { refreshApp } from '../../domain/apps/refresh-app.ts';
import { restoreApp } from '../../domain/apps/restore-app.ts';
import { runDaily } from '../../domain/apps/run-daily.ts';
import { readAppMarkets } from '../../domain/overview/read-markets.ts';
import { readOverview } from '../../domain/overview/read-overview.ts';
import { Answer, routesOf } from '../route.ts';

export const appsRoutes = routesOf(apps, {
  'GET /apps': ({ ctx, query: { include, ...filter } }) =>
    listApps(ctx, { ...filter, withCounts: include?.includes('summary') ?? false }),

  'POST /apps': async ({ ctx, body, signal }) => {
    const added = await addApp(ctx, body, signal);
    return added.created
      ? new Answer(201, { app: added.app, job: added.job })
      : new Answer(200, { app: added.app, job: null });
  },

  'GET /apps/{id}': ({ ctx, params, query }) => readApp(ctx, params.id, query.include),

  'PATCH /apps/{id}': ({ ctx, params, body }) => changeApp(ctx, params.id, body),

  'DELETE /apps/{id}': async ({ ctx, params, query }) => {
    const { purgeAt } = await deleteApp(ctx, params.id, { purge: query.purge ?? false });
    return { id: params.id, deleted: true as const, purgeAt: purgeAt.toISOString() };
  },

  'POST /apps/{id}/restore': ({ ctx, params }) => restoreApp(ctx, params.id),

  'POST /apps/{id}/refresh': ({ ctx, params, signal }) => refreshApp(ctx, params.id, signal),

  'POST /apps/{id}/run-daily': ({ ctx, params }) => runDaily(ctx, params.id),

  'GET /apps/{id}/overview': ({ ctx, params, query }) =>
    readOverview(ctx, params.id, { country: query.country }),

  'GET /apps/{id}/markets': ({ ctx, params }) => readAppMarkets(ctx, params.id),
});
