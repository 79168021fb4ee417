import type { z } from 'zod';
import type { rankings } from '#contract/rankings.ts';
import type { KeywordFilter } from '#db/queries/rankings/rank-months.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { readListCursor, writeListCursor } from './rank-cursor.ts';
import { listFollowed } from './followed-keywords.ts';
import { listDailyRanks } from './list-daily-ranks.ts';
import { maxListDays, parseDayRange, windowOf, type DayRange } from '#domain/base/day-window.ts';

export type AppDailyRanks = z.input<(typeof rankings)['GET /apps/{id}/rankings']['responses'][200]>;

export interface RankingsQuery extends DayRange, KeywordFilter {
  limit: number;
  cursor?: string | undefined;
  fill?: 'gaps' | undefined;
}

/**
 * Lists the daily ranks of an app's keywords, newest day first, then by keyword. `total` counts all
 * pages.
 */
export async function getAppRankings(
  ctx: Ctx,
  appId: number,
  query: RankingsQuery,
): Promise<AppDailyRanks> {
  const { from, to } = parseDayRange(query, ctx.clock.now(), maxListDays);
  const after = query.cursor === undefined ? null : readListCursor(query.cursor);
  const window = windowOf(from, to);
  const page = await inTenant(ctx, async (tx) =>
    listDailyRanks(tx, window, await listFollowed(tx, ctx, appId, query), {
      hasGaps: query.fill === 'gaps',
      after,
      limit: query.limit,
    }),
  );
  return {
    items: page.items,
    nextCursor: page.last && writeListCursor(page.last),
    total: page.total,
  };
}
