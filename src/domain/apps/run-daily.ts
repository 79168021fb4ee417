import { listFollowedMarkets } from '../../db/queries/apps.ts';
import { listChoresOfApp } from '../../db/queries/chores.ts';
import { inTenant, type Ctx } from '../context.ts';
import { acceptRunDaily, requireHeadroom, type JobReference } from '../jobs/accept.ts';
import { choreKinds } from '../ports.ts';
import { getActiveApp } from './find-app.ts';

/** Accepts today's checks, readings, feeds, pages and charts of the app ahead of the run. Throws not_found, invalid_request (archived), queue_full. */
export async function runDaily(
  ctx: Ctx,
  appId: number,
): Promise<{ job: JobReference; poll: string }> {
  await requireHeadroom(ctx);
  const job = await inTenant(ctx, async (tx) => {
    const app = await getActiveApp(tx, ctx, appId);
    const marketIds = await listFollowedMarkets(tx, ctx.workspaceId, appId);
    const choreIds = await listChoresOfApp(tx, ctx.workspaceId, appId, choreKinds);
    return acceptRunDaily(tx, ctx, { appId, listingId: app.listingId, marketIds, choreIds });
  });
  return { job, poll: `/apps/${appId}/rankings` };
}
