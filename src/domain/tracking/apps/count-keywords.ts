import type { Tx } from '#db/database.ts';
import { countKeywordsOfApps, type AppCounts } from '#db/queries/apps/apps.ts';
import { addDays, utcDayOf } from '#lib/dates.ts';
import type { Ctx } from '#domain/base/context.ts';
import { positionMaxAgeDays } from '../rankings/position.ts';

/** By app id; an app without keywords is omitted. `ranked` counts like the overview. */
export function countKeywords(tx: Tx, ctx: Ctx, appIds: number[]): Promise<Map<number, AppCounts>> {
  return countKeywordsOfApps(
    tx,
    ctx.workspaceId,
    appIds,
    addDays(utcDayOf(ctx.clock.now()), -positionMaxAgeDays),
  );
}
