import type { Tx } from '#db/database.ts';
import { countApps } from '#db/queries/apps/apps.ts';
import { getPlan } from '#db/queries/budget/budgets.ts';
import { planOf } from '#domain/base/plans/plans.ts';
import type { Ctx } from '#domain/base/context.ts';
import { AppError } from '#domain/base/errors.ts';

/**
 * Throws, after apps were added or restored, when the plan does not allow them; never when billing
 * is off.
 */
export async function assertAppQuota(tx: Tx, ctx: Ctx, added = 1): Promise<void> {
  if (!ctx.settings.billingEnabled) return;
  const requested = await countApps(tx, ctx.workspaceId);
  await assertAppCountQuota(tx, ctx, { used: requested - added, requested });
}

/** Checks a number that is known before anything is written. */
export async function assertAppCountQuota(
  tx: Tx,
  ctx: Ctx,
  { used, requested }: { used: number; requested: number },
): Promise<void> {
  if (!ctx.settings.billingEnabled) return;
  const plan = planOf((await getPlan(tx, ctx.workspaceId)).plan);
  if (requested <= plan.apps) return;
  throw new AppError('quota_apps', undefined, {
    quota: {
      kind: 'apps',
      limit: plan.apps,
      used,
      requested: requested - used,
      plan: plan.name,
      upgradeTo: plan.upgradeTo,
    },
  });
}
