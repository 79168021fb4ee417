import type { z } from 'zod';
import type { workspace as workspaceRecord } from '#contract/auth.ts';
import { workspace } from '#contract/workspace.ts';
import { stateOf } from '#domain/accounts/billing/workspace-status.ts';
import type { Services } from '#domain/base/context.ts';
import { deleteWorkspace } from '#domain/accounts/workspaces/delete-workspace.ts';
import { restoreWorkspace } from '#domain/accounts/workspaces/restore-workspace.ts';
import { getUsage } from '#domain/accounts/workspaces/workspace-usage.ts';
import {
  getWorkspace,
  updateWorkspace,
  type WorkspaceDetail,
  type WorkspaceRow,
} from '#domain/accounts/workspaces/workspace.ts';
import { routesOf } from '../route.ts';

export function showWorkspace(
  row: WorkspaceRow,
  { clock, settings }: Pick<Services, 'clock' | 'settings'>,
): z.input<typeof workspaceRecord> {
  const state = stateOf(row, clock.now(), settings.billingEnabled);
  return {
    id: row.id,
    name: row.name,
    state,
    plan: row.plan,
    createdAt: row.createdAt.toISOString(),
  };
}

function showDetail(detail: WorkspaceDetail, services: Services) {
  const { limits, usage, suspendedAt, suspendedReason, deleteAt } = detail;
  const suspension =
    suspendedAt === null ? null : { at: suspendedAt.toISOString(), reason: suspendedReason };
  return {
    ...showWorkspace(detail, services),
    suspension,
    deleteAt: deleteAt?.toISOString() ?? null,
    limits,
    usage,
  };
}

export const workspaceRoutes = routesOf(workspace, {
  'GET /workspace': async ({ ctx }) => showDetail(await getWorkspace(ctx), ctx),
  'PATCH /workspace': async ({ ctx, body }) =>
    showDetail(await updateWorkspace(ctx, body.name), ctx),
  'DELETE /workspace': async ({ ctx, body }) => {
    const purgeAt = await deleteWorkspace(ctx, body.confirmName);
    return { id: ctx.workspaceId, deleted: true as const, purgeAt: purgeAt.toISOString() };
  },
  'POST /workspace/restore': async ({ ctx }) => showDetail(await restoreWorkspace(ctx), ctx),
  'GET /workspace/usage': ({ ctx, query, raw }) =>
    getUsage(ctx, query, raw.request.server.api.limits.usage.pending()),
});
