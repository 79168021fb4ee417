import { redactAuditNames } from '#db/queries/audit/audit.ts';
import { refreshListingDemand, refreshMarketDemand } from '#db/queries/rankings/markets.ts';
import { deleteHomelessUsers, listMemberIds } from '#db/queries/members/members.ts';
import {
  beginErasure,
  eraseKeywords,
  eraseRows,
  isLargeWorkspace,
  largeTables,
} from '#db/queries/workspaces/erasure.ts';
import { deleteWorkspace as removeWorkspace } from '#db/queries/workspaces/workspaces.ts';
import { cancelSubscription } from '../billing/checkout.ts';
import { inSystem, type Services } from '#domain/base/context.ts';

/**
 * Deletes a workspace with all its data after the grace period. Accounts without another workspace
 * are deleted too; shared store facts stay. Returns false when it was restored, and when the time
 * is over before a large one is gone: the next call continues. Throws PaymentError, and then
 * nothing is deleted.
 */
export async function purgeWorkspace(
  services: Services,
  workspaceId: number,
  isTimeOver: () => boolean,
): Promise<boolean> {
  // The subscription ended with the deletion, unless somebody has paid since.
  await cancelSubscription({ ...services, workspaceId });
  const now = services.clock.now();
  if (await isLargeWorkspace(services.systemDb, workspaceId)) {
    if (!(await inSystem(services, (tx) => beginErasure(tx, workspaceId, now)))) return false;
    for (const erase of listSteps(services, workspaceId))
      while ((await erase()) > 0) if (isTimeOver()) return false;
  }
  return inSystem(services, async (tx) => {
    const userIds = await listMemberIds(tx, workspaceId);
    const gone = await removeWorkspace(tx, workspaceId, now);
    if (!gone) return false;
    await refreshMarketDemand(tx, gone.marketIds);
    await refreshListingDemand(tx, gone.listingIds);
    await redactAuditNames(tx, await deleteHomelessUsers(tx, userIds));
    return true;
  });
}

/** Each erases some of the rows in a transaction of its own, and returns 0 when none are left. */
function listSteps(services: Services, workspaceId: number): (() => Promise<number>)[] {
  return [
    ...largeTables.map(
      (table) => () => inSystem(services, (tx) => eraseRows(tx, workspaceId, table)),
    ),
    () =>
      inSystem(services, async (tx) => {
        const marketIds = await eraseKeywords(tx, workspaceId);
        await refreshMarketDemand(tx, marketIds);
        return marketIds.length;
      }),
  ];
}
