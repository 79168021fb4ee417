import type { Tx } from '../../db/database.ts';
import { countApps } from '../../db/queries/apps.ts';
import { getPlan } from '../../db/queries/budgets.ts';
import { planOf } from '../billing/plans.ts';
import type { Ctx } from '../context.ts';
import { AppError } from '../errors.ts';

/** Refuses, after an app was added or brought back, what the plan does not hold; anything goes where there are no plans. */
export async function requireRoomForApps(tx: Tx, ctx: Ctx): Promise<void> {
  if (ctx.settings.billingEnabled)
    await requireRoomForAppCount(tx, ctx, await countApps(tx, ctx.workspaceId));
}

/** The same for a number that is known before anything is written. */
export async function requireRoomForAppCount(tx: Tx, ctx: Ctx, wanted: number): Promise<void> {
  if (!ctx.settings.billingEnabled) return;
  const plan = planOf((await getPlan(tx, ctx.workspaceId)).plan);
  if (wanted <= plan.apps) return;
  throw new AppError('quota_apps', undefined, {
    quota: {
      kind: 'apps',
      limit: plan.apps,
      used: wanted - 1,
      requested: 1,
      plan: plan.name,
      upgradeTo: plan.upgradeTo,
    },
  });
}
