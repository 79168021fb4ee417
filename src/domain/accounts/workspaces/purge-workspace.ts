import { redactAuditNames } from '#db/queries/audit/audit.ts';
import { refreshListingDemand, refreshMarketDemand } from '#db/queries/rankings/markets.ts';
import { deleteHomelessUsers, listMemberIds } from '#db/queries/members/members.ts';
import { deleteWorkspace as removeWorkspace } from '#db/queries/workspaces/workspaces.ts';
import { cancelSubscription } from '../billing/checkout.ts';
import { inSystem, type Services } from '#domain/base/context.ts';

/**
 * Deletes a workspace with all its data after the grace period. Accounts without another workspace
 * are deleted too; shared store facts stay. Returns false when it was restored. Throws
 * PaymentError, and then nothing is deleted.
 */
export async function purgeWorkspace(services: Services, workspaceId: number): Promise<boolean> {
  // The subscription ended with the deletion, unless somebody has paid since.
  await cancelSubscription({ ...services, workspaceId });
  return inSystem(services, async (tx) => {
    const userIds = await listMemberIds(tx, workspaceId);
    const gone = await removeWorkspace(tx, workspaceId, services.clock.now());
    if (!gone) return false;
    await refreshMarketDemand(tx, gone.marketIds);
    await refreshListingDemand(tx, gone.listingIds);
    await redactAuditNames(tx, await deleteHomelessUsers(tx, userIds));
    return true;
  });
}
