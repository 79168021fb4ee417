import { markStoreTasksUrgent } from '#db/queries/jobs/urgency.ts';
import { listStoreTasksOfApp } from '#db/queries/store-tasks/store-tasks.ts';
import { refreshStoreTaskDemand } from '#db/queries/rankings/markets.ts';
import { utcDayOf } from '#lib/dates.ts';
import { getActiveApp } from '../apps/get-app.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import {
  acceptStoreJob,
  assertQueueCapacity,
  type JobReference,
} from '#domain/base/jobs/accept-job.ts';

/**
 * Accepts a sync of the app's reviews ahead of the run, also when today's is done; a second call
 * while the first is open returns the same job. Throws not_found, invalid_request (archived),
 * queue_full.
 */
export async function requestReviewSync(
  ctx: Ctx,
  appId: number,
): Promise<{ job: JobReference; poll: string }> {
  await assertQueueCapacity(ctx);
  const now = ctx.clock.now();
  const day = utcDayOf(now);
  const job = await inTenant(ctx, async (tx) => {
    const app = await getActiveApp(tx, ctx, appId);
    await refreshStoreTaskDemand(tx, app.listingId);
    const storeTaskIds = await listStoreTasksOfApp(tx, ctx.workspaceId, appId, ['reviews']);
    await markStoreTasksUrgent(tx, ctx.workspaceId, storeTaskIds, {
      day,
      now,
      includeCompleted: true,
    });
    return acceptStoreJob(tx, ctx, {
      appId,
      kind: 'review-sync',
      dedupeKey: `review-sync_${appId}_${day}`,
      payload: { day, storeTaskIds },
    });
  });
  return { job, poll: `/apps/${appId}/reviews` };
}
