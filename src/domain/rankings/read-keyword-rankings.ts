import type { z } from 'zod';
import type { rankings } from '../../contract/rankings.ts';
import { inTenant, type Ctx } from '../context.ts';
import { readAnnotations, readNotes } from './annotations.ts';
import { getFollowed } from './followed.ts';
import { readCells } from './read-cells.ts';
import { readDayRange, windowOf, type DayRange } from './window.ts';

export type KeywordRankings = z.input<
  (typeof rankings)['GET /keywords/{keywordId}/rankings']['responses'][200]
>;

/** The cells of a keyword, newest day first, with what changed in the app's listing in its country, and this workspace's notes. */
export async function readKeywordRankings(
  ctx: Ctx,
  keywordId: number,
  query: DayRange & { fill?: 'gaps' | undefined },
): Promise<KeywordRankings> {
  const { from, to } = readDayRange(query, ctx.clock.now());
  const window = windowOf(from, to);
  const { page, annotations } = await inTenant(ctx, async (tx) => {
    const keyword = await getFollowed(tx, ctx, keywordId);
    return {
      page: await readCells(tx, window, [keyword], {
        hasGaps: query.fill === 'gaps',
        after: null,
        limit: window.days.length,
      }),
      annotations: [
        ...(await readNotes(tx, ctx, keyword, { from, to })),
        ...(await readAnnotations(tx, keyword, { from, to })),
      ],
    };
  });
  return {
    items: page.items,
    nextCursor: null,
    total: page.total,
    annotations: annotations.toSorted(newestFirst),
  };
}

function newestFirst(a: { date: string }, b: { date: string }): number {
  return a.date < b.date ? 1 : a.date > b.date ? -1 : 0;
}
