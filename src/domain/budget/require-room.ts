import type { Tx } from '../../db/database.ts';
import { getPlan, type BudgetRow } from '../../db/queries/budgets.ts';
import type { Ctx } from '../context.ts';
import { AppError } from '../errors.ts';
import { planOf } from '../billing/plans.ts';

const sumMarkets = (rows: readonly BudgetRow[]) => rows.reduce((sum, row) => sum + row.markets, 0);

/** Refuses more keyword markets than the plan holds; anything goes where there are no plans. */
export async function requireRoomInPlan(tx: Tx, ctx: Ctx, cost: { before: readonly BudgetRow[]; after: readonly BudgetRow[] }): Promise<void> {
  await requireRoomForMarkets(tx, ctx, { used: sumMarkets(cost.before), wanted: sumMarkets(cost.after) });
}

/** The same for figures that are known before anything is written. */
export async function requireRoomForMarkets(tx: Tx, ctx: Ctx, { used, wanted }: { used: number; wanted: number }): Promise<void> {
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
