import type { Tx } from '#db/database.ts';
import {
  lockFollowedKeywords,
  lockApp,
  updateAppArchived,
  updateAppRestored,
  type ArchivedSpan,
  saveTrackingPeriods,
  type LockedApp,
} from '#db/queries/apps/apps.ts';
import { markMarketsUrgent } from '#db/queries/jobs/urgency.ts';
import { lockMarketsOfApp } from '#db/queries/keywords/keyword-writes.ts';
import { refreshListingDemand, refreshMarketDemand } from '#db/queries/rankings/markets.ts';
import { utcDayOf } from '#lib/dates.ts';
import { writeAudit } from '#domain/base/audit/write-audit.ts';
import { refreshBudget } from '#domain/base/budget/refresh-budget.ts';
import { refreshBudgetWithinQuota } from '#domain/base/budget/assert-within-quota.ts';
import type { Ctx } from '#domain/base/context.ts';
import { notFound } from '#domain/base/errors.ts';
import { takeFirstChecks } from '#domain/base/jobs/first-check-allowance.ts';
import { updateTrackingPeriods } from '../keywords/update-tracking-periods.ts';
import { assertAppQuota } from './assert-app-quota.ts';

const daysKept = 30;

/**
 * Archives an app for 30 days: it is no longer checked. A second call changes nothing. Throws
 * not_found.
 */
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
 * Restores an archived app with its keywords; an active one stays as it is. Throws not_found, also
 * for one whose 30 days are over, and quota_apps or quota_keyword_markets when the plan does not
 * allow it.
 */
export async function unarchiveApp(tx: Tx, ctx: Ctx, appId: number): Promise<void> {
  const app = await lockApp(tx, ctx.workspaceId, appId);
  if (!app) throw notFound();
  if (!app.archivedAt) return;
  if (isDueForDeletion(app, ctx.clock.now())) throw notFound();
  const spans = archivedSpans(app.archivedAt, ctx.clock.now());
  await updateAppRestored(tx, ctx.workspaceId, appId, spans);
  await followKeywords(tx, ctx, app, true);
  await refreshBudgetWithinQuota(tx, ctx, { resumed: { appId } });
  await assertAppQuota(tx, ctx);
  await writeAudit(tx, ctx, { action: 'app.restored', subject: `app ${appId}` });
}

/** Some of its rows may be gone: it is deleted in steps. */
export function isDueForDeletion({ purgeAt }: Pick<LockedApp, 'purgeAt'>, now: Date): boolean {
  return purgeAt !== null && purgeAt <= now;
}

/**
 * The span to add when an app or competitor is restored. None within a day: the whole day stays
 * its own, and there is at most one span a day.
 */
export function archivedSpans(archivedAt: Date, now: Date): ArchivedSpan[] {
  return utcDayOf(archivedAt) < utcDayOf(now)
    ? [[archivedAt.toISOString(), now.toISOString()]]
    : [];
}

/**
 * Tracking periods record which days belong to this workspace, because others may have had the same
 * markets checked while the app was archived.
 */
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
  const changed = keywords.map(({ id, depth, trackingPeriods, latestOn }) => ({
    id,
    trackingPeriods: updateTrackingPeriods(trackingPeriods, {
      now,
      depth: isFollowed ? depth : 0,
      hasRankToday: latestOn !== null && latestOn >= today,
    }),
  }));
  if (changed.length > 0) await saveTrackingPeriods(tx, ctx.workspaceId, changed);
  await refreshMarketDemand(
    tx,
    keywords.map((keyword) => keyword.marketId),
  );
  await refreshListingDemand(tx, [app.listingId]);
  if (!isFollowed) return;
  // Today counts again, and its run may be over.
  const due = keywords.filter((keyword) => keyword.latestOn !== today);
  const marketIds = await takeFirstChecks(
    tx,
    ctx,
    due.map((keyword) => keyword.marketId),
  );
  const marked = { day: today, now, includeCompleted: true };
  await markMarketsUrgent(tx, ctx.workspaceId, marketIds, marked);
}
