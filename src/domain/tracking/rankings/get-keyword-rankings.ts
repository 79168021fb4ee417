import type { z } from 'zod';
import type { rankings } from '#contract/rankings.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { listKeywordAnnotations, readNotes } from './keyword-annotations.ts';
import { getFollowed } from './followed-keywords.ts';
import { listDailyRanks } from './list-daily-ranks.ts';
import { loadSeriesOfListings } from './provider-series.ts';
import { listRankSegments } from './rank-segments.ts';
import { parseDayRange, windowOf, type DayRange } from '#domain/base/day-window.ts';

export type KeywordRankings = z.input<
  (typeof rankings)['GET /keywords/{keywordId}/rankings']['responses'][200]
>;

/**
 * Lists the daily ranks of a keyword, newest day first, with changes of the app's listing in its
 * country and this workspace's annotations.
 */
export async function getKeywordRankings(
  ctx: Ctx,
  keywordId: number,
  query: DayRange & { fill?: 'gaps' | undefined },
): Promise<KeywordRankings> {
  const { from, to } = parseDayRange(query, ctx.clock.now());
  const window = windowOf(from, to);
  const { page, segments, annotations } = await inTenant(ctx, async (tx) => {
    const keyword = await getFollowed(tx, ctx, keywordId);
    const ranks = await listDailyRanks(tx, window, [keyword], {
      hasGaps: query.fill === 'gaps',
      after: null,
      limit: window.days.length,
    });
    const series = await loadSeriesOfListings(tx, [keyword]);
    return {
      segments: listRankSegments(series, keyword.listingId, window, ranks.items),
      page: ranks,
      annotations: [
        ...(await readNotes(tx, ctx, keyword, { from, to })),
        ...(await listKeywordAnnotations(tx, keyword, { from, to })),
      ],
    };
  });
  return {
    items: page.items,
    nextCursor: null,
    total: page.total,
    segments,
    annotations: annotations.toSorted(newestFirst),
  };
}

function newestFirst(a: { date: string }, b: { date: string }): number {
  return a.date < b.date ? 1 : a.date > b.date ? -1 : 0;
}
