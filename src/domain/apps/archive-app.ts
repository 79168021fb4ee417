import type { Tx } from '../../db/database.ts';
import { listFollowedKeywords, lockApp, updateAppArchived, updateTerms, type LockedApp } from '../../db/queries/apps.ts';
import { utcDayOf } from '../../lib/dates.ts';
import { refreshBudget } from '../budget/refresh-budget.ts';
import type { Ctx } from '../context.ts';
import { notFound } from '../errors.ts';
import { changeTerms } from '../keywords/change-terms.ts';
import { refreshDemand } from './refresh-demand.ts';

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
  return { purgeAt };
}

/** Brings an archived app back, with the keywords it had; one that is not archived stays as it is. Throws not_found. */
export async function unarchiveApp(tx: Tx, ctx: Ctx, appId: number): Promise<void> {
  const app = await lockApp(tx, ctx.workspaceId, appId);
  if (!app) throw notFound();
  if (!app.archivedAt) return;
  await updateAppArchived(tx, ctx.workspaceId, appId, null);
  await followKeywords(tx, ctx, app, true);
}

/** The terms say which days are this workspace's: while the app was away, others may have had the same markets checked. */
async function followKeywords(tx: Tx, ctx: Ctx, app: LockedApp, isFollowed: boolean): Promise<void> {
  const today = utcDayOf(ctx.clock.now());
  const keywords = await listFollowedKeywords(tx, ctx.workspaceId, app.id);
  const changed = keywords.map(({ id, depth, terms, latestOn }) => ({
    id,
    terms: changeTerms(terms, { today, depth: isFollowed ? depth : 0, hasCellToday: latestOn !== null && latestOn >= today }),
  }));
  if (changed.length > 0) await updateTerms(tx, ctx.workspaceId, changed);
  await refreshDemand(tx, { listingIds: [app.listingId], marketIds: keywords.map((keyword) => keyword.marketId) });
  await refreshBudget(tx, ctx);
}
