import type { Tx } from '#db/database.ts';
import { getPlan } from '#db/queries/budget/budgets.ts';
import { addFirstChecks, sumFirstChecks } from '#db/queries/jobs/first-checks.ts';
import { startOfDayMs, utcDayOf } from '#lib/dates.ts';
import type { Ctx } from '../context.ts';
import { planOf } from '../plans/plans.ts';

const hourMs = 3_600_000;

/**
 * The markets that are checked at once because they fit the plan's allowance of the day;
 * the daily run checks the others first. Without plans all of them.
 */
export async function takeFirstChecks(tx: Tx, ctx: Ctx, marketIds: number[]): Promise<number[]> {
  if (!ctx.settings.billingEnabled) return marketIds;
  const now = ctx.clock.now();
  const { firstChecksPerDay } = planOf((await getPlan(tx, ctx.workspaceId)).plan);
  const used = await sumFirstChecks(tx, ctx.workspaceId, new Date(startOfDayMs(utcDayOf(now))));
  const taken = marketIds.slice(0, Math.max(0, firstChecksPerDay - used));
  const hour = new Date(Math.floor(now.getTime() / hourMs) * hourMs);
  if (taken.length > 0) await addFirstChecks(tx, ctx.workspaceId, { hour, uses: taken.length });
  return taken;
}
