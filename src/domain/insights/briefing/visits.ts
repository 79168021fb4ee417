import { findVisit, upsertVisit } from '#db/queries/briefing/visits.ts';
import type { Tx } from '#db/database.ts';
import { utcDayOf, type UtcDay } from '#lib/dates.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';

/** The caller's last visit before `today`; null if there was none. */
export async function findLastVisit(tx: Tx, ctx: Ctx, today: UtcDay): Promise<UtcDay | null> {
  const visit = await findVisit(tx, ctx.workspaceId, ctx.actor.userId);
  if (!visit) return null;
  return visit.on < today ? visit.on : visit.previousOn;
}

/** Records a visit of today. Repeated visits of a day change nothing. */
export function recordVisit(ctx: Ctx): Promise<{ on: UtcDay; previousOn: UtcDay | null }> {
  const today = utcDayOf(ctx.clock.now());
  return inTenant(ctx, (tx) => upsertVisit(tx, ctx.workspaceId, ctx.actor.userId, today));
}
