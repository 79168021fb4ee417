import type { Tx } from '#db/database.ts';
import { listFallbackChecks, listMarketGaps } from '#db/queries/rankings/market-gaps.ts';
import type { UtcDay } from '#lib/dates.ts';
import {
  listNotFoundSpots,
  listRankEntries,
  toDailyRanks,
  type DailyRank,
  type DailyRankCursor,
} from './daily-rank-list.ts';
import { Fallbacks } from './fallbacks.ts';
import { notChecked } from './daily-rank-codec.ts';
import { loadExaminedDays, loadVisibleRows } from './load-visible-rows.ts';
import { loadSeriesOfListings } from './provider-series.ts';
import { loadResultCounts } from './result-counts.ts';
import type { FollowedMarket } from './visible-rows.ts';
import type { DayWindow } from '#domain/base/day-window.ts';

export interface DailyRankPage {
  items: DailyRank[];
  /** The last item, when more follow. */
  last: DailyRankCursor | null;
  total: number;
}

/** A page of daily ranks, newest day first. Times and reasons are loaded for the page only. */
export async function listDailyRanks(
  tx: Tx,
  window: DayWindow,
  keywords: readonly FollowedMarket[],
  page: { hasGaps: boolean; after: DailyRankCursor | null; limit: number },
): Promise<DailyRankPage> {
  const rows = await loadVisibleRows(tx, window, keywords);
  const { entries, hasMore, total } = listRankEntries(window.days, rows, page);
  const dayOf = ({ index }: { index: number }): UtcDay => window.days[index]!;
  const [checked, open] = [
    entries.filter(({ row, index }) => row.dailyRanks[index] !== notChecked),
    entries.filter(({ row, index }) => row.dailyRanks[index] === notChecked),
  ];
  const range =
    open.length === 0
      ? null
      : {
          marketIds: open.map(({ row }) => row.marketId),
          from: dayOf(open.at(-1)!),
          to: dayOf(open[0]!),
        };
  const items = toDailyRanks(window.days, entries, {
    results: await loadResultCounts(tx, listNotFoundSpots(window.days, entries)),
    series: await loadSeriesOfListings(tx, checked.length === 0 ? [] : keywords),
    examined: await loadExaminedDays(
      tx,
      checked.map(({ row }) => row),
      checked.map(dayOf),
    ),
    gaps: range === null ? [] : await listMarketGaps(tx, range),
    fallbacks: new Fallbacks(range === null ? [] : await listFallbackChecks(tx, range)),
  });
  const end = items.at(-1);
  return {
    items,
    last: hasMore && end ? { date: end.date, keywordId: end.keywordId } : null,
    total,
  };
}
