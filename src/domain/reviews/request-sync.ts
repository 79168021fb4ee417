import { listChoresOfApp, markChoresUrgent } from '../../db/queries/chores.ts';
import { refreshChoreDemand } from '../../db/queries/markets.ts';
import { utcDayOf } from '../../lib/dates.ts';
import { getActiveApp } from '../apps/find-app.ts';
import { inTenant, type Ctx } from '../context.ts';
import { accept, requireHeadroom, type JobReference } from '../jobs/accept.ts';

/**
 * Accepts a reading of the app's reviews ahead of the run, also where today's was done already; a second call while the
 * first is open gets the same job. Throws not_found, invalid_request (archived), queue_full.
 */
export async function requestReviewSync(
  ctx: Ctx,
  appId: number,
): Promise<{ job: JobReference; poll: string }> {
  await requireHeadroom(ctx);
  const now = ctx.clock.now();
  const day = utcDayOf(now);
  const job = await inTenant(ctx, async (tx) => {
    const app = await getActiveApp(tx, ctx, appId);
    await refreshChoreDemand(tx, app.listingId);
    const choreIds = await listChoresOfApp(tx, ctx.workspaceId, appId, ['reviews']);
    const total = await markChoresUrgent(tx, choreIds, { day, now, evenSettled: true });
    return accept(tx, ctx, {
      appId,
      kind: 'review-sync',
      dedupeKey: `review-sync_${appId}_${day}`,
      payload: { day, choreIds },
      total,
    });
  });
  return { job, poll: `/apps/${appId}/reviews` };
}
