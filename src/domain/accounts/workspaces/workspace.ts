import type { Tx } from '#db/database.ts';
import {
  findWorkspaceDetail,
  lockWorkspaceName,
  updateWorkspaceName,
  type SuspensionRow,
  type WorkspaceRow,
} from '#db/queries/workspaces/workspaces.ts';
import { writeAudit } from '#domain/base/audit/write-audit.ts';
import { assertUnchanged } from '#domain/base/assert-unchanged.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { notFound } from '#domain/base/errors.ts';
import { limitsOf } from '#domain/base/plans/plans.ts';

export type { WorkspaceRow };

export interface WorkspaceDetail extends WorkspaceRow, SuspensionRow {
  limits: ReturnType<typeof limitsOf>;
  usage: { apps: number; keywordMarkets: number };
}

export function getWorkspace(ctx: Ctx): Promise<WorkspaceDetail> {
  return inTenant(ctx, (tx) => read(tx, ctx));
}

/** Renames the workspace. Throws precondition_failed. */
export function updateWorkspace(ctx: Ctx, name: string): Promise<WorkspaceDetail> {
  return inTenant(ctx, async (tx) => {
    assertUnchanged(ctx, { name: await lockWorkspaceName(tx, ctx.workspaceId) });
    await updateWorkspaceName(tx, ctx.workspaceId, name);
    await writeAudit(tx, ctx, { action: 'workspace.renamed', subject: null, detail: { name } });
    return read(tx, ctx);
  });
}

async function read(tx: Tx, ctx: Ctx): Promise<WorkspaceDetail> {
  const row = await findWorkspaceDetail(tx, ctx.workspaceId);
  if (!row) throw notFound();
  const { apps, keywordMarkets, ...detail } = row;
  return {
    ...detail,
    limits: limitsOf(ctx.settings.billingEnabled, row.plan),
    usage: { apps, keywordMarkets },
  };
}
