import { refreshListingDemand, refreshMarketDemand } from '../../db/queries/markets.ts';
import { deleteHomelessUsers, listMemberIds } from '../../db/queries/members.ts';
import { deleteWorkspace as removeWorkspace, findWorkspace } from '../../db/queries/workspaces.ts';
import { inSystem, type Ctx } from '../context.ts';
import { invalid, notFound } from '../errors.ts';

/**
 * Deletes the workspace with everything that is its own, at once: its sessions and tokens are of no use from the next request
 * on, and nothing is searched for it any more. Accounts that belong to no other workspace go too; shared facts of the stores
 * stay. Throws invalid_request when the name is not repeated exactly.
 */
export async function deleteWorkspace(ctx: Ctx, confirmName: string): Promise<void> {
  await inSystem(ctx, async (tx) => {
    const workspace = await findWorkspace(tx, ctx.workspaceId);
    if (!workspace) throw notFound();
    if (workspace.name !== confirmName) throw invalid('confirmName', 'the name of the workspace, exactly');
    const userIds = await listMemberIds(tx, ctx.workspaceId);
    const { marketIds, listingIds } = await removeWorkspace(tx, ctx.workspaceId);
    await refreshMarketDemand(tx, marketIds);
    await refreshListingDemand(tx, listingIds);
    await deleteHomelessUsers(tx, userIds);
  });
  ctx.log.info({ workspace: ctx.workspaceId, by: ctx.actor.userId }, 'a workspace was deleted by its owner');
}
