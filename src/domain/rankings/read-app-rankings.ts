import type { z } from 'zod';
import type { rankings } from '../../contract/rankings.ts';
import type { KeywordFilter } from '../../db/queries/rank-months.ts';
import { inTenant, type Ctx } from '../context.ts';
import { readPlace, writePlace } from './cursor.ts';
import { listFollowed } from './followed.ts';
import { readCells } from './read-cells.ts';
import { readDayRange, windowOf, type DayRange } from './window.ts';

export type RankingCells = z.input<(typeof rankings)['GET /apps/{id}/rankings']['responses'][200]>;

export interface RankingsQuery extends DayRange, KeywordFilter {
  limit: number;
  cursor?: string | undefined;
  fill?: 'gaps' | undefined;
}

/** The cells of an app's keywords, newest day first, then by keyword. `total` counts all pages. */
export async function readAppRankings(
  ctx: Ctx,
  appId: number,
  query: RankingsQuery,
): Promise<RankingCells> {
  const { from, to } = readDayRange(query, ctx.clock.now());
  const after = query.cursor === undefined ? null : readPlace(query.cursor);
  const window = windowOf(from, to);
  const page = await inTenant(ctx, async (tx) =>
    readCells(tx, window, await listFollowed(tx, ctx, appId, query), {
      hasGaps: query.fill === 'gaps',
      after,
      limit: query.limit,
    }),
  );
  return { items: page.items, nextCursor: page.last && writePlace(page.last), total: page.total };
}
