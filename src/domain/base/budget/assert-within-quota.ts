import type { Tx } from '#db/database.ts';
import {
  countHeldMarketsBefore,
  getPlan,
  listBudgetRows,
  lockWorkspace,
  type BudgetRow,
  type ResumedKeywords,
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
  cost: {
    before: readonly BudgetRow[];
    after: readonly BudgetRow[];
    resumed?: ResumedKeywords | undefined;
  },
): Promise<void> {
  await assertMarketQuota(tx, ctx, {
    used: sumMarkets(cost.before),
    requested: sumMarkets(cost.after),
    resumed: cost.resumed,
  });
}

/**
 * Refreshes the budget and throws when the plan allows fewer keyword markets. The count is read
 * under the workspace's lock, because other transactions may have removed markets in the meantime.
 */
export async function refreshBudgetWithinQuota(
  tx: Tx,
  ctx: Ctx,
  { unseen, resumed }: { unseen?: UnseenKeyword[] | undefined; resumed?: ResumedKeywords } = {},
): Promise<BudgetRow[]> {
  if (!ctx.settings.billingEnabled) return refreshBudget(tx, ctx, unseen);
  await lockWorkspace(tx, ctx.workspaceId);
  const before = await listBudgetRows(tx, ctx.workspaceId);
  const after = await refreshBudget(tx, ctx, unseen);
  await assertWithinQuota(tx, ctx, { before, after, resumed });
  return after;
}

/**
 * Checks a number that is known before anything is written. A workspace above its limit may resume
 * keywords that the limit excludes: they stay excluded. One within it may not exceed it with them.
 */
export async function assertMarketQuota(
  tx: Tx,
  ctx: Ctx,
  {
    used,
    requested,
    resumed = {},
  }: { used: number; requested: number; resumed?: ResumedKeywords | undefined },
): Promise<void> {
  if (!ctx.settings.billingEnabled) return;
  const { plan: name, heldMarkets } = await getPlan(tx, ctx.workspaceId);
  const plan = planOf(name);
  const after = requested + heldMarkets;
  if (after <= plan.keywordMarkets) return;
  const before = used + (await countHeldMarketsBefore(tx, ctx.workspaceId, resumed));
  if (requested <= used && before > plan.keywordMarkets) return;
  throw new AppError('quota_keyword_markets', undefined, {
    quota: {
      kind: 'keywordMarkets',
      limit: plan.keywordMarkets,
      used: before,
      requested: after - before,
      plan: plan.name,
      upgradeTo: plan.upgradeTo,
    },
  });
}
