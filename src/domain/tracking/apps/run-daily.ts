import { listFollowedMarkets } from '#db/queries/apps/apps.ts';
import { listStoreTasksOfApp } from '#db/queries/store-tasks/store-tasks.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import {
  acceptRunDaily,
  assertQueueCapacity,
  type JobReference,
} from '#domain/base/jobs/accept-job.ts';
import { storeTaskKinds } from '#domain/base/ports.ts';
import { getActiveApp } from './get-app.ts';

/**
 * Accepts today's checks, listings, feeds, pages and charts of the app ahead of the run. Throws
 * not_found, invalid_request (archived), queue_full.
 */
export async function runDaily(
  ctx: Ctx,
  appId: number,
): Promise<{ job: JobReference; poll: string }> {
  await assertQueueCapacity(ctx);
  const job = await inTenant(ctx, async (tx) => {
    const app = await getActiveApp(tx, ctx, appId);
    const marketIds = await listFollowedMarkets(tx, ctx.workspaceId, appId);
    const storeTaskIds = await listStoreTasksOfApp(tx, ctx.workspaceId, appId, storeTaskKinds);
    return acceptRunDaily(tx, ctx, { appId, listingId: app.listingId, marketIds, storeTaskIds });
  });
  return { job, poll: `/apps/${appId}/rankings` };
}
