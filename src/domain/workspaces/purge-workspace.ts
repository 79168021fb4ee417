import { forgetNames } from '../../db/queries/audit.ts';
import { refreshListingDemand, refreshMarketDemand } from '../../db/queries/markets.ts';
import { deleteHomelessUsers, listMemberIds } from '../../db/queries/members.ts';
import { deleteWorkspace as removeWorkspace } from '../../db/queries/workspaces.ts';
import { stopPaying } from '../billing/pay.ts';
import { inSystem, type Services } from '../context.ts';

/**
 * Deletes a workspace for good whose days of grace are over, with everything that is its own. Accounts that belong to no other
 * workspace go too; shared facts of the stores stay. False where it was taken back. Throws PaymentError; then it is still there.
 */
export async function purgeWorkspace(services: Services, workspaceId: number): Promise<boolean> {
  // It ended with the deletion, unless somebody has paid since.
  await stopPaying({ ...services, workspaceId });
  return inSystem(services, async (tx) => {
    const userIds = await listMemberIds(tx, workspaceId);
    const gone = await removeWorkspace(tx, workspaceId, services.clock.now());
    if (!gone) return false;
    await refreshMarketDemand(tx, gone.marketIds);
    await refreshListingDemand(tx, gone.listingIds);
    await forgetNames(tx, await deleteHomelessUsers(tx, userIds));
    return true;
  });
}
