import { admin } from '#contract/admin.ts';
import { getCapacity } from '#domain/accounts/admin/get-capacity.ts';
import { listFields } from '#domain/accounts/admin/list-fields.ts';
import { listProxies, listStores } from '#domain/accounts/admin/list-stores.ts';
import { setPlan } from '#domain/accounts/admin/set-plan.ts';
import { suspendWorkspace } from '#domain/accounts/admin/suspend-workspace.ts';
import { listWorkspaces } from '#domain/accounts/admin/list-workspaces.ts';
import { listBackups } from '#domain/scheduling/backups/list-backups.ts';
import { getUpdate } from '#domain/scheduling/updates/get-update.ts';
import { collectDiagnostics } from '../diagnostics.ts';
import { routesOf, type RouteRequest } from '../route.ts';

const pendingOf = ({ raw }: Pick<RouteRequest<never>, 'raw'>) =>
  raw.request.server.api.limits.usage.pending();

export const adminRoutes = routesOf(admin, {
  'GET /admin/capacity': ({ ctx }) => getCapacity(ctx),
  'GET /admin/workspaces': ({ ctx, query, raw }) => listWorkspaces(ctx, query, pendingOf({ raw })),
  'POST /admin/workspaces/{id}/suspend': ({ ctx, params, body, raw }) =>
    suspendWorkspace(ctx, params.id, body.reason, pendingOf({ raw })),
  'POST /admin/workspaces/{id}/unsuspend': ({ ctx, params, raw }) =>
    suspendWorkspace(ctx, params.id, null, pendingOf({ raw })),
  'PUT /admin/workspaces/{id}/plan': ({ ctx, params, body, raw }) =>
    setPlan(ctx, params.id, body.plan, pendingOf({ raw })),
  'GET /admin/stores': ({ ctx }) => listStores(ctx),
  'GET /admin/fields': ({ ctx, query }) => listFields(ctx, query),
  'GET /admin/backups': ({ ctx }) => listBackups(ctx),
  'GET /admin/updates': ({ ctx, raw }) => getUpdate(ctx, raw.request.server.api.version),
  'GET /admin/diagnostics': ({ ctx, raw }) => collectDiagnostics(ctx, raw.request.server.api),
  'GET /admin/proxies': ({ ctx }) => listProxies(ctx),
});
