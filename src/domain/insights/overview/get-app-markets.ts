import type { z } from 'zod';
import type { apps } from '#contract/apps.ts';
import { listAppMarkets } from '#db/queries/overview/overview.ts';
import { findFollowedApp } from '#db/queries/rankings/rank-months.ts';
import { addDays, utcDayOf } from '#lib/dates.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { notFound } from '#domain/base/errors.ts';
import { positionMaxAgeDays } from '#domain/tracking/rankings/position.ts';

export type AppMarkets = z.input<(typeof apps)['GET /apps/{id}/markets']['responses'][200]>;

/**
 * The countries of an app's keywords with their daily cost; paused keywords and those of an
 * archived app cost nothing. Throws not_found.
 */
export async function getAppMarkets(ctx: Ctx, appId: number): Promise<AppMarkets> {
  const now = ctx.clock.now();
  const rows = await inTenant(ctx, async (tx) => {
    if (!(await findFollowedApp(tx, ctx.workspaceId, appId, now))) throw notFound();
    return listAppMarkets(tx, ctx.workspaceId, appId, addDays(utcDayOf(now), -positionMaxAgeDays));
  });
  const items = rows.map((row) => ({
    ...row,
    requestsPerDay: Math.round(row.requestsPerDay * 100) / 100,
  }));
  return { items, nextCursor: null, total: items.length };
}
