import type { Tx } from '../../db/database.ts';
import {
  getPlan,
  listBudgetRows,
  lockWorkspace,
  type BudgetRow,
} from '../../db/queries/budgets.ts';
import type { Ctx } from '../context.ts';
import { AppError } from '../errors.ts';
import { planOf } from '../billing/plans.ts';
import { refreshBudget } from './refresh-budget.ts';

const sumMarkets = (rows: readonly BudgetRow[]) => rows.reduce((sum, row) => sum + row.markets, 0);

/** Refuses more keyword markets than the plan holds; anything goes where there are no plans. */
export async function requireRoomInPlan(
  tx: Tx,
  ctx: Ctx,
  cost: { before: readonly BudgetRow[]; after: readonly BudgetRow[] },
): Promise<void> {
  await requireRoomForMarkets(tx, ctx, {
    used: sumMarkets(cost.before),
    wanted: sumMarkets(cost.after),
  });
}

/**
 * Refreshes the budget, and refuses more keyword markets than the plan holds. What counts as used is what the budget says once the
 * workspace's lock is held: others may have removed markets while this transaction was on its way there.
 */
export async function refreshBudgetInPlan(tx: Tx, ctx: Ctx): Promise<BudgetRow[]> {
  if (!ctx.settings.billingEnabled) return refreshBudget(tx, ctx);
  await lockWorkspace(tx, ctx.workspaceId);
  const before = await listBudgetRows(tx, ctx.workspaceId);
  const after = await refreshBudget(tx, ctx);
  await requireRoomInPlan(tx, ctx, { before, after });
  return after;
}

/** The same for figures that are known before anything is written. */
export async function requireRoomForMarkets(
  tx: Tx,
  ctx: Ctx,
  { used, wanted }: { used: number; wanted: number },
): Promise<void> {
  if (!ctx.settings.billingEnabled) return;
  const { plan: name, heldMarkets } = await getPlan(tx, ctx.workspaceId);
  const plan = planOf(name);
  if (wanted + heldMarkets <= plan.keywordMarkets || wanted <= used) return;
  throw new AppError('quota_keyword_markets', undefined, {
    quota: {
      kind: 'keywordMarkets',
      limit: plan.keywordMarkets,
      used: used + heldMarkets,
      requested: wanted - used,
      plan: plan.name,
      upgradeTo: plan.upgradeTo,
    },
  });
}
