import type { z } from 'zod';
import type { workspace as workspaceRecord } from '../../contract/auth.ts';
import { workspace } from '../../contract/workspace.ts';
import { deleteWorkspace } from '../../domain/workspaces/delete-workspace.ts';
import { readUsage } from '../../domain/workspaces/usage.ts';
import { getWorkspace, renameWorkspace, type WorkspaceDetail, type WorkspaceRow } from '../../domain/workspaces/workspace.ts';
import { clearSessionCookie } from '../plugins/credentials.ts';
import { routesOf } from '../route.ts';

export function showWorkspace(row: WorkspaceRow): z.input<typeof workspaceRecord> {
  return { id: row.id, name: row.name, state: row.state, plan: row.plan, createdAt: row.createdAt.toISOString() };
}

function showDetail(detail: WorkspaceDetail) {
  return { ...showWorkspace(detail), limits: detail.limits, usage: detail.usage };
}

export const workspaceRoutes = routesOf(workspace, {
  'GET /workspace': async ({ ctx }) => showDetail(await getWorkspace(ctx)),
  'PATCH /workspace': async ({ ctx, body }) => showDetail(await renameWorkspace(ctx, body.name)),
  'DELETE /workspace': async ({ ctx, body, raw }) => {
    await deleteWorkspace(ctx, body.confirmName);
    clearSessionCookie(raw.request, raw.reply);
    return { id: ctx.workspaceId, deleted: true as const };
  },
  'GET /workspace/usage': ({ ctx, query, raw }) => readUsage(ctx, query, raw.request.server.api.limits.usage.pending()),
});
