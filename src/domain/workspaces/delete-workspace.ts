import { refreshListingDemand, refreshMarketDemand } from '../../db/queries/markets.ts';
import { deleteHomelessUsers, listMemberIds } from '../../db/queries/members.ts';
import { deleteWorkspace as removeWorkspace, findWorkspace } from '../../db/queries/workspaces.ts';
import type { Tx } from '../../db/database.ts';
import { stopPaying } from '../billing/pay.ts';
import { inSystem, type Ctx } from '../context.ts';
import { invalid, notFound } from '../errors.ts';

/**
 * Deletes the workspace with everything that is its own, at once: its sessions and tokens are of no use from the next request
 * on, and nothing is searched for it any more. Accounts that belong to no other workspace go too; shared facts of the stores
 * stay. What is paid for it ends first. Throws invalid_request when the name is not repeated exactly, PaymentError; then nothing
 * was deleted.
 */
export async function deleteWorkspace(ctx: Ctx, confirmName: string): Promise<void> {
  await inSystem(ctx, (tx) => requireName(tx, ctx, confirmName));
  await stopPaying(ctx);
  await inSystem(ctx, async (tx) => {
    await requireName(tx, ctx, confirmName);
    const userIds = await listMemberIds(tx, ctx.workspaceId);
    const { marketIds, listingIds } = await removeWorkspace(tx, ctx.workspaceId);
    await refreshMarketDemand(tx, marketIds);
    await refreshListingDemand(tx, listingIds);
    await deleteHomelessUsers(tx, userIds);
  });
  ctx.log.info({ workspace: ctx.workspaceId, by: ctx.actor.userId }, 'a workspace was deleted by its owner');
}

async function requireName(tx: Tx, { workspaceId }: Ctx, confirmName: string): Promise<void> {
  const workspace = await findWorkspace(tx, workspaceId);
  if (!workspace) throw notFound();
  if (workspace.name !== confirmName) throw invalid('confirmName', 'the name of the workspace, exactly');
}
