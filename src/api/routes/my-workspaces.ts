import { myWorkspaces } from '#contract/my-workspaces.ts';
import {
  listMyWorkspaces,
  switchWorkspace,
  type MyWorkspaceRow,
} from '#domain/accounts/auth/my-workspaces.ts';
import { stateOf } from '#domain/accounts/billing/workspace-status.ts';
import type { Ctx } from '#domain/base/context.ts';
import { setSessionCookie } from '../plugins/credentials.ts';
import { routesOf } from '../route.ts';
import { visitorOf } from './auth.ts';

function show(row: MyWorkspaceRow, currentId: number, { clock, settings }: Ctx) {
  const { id, name, role, deleteAt } = row;
  const state = stateOf(row, clock.now(), settings.billingEnabled);
  return {
    id,
    name,
    role,
    state,
    deleteAt: deleteAt?.toISOString() ?? null,
    current: id === currentId,
  };
}

export const myWorkspacesRoutes = routesOf(myWorkspaces, {
  'GET /auth/workspaces': async ({ ctx }) => {
    const items = (await listMyWorkspaces(ctx)).map((row) => show(row, ctx.workspaceId, ctx));
    return { items, nextCursor: null, total: items.length };
  },
  'PUT /auth/session/workspace': async ({ ctx, body, raw }) => {
    const { workspace, session } = await switchWorkspace(ctx, body.workspaceId, visitorOf(raw));
    if (session) setSessionCookie(raw.request, raw.reply, session.cookie, session.expiresAt);
    return show(workspace, workspace.id, ctx);
  },
});
