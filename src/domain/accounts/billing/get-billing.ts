import type { z } from 'zod';
import type { billing } from '#contract/billing.ts';
import { planNames } from '#contract/choices.ts';
import { countSeats } from '#db/queries/members/invites.ts';
import { countWorkspaceUsage, findBilling } from '#db/queries/workspaces/workspaces.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { notFound } from '#domain/base/errors.ts';
import { isGracePeriodOver } from '#domain/base/plans/over-limit.ts';
import { planOf, plans, type Plan } from '#domain/base/plans/plans.ts';
import { stateOf } from './workspace-status.ts';

export type Billing = z.input<(typeof billing)['GET /billing']['responses'][200]>;
export type PlanList = z.input<(typeof billing)['GET /billing/plans']['responses'][200]>;

/** Throws not_found for a deleted workspace. */
export async function getBilling(ctx: Ctx): Promise<Billing> {
  return inTenant(ctx, async (tx) => {
    const row = await findBilling(tx, ctx.workspaceId);
    if (!row) throw notFound();
    const { apps, keywordMarkets } = await countWorkspaceUsage(tx, ctx.workspaceId);
    const members = await countSeats(tx, ctx.workspaceId, ctx.clock.now());
    const plan = planOf(row.plan);
    const state = stateOf(row, ctx.clock.now(), true);
    return {
      state,
      planStatus:
        state === 'suspended'
          ? (stateOf({ ...row, state: row.status }, ctx.clock.now(), true) as Billing['planStatus'])
          : state,
      plan: row.plan === null ? null : plan.name,
      trialEndsAt: row.trialEndsAt?.toISOString() ?? null,
      overLimitSince: row.overLimitSince?.toISOString() ?? null,
      checkedMarkets: isGracePeriodOver(row, ctx.clock.now()) ? plan.keywordMarkets : null,
      usage: {
        apps: { used: apps, limit: plan.apps },
        keywordMarkets: { used: keywordMarkets, limit: plan.keywordMarkets },
        members: { used: members, limit: plan.members },
      },
      limits: requestLimitsOf(plan),
      payments: ctx.payments !== null,
      canManage: ctx.payments !== null && row.paymentSubscription !== null,
    };
  });
}

export async function listPlans(ctx: Ctx): Promise<PlanList> {
  const row = await inTenant(ctx, (tx) => findBilling(tx, ctx.workspaceId));
  const items = planNames.map((name) => {
    const { apps, keywordMarkets, members } = plans[name];
    const intervals = ctx.payments?.intervalsOf(name) ?? [];
    return {
      name,
      apps,
      keywordMarkets,
      members,
      ...requestLimitsOf(plans[name]),
      current: row?.plan === name,
      intervals,
    };
  });
  return { items, nextCursor: null, total: items.length };
}

function requestLimitsOf({
  readsPerMinute,
  writesPerMinute,
  requestsPerDay,
  parallel,
  onDemand,
}: Plan): Billing['limits'] {
  return { readsPerMinute, writesPerMinute, requestsPerDay, parallel, onDemand };
}
