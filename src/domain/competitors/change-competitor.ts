import {
  archiveCompetitor,
  lockCompetitor,
  updateCompetitor,
  type CompetitorUpdate,
} from '../../db/queries/competitors.ts';
import { refreshListingDemand } from '../../db/queries/markets.ts';
import { utcDayOf } from '../../lib/dates.ts';
import { getApp } from '../apps/find-app.ts';
import { requireStorable } from '../apps/read-own-words.ts';
import { writeAudit } from '../audit/write-audit.ts';
import { refreshBudget } from '../budget/refresh-budget.ts';
import { inTenant, type Ctx } from '../context.ts';
import { notFound } from '../errors.ts';
import { readTerms, withTerm } from '../rankings/terms.ts';
import { readCompetitor } from './list-competitors.ts';
import type { CompetitorRecord } from './present-competitor.ts';

/** Changes what is noted of a competitor. Throws not_found, invalid_request. */
export async function changeCompetitor(
  ctx: Ctx,
  target: { appId: number; id: number },
  change: CompetitorUpdate,
): Promise<CompetitorRecord> {
  requireStorable('relationship', change.relationship);
  requireStorable('note', change.note);
  return inTenant(ctx, async (tx) => {
    if (!(await lockCompetitor(tx, ctx.workspaceId, target.appId, target.id))) throw notFound();
    await updateCompetitor(tx, ctx.workspaceId, target.id, change);
    return readCompetitor(tx, ctx, target.appId, target.id);
  });
}

/** Puts a competitor away: it is read and looked for no more. Throws not_found, also for one that was put away before. */
export async function deleteCompetitor(
  ctx: Ctx,
  target: { appId: number; id: number },
): Promise<{ id: number; deleted: true }> {
  return inTenant(ctx, async (tx) => {
    await getApp(tx, ctx, target.appId);
    const competitor = await lockCompetitor(tx, ctx.workspaceId, target.appId, target.id);
    if (!competitor) throw notFound();
    const now = ctx.clock.now();
    await archiveCompetitor(tx, ctx.workspaceId, target.id, {
      at: now,
      terms: withTerm(readTerms(competitor.terms), utcDayOf(now), 0),
    });
    await refreshListingDemand(tx, [competitor.listingId]);
    await refreshBudget(tx, ctx);
    await writeAudit(tx, ctx, {
      action: 'competitor.deleted',
      subject: `competitor ${target.id}`,
      detail: { appId: target.appId },
    });
    return { id: target.id, deleted: true };
  });
}
