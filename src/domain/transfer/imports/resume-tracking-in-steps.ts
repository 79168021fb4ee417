import { analyzeRestored, findImport, updateFollowedTo } from '#db/queries/imports/imports.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { resumeTracking } from './resume-tracking.ts';

/**
 * A few hundred markets or listings take a fraction of a second, which is the longest that others
 * wait.
 */
const atOnce = 500;
const stepsPerTick = 20;

/**
 * Completes an import in short transactions, so that others wait only for a step. After a crash it
 * continues. `keepLease` is called periodically and may throw to stop it.
 */
export async function resumeTrackingInSteps(
  ctx: Ctx,
  importId: number,
  keepLease: () => Promise<void>,
): Promise<void> {
  const found = await inTenant(ctx, (tx) => findImport(tx, ctx.workspaceId, { id: importId }));
  if (found === undefined || found.followedTo === null) return;
  await analyzeRestored(ctx.systemDb);
  let count = 0;
  await resumeTracking(ctx, {
    run: async (work) => {
      if (count % stepsPerTick === 0) await keepLease();
      count += 1;
      return inTenant(ctx, work);
    },
    atOnce,
    after: found.followedTo,
    reach: (tx, appId) => updateFollowedTo(tx, ctx.workspaceId, importId, appId),
  });
  await inTenant(ctx, (tx) => updateFollowedTo(tx, ctx.workspaceId, importId, null));
}
