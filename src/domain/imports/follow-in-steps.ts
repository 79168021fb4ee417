import { analyzeRestored, findImport, updateFollowedTo } from '../../db/queries/imports.ts';
import { inTenant, type Ctx } from '../context.ts';
import { followAgain } from './follow-again.ts';

/** A few hundred markets or listings are written in a fraction of a second, for which alone others wait. */
const atOnce = 500;
const stepsPerBeat = 20;

/**
 * The end of an import whose rows are written, in short transactions: nobody waits for the whole of a large one, and what was
 * stopped goes on where it was. `beat` is called now and then, and may throw to stop it.
 */
export async function followInSteps(
  ctx: Ctx,
  importId: number,
  beat: () => Promise<void>,
): Promise<void> {
  const found = await inTenant(ctx, (tx) => findImport(tx, ctx.workspaceId, { id: importId }));
  if (found === undefined || found.followedTo === null) return;
  await analyzeRestored(ctx.systemDb);
  let count = 0;
  await followAgain(ctx, {
    run: async (work) => {
      if (count % stepsPerBeat === 0) await beat();
      count += 1;
      return inTenant(ctx, work);
    },
    atOnce,
    after: found.followedTo,
    reach: (tx, appId) => updateFollowedTo(tx, ctx.workspaceId, importId, appId),
  });
  await inTenant(ctx, (tx) => updateFollowedTo(tx, ctx.workspaceId, importId, null));
}
