import type { z } from 'zod';
import type { apps } from '../../contract/apps.ts';
import { listAppMarkets } from '../../db/queries/overview.ts';
import { findFollowedApp } from '../../db/queries/rank-months.ts';
import { addDays, utcDayOf } from '../../lib/dates.ts';
import { inTenant, type Ctx } from '../context.ts';
import { notFound } from '../errors.ts';
import { standingDays } from './read-overview.ts';

export type AppMarkets = z.input<(typeof apps)['GET /apps/{id}/markets']['responses'][200]>;

/** The countries of an app's keywords, with what they cost a day; a paused keyword costs nothing. Throws not_found. */
export async function readAppMarkets(ctx: Ctx, appId: number): Promise<AppMarkets> {
  const now = ctx.clock.now();
  const rows = await inTenant(ctx, async (tx) => {
    if (!(await findFollowedApp(tx, ctx.workspaceId, appId, now))) throw notFound();
    return listAppMarkets(tx, ctx.workspaceId, appId, addDays(utcDayOf(now), -standingDays));
  });
  const items = rows.map((row) => ({
    ...row,
    requestsPerDay: Math.round(row.requestsPerDay * 100) / 100,
  }));
  return { items, nextCursor: null, total: items.length };
}
