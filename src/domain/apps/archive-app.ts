import type { Tx } from '../../db/database.ts';
import {
  lockFollowedKeywords,
  lockApp,
  updateAppArchived,
  updateTerms,
  type LockedApp,
} from '../../db/queries/apps.ts';
import { markMarketsUrgent } from '../../db/queries/jobs.ts';
import { lockMarketsOfApp } from '../../db/queries/keyword-changes.ts';
import { refreshListingDemand, refreshMarketDemand } from '../../db/queries/markets.ts';
import { utcDayOf } from '../../lib/dates.ts';
import { writeAudit } from '../audit/write-audit.ts';
import { refreshBudget } from '../budget/refresh-budget.ts';
import { refreshBudgetInPlan } from '../budget/require-room.ts';
import type { Ctx } from '../context.ts';
import { notFound } from '../errors.ts';
import { changeTerms } from '../keywords/change-terms.ts';
import { requireRoomForApps } from './require-room.ts';

const daysKept = 30;

/** Puts an app away for 30 days: it is checked no more. Archiving again changes nothing. Throws not_found. */
export async function archiveApp(tx: Tx, ctx: Ctx, appId: number): Promise<{ purgeAt: Date }> {
  const app = await lockApp(tx, ctx.workspaceId, appId);
  if (!app) throw notFound();
  if (app.archivedAt) return { purgeAt: app.purgeAt! };
  const now = ctx.clock.now();
  const purgeAt = new Date(now.getTime() + daysKept * 86_400_000);
  await updateAppArchived(tx, ctx.workspaceId, appId, { at: now, purgeAt });
  await followKeywords(tx, ctx, app, false);
  await refreshBudget(tx, ctx);
  await writeAudit(tx, ctx, { action: 'app.archived', subject: `app ${appId}` });
  return { purgeAt };
}

/**
 * Brings an archived app back, with the keywords it had; one that is not archived stays as it is.
 * Throws not_found, and quota_apps or quota_keyword_markets where the plan has no room for it.
 */
export async function unarchiveApp(tx: Tx, ctx: Ctx, appId: number): Promise<void> {
  const app = await lockApp(tx, ctx.workspaceId, appId);
  if (!app) throw notFound();
  if (!app.archivedAt) return;
  await updateAppArchived(tx, ctx.workspaceId, appId, null);
  await followKeywords(tx, ctx, app, true);
  await refreshBudgetInPlan(tx, ctx);
  await requireRoomForApps(tx, ctx);
  await writeAudit(tx, ctx, { action: 'app.restored', subject: `app ${appId}` });
}

/** The terms say which days are this workspace's: while the app was away, others may have had the same markets checked. */
async function followKeywords(
  tx: Tx,
  ctx: Ctx,
  app: LockedApp,
  isFollowed: boolean,
): Promise<void> {
  const now = ctx.clock.now();
  const today = utcDayOf(now);
  await lockMarketsOfApp(tx, ctx.workspaceId, app.id);
  const keywords = await lockFollowedKeywords(tx, ctx.workspaceId, app.id);
  const changed = keywords.map(({ id, depth, terms, latestOn }) => ({
    id,
    terms: changeTerms(terms, {
      today,
      depth: isFollowed ? depth : 0,
      hasCellToday: latestOn !== null && latestOn >= today,
    }),
  }));
  if (changed.length > 0) await updateTerms(tx, ctx.workspaceId, changed);
  await refreshMarketDemand(
    tx,
    keywords.map((keyword) => keyword.marketId),
  );
  // Today is theirs again, and its run may be over.
  const unanswered = isFollowed
    ? keywords.filter((keyword) => keyword.latestOn !== today).map((keyword) => keyword.marketId)
    : [];
  await markMarketsUrgent(tx, unanswered, { day: today, now, evenSettled: true });
  await refreshListingDemand(tx, [app.listingId]);
}
