import type { z } from 'zod';
import type { competitors } from '#contract/competitors.ts';
import { listCompetitors } from '#db/queries/competitors/competitors.ts';
import { startOfDayMs } from '#lib/dates.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { notFound } from '#domain/base/errors.ts';
import { listRankEntries } from '#domain/tracking/rankings/daily-rank-list.ts';
import { readListCursor, writeListCursor } from '#domain/tracking/rankings/rank-cursor.ts';
import { loadExaminedDays, loadVisibleRows } from '#domain/tracking/rankings/load-visible-rows.ts';
import { loadSeriesOfListings } from '#domain/tracking/rankings/provider-series.ts';
import { loadResultCounts } from '#domain/tracking/rankings/result-counts.ts';
import { toOwnInstant } from '#domain/tracking/rankings/tracking-periods.ts';
import { parseDayRange, windowOf, type DayRange } from '#domain/base/day-window.ts';
import { loadLiveKeywords, toMarketDay, type Spot } from '#domain/tracking/serps/live-keywords.ts';
import { toCompetitorRef } from './present-competitor.ts';
import { readCompetitorPositions } from './read-competitor-positions.ts';

export type CompetitorRankings = z.input<
  (typeof competitors)['GET /apps/{id}/competitors/{cid}/rankings']['responses'][200]
>;

export interface CompetitorRankingsQuery extends DayRange {
  country?: string | undefined;
  device?: string | undefined;
  keywordIds?: number[] | undefined;
  limit: number;
  cursor?: string | undefined;
}

/**
 * Lists a competitor's positions for the app's keywords, newest day first, on days when the app has
 * a rank, within the known depth. Before the competitor was created that is the stored depth.
 * Unknown days are omitted, so a page may be shorter than requested. Throws not_found,
 * invalid_request, invalid_cursor.
 */
export async function getCompetitorRankings(
  ctx: Ctx,
  target: { appId: number; id: number },
  query: CompetitorRankingsQuery,
): Promise<CompetitorRankings> {
  const { from, to } = parseDayRange(query, ctx.clock.now());
  const after = query.cursor === undefined ? null : readListCursor(query.cursor);
  const window = windowOf(from, to);
  return inTenant(ctx, async (tx) => {
    const { app, keywords } = await loadLiveKeywords(tx, ctx, target.appId, query);
    const [row] = await listCompetitors(tx, ctx.workspaceId, target.appId, [target.id]);
    if (!row) throw notFound();
    const followed = keywords.map((keyword) => ({ ...keyword, listingId: app.listingId }));
    const rows = await loadVisibleRows(tx, window, followed);
    const page = listRankEntries(window.days, rows, { hasGaps: false, after, limit: query.limit });
    const keywordOf = new Map(keywords.map((keyword) => [keyword.id, keyword]));
    const spots = page.entries.map(({ row: { keywordId }, index }): Spot => ({
      keyword: keywordOf.get(keywordId)!,
      date: window.days[index]!,
    }));
    const [competitor, last] = [toCompetitorRef(row), spots.at(-1)];
    const positions = await readCompetitorPositions(tx, spots, [competitor]);
    const examined = await loadExaminedDays(
      tx,
      spots.map((spot) => spot.keyword),
      spots.map((spot) => spot.date),
    );
    const series = await loadSeriesOfListings(tx, [app]);
    const results = await loadResultCounts(tx, spots.map(toMarketDay));
    const items = spots.flatMap(({ keyword, date }, number) => {
      const position = positions.find(number, competitor);
      if (!position) return [];
      const seconds = examined.find(keyword.marketId, date)?.seconds ?? 0;
      const checkedAt = new Date(startOfDayMs(date) + seconds * 1000);
      return [
        {
          date,
          keywordId: keyword.id,
          state: position.position === null ? ('not_found' as const) : ('ranked' as const),
          ...position,
          ...results.of({ marketId: keyword.marketId, date }, position),
          checkedAt: toOwnInstant(keyword.trackingPeriods, checkedAt).toISOString(),
          provider: series.find(app.listingId, date),
        },
      ];
    });
    return {
      items,
      nextCursor:
        page.hasMore && last
          ? writeListCursor({ date: last.date, keywordId: last.keyword.id })
          : null,
      total: null,
    };
  });
}
