import type { Tx } from '#db/database.ts';
import { deleteApp as deleteAppRow } from '#db/queries/apps/app-deletion.ts';
import { lockApp } from '#db/queries/apps/apps.ts';
import { listCompetitorListings } from '#db/queries/competitors/competitors.ts';
import { lockMarketsOfApp } from '#db/queries/keywords/keyword-writes.ts';
import { refreshListingDemand, refreshMarketDemand } from '#db/queries/rankings/markets.ts';
import { writeAudit } from '#domain/base/audit/write-audit.ts';
import { refreshBudget } from '#domain/base/budget/refresh-budget.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { notFound } from '#domain/base/errors.ts';
import { archiveApp } from './archive-app.ts';

/**
 * Archives the app for 30 days, or deletes it at once. `purgeAt` is the time of the deletion.
 * Throws not_found.
 */
export async function deleteApp(
  ctx: Ctx,
  appId: number,
  options: { purge: boolean },
): Promise<{ purgeAt: Date }> {
  return inTenant(ctx, async (tx) => {
    if (!options.purge) return archiveApp(tx, ctx, appId);
    await purgeApp(tx, ctx, appId);
    await refreshBudget(tx, ctx);
    await writeAudit(tx, ctx, { action: 'app.deleted', subject: `app ${appId}` });
    return { purgeAt: ctx.clock.now() };
  });
}

/**
 * Deletes the workspace's data of the app: its row, keywords and jobs. Store facts are shared and
 * stay.
 */
export async function purgeApp(
  tx: Tx,
  ctx: Pick<Ctx, 'workspaceId'>,
  appId: number,
): Promise<void> {
  const app = await lockApp(tx, ctx.workspaceId, appId);
  if (!app) throw notFound();
  await lockMarketsOfApp(tx, ctx.workspaceId, appId);
  const competitorIds = await listCompetitorListings(tx, ctx.workspaceId, appId);
  const marketIds = await deleteAppRow(tx, ctx.workspaceId, appId);
  await refreshMarketDemand(tx, marketIds);
  await refreshListingDemand(tx, [app.listingId, ...competitorIds]);
}
