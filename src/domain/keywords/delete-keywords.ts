import { archiveKeywords, lockKeywords, lockMarketsOf } from '../../db/queries/keyword-changes.ts';
import { utcDayOf } from '../../lib/dates.ts';
import { writeAudit } from '../audit/write-audit.ts';
import { refreshBudget } from '../budget/refresh-budget.ts';
import { inTenant, type Ctx } from '../context.ts';
import { notFound } from '../errors.ts';
import { changeTerms } from './change-terms.ts';
import { refreshDemand } from './update-keywords.ts';

const keptMs = 30 * 86_400_000;

/** Stops following a keyword. Its history is kept for 30 days, in which adding it again brings it back. Throws not_found. */
export async function deleteKeyword(
  ctx: Ctx,
  keywordId: number,
): Promise<{ id: number; deleted: true }> {
  await archive(ctx, { ids: [keywordId], appId: null });
  return { id: keywordId, deleted: true };
}

/** The same for up to 200 of an app. One that is not this app's refuses all of it with not_found. */
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
    const keywords = live.map(({ id, terms, latestOn }) => ({
      id,
      terms: changeTerms(terms, { today, depth: 0, hasCellToday: latestOn === today }),
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
