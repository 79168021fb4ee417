import {
  archiveCompetitor,
  lockCompetitor,
  updateCompetitorRow,
  type CompetitorUpdate,
} from '#db/queries/competitors/competitors.ts';
import { refreshListingDemand } from '#db/queries/rankings/markets.ts';
import { utcDayOf } from '#lib/dates.ts';
import { getApp } from '#domain/tracking/apps/get-app.ts';
import { assertStorable } from '#domain/base/text/parse-tags.ts';
import { writeAudit } from '#domain/base/audit/write-audit.ts';
import { refreshBudget } from '#domain/base/budget/refresh-budget.ts';
import { assertUnchanged } from '#domain/base/assert-unchanged.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { notFound } from '#domain/base/errors.ts';
import {
  parseTrackingPeriods,
  withTrackingPeriod,
} from '#domain/tracking/rankings/tracking-periods.ts';
import { readCompetitor } from './list-competitors.ts';
import type { CompetitorRecord } from './present-competitor.ts';

/** Updates a competitor. Throws not_found, precondition_failed, invalid_request. */
export async function updateCompetitor(
  ctx: Ctx,
  target: { appId: number; id: number },
  change: CompetitorUpdate,
): Promise<CompetitorRecord> {
  assertStorable('relationship', change.relationship);
  assertStorable('note', change.note);
  return inTenant(ctx, async (tx) => {
    const current = await lockCompetitor(tx, ctx.workspaceId, target.appId, target.id);
    if (!current) throw notFound();
    assertUnchanged(ctx, current);
    await updateCompetitorRow(tx, ctx.workspaceId, target.id, change);
    return readCompetitor(tx, ctx, target.appId, target.id);
  });
}

/**
 * Deletes a competitor, which is then no longer read or tracked. Throws not_found, even for one
 * that is already deleted.
 */
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
      trackingPeriods: withTrackingPeriod(
        parseTrackingPeriods(competitor.trackingPeriods),
        utcDayOf(now),
        0,
      ),
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
