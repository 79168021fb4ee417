import { admin } from '../../contract/admin.ts';
import { readCapacity } from '../../domain/admin/read-capacity.ts';
import { readProxies, readStores } from '../../domain/admin/read-stores.ts';
import { setPlan } from '../../domain/admin/set-plan.ts';
import { suspendWorkspace } from '../../domain/admin/suspend-workspace.ts';
import { listWorkspaces } from '../../domain/admin/workspaces.ts';
import { routesOf, type RouteRequest } from '../route.ts';

const pendingOf = ({ raw }: Pick<RouteRequest<never>, 'raw'>) =>
  raw.request.server.api.limits.usage.pending();

export const adminRoutes = routesOf(admin, {
  'GET /admin/capacity': ({ ctx }) => readCapacity(ctx),
  'GET /admin/workspaces': ({ ctx, query, raw }) => listWorkspaces(ctx, query, pendingOf({ raw })),
  'POST /admin/workspaces/{id}/suspend': ({ ctx, params, body, raw }) =>
    suspendWorkspace(ctx, params.id, body.reason, pendingOf({ raw })),
  'POST /admin/workspaces/{id}/unsuspend': ({ ctx, params, raw }) =>
    suspendWorkspace(ctx, params.id, null, pendingOf({ raw })),
  'PUT /admin/workspaces/{id}/plan': ({ ctx, params, body, raw }) =>
    setPlan(ctx, params.id, body.plan, pendingOf({ raw })),
  'GET /admin/stores': ({ ctx }) => readStores(ctx),
  'GET /admin/proxies': ({ ctx }) => readProxies(ctx),
});
