import type { z } from 'zod';
import type { workspace as workspaceRecord } from '../../contract/auth.ts';
import { workspace } from '../../contract/workspace.ts';
import { getWorkspace, renameWorkspace, type WorkspaceDetail, type WorkspaceRow } from '../../domain/workspaces/workspace.ts';
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
});
