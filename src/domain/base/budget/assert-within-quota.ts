import type { Tx } from '#db/database.ts';
import {
  getPlan,
  listBudgetRows,
  lockWorkspace,
  type BudgetRow,
} from '#db/queries/budget/budgets.ts';
import type { UnseenKeyword } from '#db/queries/budget/known-demand.ts';
import type { Ctx } from '../context.ts';
import { AppError } from '../errors.ts';
import { planOf } from '../plans/plans.ts';
import { refreshBudget } from './refresh-budget.ts';

const sumMarkets = (rows: readonly BudgetRow[]) => rows.reduce((sum, row) => sum + row.markets, 0);

/** Throws when the plan allows fewer keyword markets; never when billing is off. */
export async function assertWithinQuota(
  tx: Tx,
  ctx: Ctx,
  cost: { before: readonly BudgetRow[]; after: readonly BudgetRow[] },
): Promise<void> {
  await assertMarketQuota(tx, ctx, {
    used: sumMarkets(cost.before),
    requested: sumMarkets(cost.after),
  });
}

/**
 * Refreshes the budget and throws when the plan allows fewer keyword markets. The count is read
 * under the workspace's lock, because other transactions may have removed markets in the meantime.
 */
export async function refreshBudgetWithinQuota(
  tx: Tx,
  ctx: Ctx,
  unseen?: UnseenKeyword[],
): Promise<BudgetRow[]> {
  if (!ctx.settings.billingEnabled) return refreshBudget(tx, ctx, unseen);
  await lockWorkspace(tx, ctx.workspaceId);
  const before = await listBudgetRows(tx, ctx.workspaceId);
  const after = await refreshBudget(tx, ctx, unseen);
  await assertWithinQuota(tx, ctx, { before, after });
  return after;
}

/** Checks a number that is known before anything is written. */
export async function assertMarketQuota(
  tx: Tx,
  ctx: Ctx,
  { used, requested }: { used: number; requested: number },
): Promise<void> {
  if (!ctx.settings.billingEnabled) return;
  const { plan: name, heldMarkets } = await getPlan(tx, ctx.workspaceId);
  const plan = planOf(name);
  if (requested + heldMarkets <= plan.keywordMarkets || requested <= used) return;
  throw new AppError('quota_keyword_markets', undefined, {
    quota: {
      kind: 'keywordMarkets',
      limit: plan.keywordMarkets,
      used: used + heldMarkets,
      requested: requested - used,
      plan: plan.name,
      upgradeTo: plan.upgradeTo,
    },
  });
}
