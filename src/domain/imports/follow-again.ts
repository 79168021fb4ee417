import type { Tx } from '../../db/database.ts';
import { showImportedCells } from '../../db/queries/imported-cells.ts';
import { listFollowedAgain, scheduleMarkets } from '../../db/queries/imported-following.ts';
import { markListingsUrgent } from '../../db/queries/jobs.ts';
import { refreshListingDemand, refreshMarketDemand } from '../../db/queries/markets.ts';
import { utcDayOf } from '../../lib/dates.ts';
import { requireRoomForApps } from '../apps/require-room.ts';
import { refreshBudget } from '../budget/refresh-budget.ts';
import { requireRoomInPlan } from '../budget/require-room.ts';
import type { Ctx } from '../context.ts';
import { acceptAppRefresh, acceptFirstCheck } from '../jobs/accept.ts';
import type { NewIds } from './new-ids.ts';

/**
 * The end of an import, and its only part that locks what others use: the stores are asked for what was restored, and the first
 * readings are accepted. Locks are taken in the order of all writers: markets, listings, and the workspace's budget last.
 */
export async function followAgain(tx: Tx, ctx: Ctx, ids: NewIds): Promise<void> {
  const now = ctx.clock.now();
  const day = utcDayOf(now);
  for (const appId of ids.all('app')) await showImportedCells(tx, ctx.workspaceId, appId, day);
  await refreshMarketDemand(tx, await scheduleMarkets(tx, ctx.workspaceId));
  const apps = await listFollowedAgain(tx, ctx.workspaceId);
  await refreshListingDemand(
    tx,
    apps.map(({ listingId }) => listingId),
  );
  for (const { appId, listingId, marketIds, rivalIds } of apps) {
    await acceptAppRefresh(tx, ctx, { appId, listingId });
    for (const rivalId of rivalIds) await markListingsUrgent(tx, rivalId, day, now);
    if (marketIds.length > 0) await acceptFirstCheck(tx, ctx, { appId, marketIds });
  }
  const after = await refreshBudget(tx, ctx);
  await requireRoomInPlan(tx, ctx, { before: [], after });
  await requireRoomForApps(tx, ctx);
}
