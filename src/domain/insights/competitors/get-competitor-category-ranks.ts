import type { z } from 'zod';
import type { competitors } from '#contract/competitors.ts';
import { listCompetitors } from '#db/queries/competitors/competitors.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { parseDayRange } from '#domain/base/day-window.ts';
import { notFound } from '#domain/base/errors.ts';
import {
  getFollowedCharts,
  listReadRanks,
  readRankCursor,
} from '#domain/tracking/charts/get-category-ranks.ts';

type Operation = (typeof competitors)['GET /apps/{id}/competitors/{cid}/category-ranks'];
export type CompetitorCategoryRanks = z.input<Operation['responses'][200]>;

/**
 * Lists a competitor's positions in the charts of the app, on days on which the app's own position
 * in them is known. Throws not_found, invalid_request, invalid_cursor.
 */
export async function getCompetitorCategoryRanks(
  ctx: Ctx,
  target: { appId: number; id: number },
  query: z.output<Operation['query']>,
): Promise<CompetitorCategoryRanks> {
  const range = parseDayRange(query, ctx.clock.now());
  const after = readRankCursor(query.cursor);
  return inTenant(ctx, async (tx) => {
    const app = await getFollowedCharts(tx, ctx, target.appId);
    const [row] = await listCompetitors(tx, ctx.workspaceId, target.appId, [target.id]);
    if (!row) throw notFound();
    return listReadRanks(tx, { ...app, listingId: row.listingId }, { ...query, ...range, after });
  });
}
