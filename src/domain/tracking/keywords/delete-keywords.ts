import {
  archiveKeywords,
  lockKeywords,
  lockMarketsOf,
} from '#db/queries/keywords/keyword-writes.ts';
import { utcDayOf } from '#lib/dates.ts';
import { writeAudit } from '#domain/base/audit/write-audit.ts';
import { refreshBudget } from '#domain/base/budget/refresh-budget.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { notFound } from '#domain/base/errors.ts';
import { updateTrackingPeriods } from './update-tracking-periods.ts';
import { refreshDemand } from './update-keywords.ts';

const keptMs = 30 * 86_400_000;

/**
 * Stops tracking a keyword. Its history is stored for 30 days, during which adding it again
 * restores it. Throws not_found.
 */
export async function deleteKeyword(
  ctx: Ctx,
  keywordId: number,
): Promise<{ id: number; deleted: true }> {
  await archive(ctx, { ids: [keywordId], appId: null });
  return { id: keywordId, deleted: true };
}

/**
 * Deletes up to 200 keywords of an app. A keyword of another app makes the whole call throw
 * not_found.
 */
export async function bulkDeleteKeywords(
  ctx: Ctx,
  appId: number,
  ids: number[],
): Promise<{ deleted: number }> {
  return { deleted: await archive(ctx, { ids: [...new Set(ids)], appId }) };
}

function archive(ctx: Ctx, target: { ids: number[]; appId: number | null }): Promise<number> {
  return inTenant(ctx, async (tx) => {
    const now = ctx.clock.now();
    const today = utcDayOf(now);
    await lockMarketsOf(tx, ctx.workspaceId, target.ids);
    const live = await lockKeywords(tx, ctx.workspaceId, target);
    if (live.length < target.ids.length) throw notFound();
    const keywords = live.map(({ id, trackingPeriods, latestOn }) => ({
      id,
      trackingPeriods: updateTrackingPeriods(trackingPeriods, {
        now,
        depth: 0,
        hasRankToday: latestOn === today,
      }),
    }));
    await archiveKeywords(tx, ctx.workspaceId, {
      keywords,
      now,
      purgeAt: new Date(now.getTime() + keptMs),
    });
    await refreshDemand(tx, live);
    await refreshBudget(tx, ctx);
    const subject = target.appId === null ? `keyword ${target.ids[0]}` : `app ${target.appId}`;
    await writeAudit(tx, ctx, {
      action: 'keywords.deleted',
      subject,
      detail: { count: live.length },
    });
    return live.length;
  });
}
