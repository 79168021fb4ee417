import type { z } from 'zod';
import type { rankings } from '../../contract/rankings.ts';
import { listMarketGaps } from '../../db/queries/market-gaps.ts';
import { inTenant, type Ctx } from '../context.ts';
import { readAnnotations } from './annotations.ts';
import { listCells } from './cell-list.ts';
import { getFollowed } from './followed.ts';
import { readVisibleRows } from './read-visible.ts';
import { readDayRange, windowOf, type DayRange } from './window.ts';

export type KeywordRankings = z.input<(typeof rankings)['GET /keywords/{keywordId}/rankings']['responses'][200]>;

/** The cells of a keyword, newest day first, with what changed in the app's listing in the keyword's country. */
export async function readKeywordRankings(ctx: Ctx, keywordId: number, query: DayRange & { fill?: 'gaps' | undefined }): Promise<KeywordRankings> {
  const { from, to } = readDayRange(query, ctx.clock.now());
  const window = windowOf(from, to);
  const { rows, gaps, annotations } = await inTenant(ctx, async (tx) => {
    const keyword = await getFollowed(tx, ctx, keywordId);
    return {
      rows: await readVisibleRows(tx, window, [keyword]),
      gaps: query.fill === 'gaps' ? await listMarketGaps(tx, { marketIds: [keyword.marketId], from, to }) : null,
      annotations: await readAnnotations(tx, keyword, { from, to }),
    };
  });
  const { items, total } = listCells(window, rows, { gaps, after: null, limit: window.days.length });
  return { items, nextCursor: null, total, annotations };
}
