import type { Tx } from '../../db/database.ts';
import { countKeywordsOfApps, type AppCounts } from '../../db/queries/apps.ts';
import { addDays, utcDayOf } from '../../lib/dates.ts';
import type { Ctx } from '../context.ts';
import { standingDays } from '../overview/read-overview.ts';

/** By app id; an app without keywords is not in it. `ranked` counts what the overview counts. */
export function countKeywords(tx: Tx, ctx: Ctx, appIds: number[]): Promise<Map<number, AppCounts>> {
  return countKeywordsOfApps(
    tx,
    ctx.workspaceId,
    appIds,
    addDays(utcDayOf(ctx.clock.now()), -standingDays),
  );
}
