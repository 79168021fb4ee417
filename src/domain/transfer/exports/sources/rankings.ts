import { listFallbackChecks, listMarketGaps } from '#db/queries/rankings/market-gaps.ts';
import { formatPosition, type PositionAtDepth } from '#lib/format-position.ts';
import { inTenant } from '#domain/base/context.ts';
import {
  listNotFoundSpots,
  listRankEntries,
  toDailyRanks,
  type DailyRank,
  type RankEntry,
} from '#domain/tracking/rankings/daily-rank-list.ts';
import { Fallbacks } from '#domain/tracking/rankings/fallbacks.ts';
import { listFollowed } from '#domain/tracking/rankings/followed-keywords.ts';
import { loadExaminedDays, loadVisibleRows } from '#domain/tracking/rankings/load-visible-rows.ts';
import { loadSeriesOfListings } from '#domain/tracking/rankings/provider-series.ts';
import { loadResultCounts } from '#domain/tracking/rankings/result-counts.ts';
import type { VisibleRow } from '#domain/tracking/rankings/visible-rows.ts';
import { windowOf } from '#domain/base/day-window.ts';
import type { UtcDay } from '#lib/dates.ts';
import { chunk, sourceOf, type Columns, type ExportScope } from '../export-source.ts';

export type RankingItem = DailyRank & { phrase: string; country: string; device: string };

const keywordsPerRead = 50;
/**
 * Few enough for the garbage collector's young generation: objects that survive are kept for long.
 */
const dailyRanksPerPage = 25;

const columns: Columns<RankingItem> = {
  date: (item) => item.date,
  keywordId: (item) => item.keywordId,
  phrase: (item) => item.phrase,
  country: (item) => item.country,
  device: (item) => item.device,
  state: (item) => item.state,
  position: (item) => (item.state === 'not_checked' ? null : item.position),
  depth: (item) => (item.state === 'not_checked' ? null : item.depth),
  positionDisplay: displayOf,
  reason: (item) => (item.state === 'not_checked' ? item.reason : null),
  checkedAt: (item) => (item.state === 'not_checked' ? null : item.checkedAt),
  provider: (item) => (item.state === 'not_checked' ? null : item.provider),
  fallbackProvider: (item) => fallbackOf(item)?.provider ?? null,
  fallbackPosition: (item) => fallbackOf(item)?.position ?? null,
  fallbackDepth: (item) => fallbackOf(item)?.depth ?? null,
};

const fallbackOf = (item: RankingItem) => (item.state === 'not_checked' ? item.fallback : null);

/**
 * `3`, `>200`, `not in 37`, or `not checked (shed)`: an empty field could be read as a position.
 */
export function displayOf(
  item:
    | { state: 'not_checked'; reason: string }
    | ({ state: 'ranked' | 'not_found' } & PositionAtDepth),
): string {
  return item.state === 'not_checked' ? `not checked (${item.reason})` : formatPosition(item);
}

/**
 * Every day of every live keyword, by keyword, newest day first. Unchecked days have their reason.
 * Only the packed days of the current keywords are in memory; ranks are expanded a few at a time.
 */
async function* readPages({
  ctx,
  app,
  from,
  to,
  withArchived,
}: ExportScope): AsyncGenerator<RankingItem[]> {
  const window = windowOf(from, to);
  const keywords = await inTenant(ctx, (tx) => listFollowed(tx, ctx, app.id, { withArchived }));
  for (const part of chunk(keywords, keywordsPerRead)) {
    const range = { marketIds: part.map(({ marketId }) => marketId), from, to };
    const { lists, results, examined, gaps, fallbacks, series } = await inTenant(
      ctx,
      async (tx) => {
        const rows = await loadVisibleRows(tx, window, part);
        const entryLists = rows.map((row) => listEntries(window.days, row));
        const spots = entryLists.flatMap((entries) => listNotFoundSpots(window.days, entries));
        return {
          lists: entryLists,
          results: await loadResultCounts(tx, spots),
          examined: await loadExaminedDays(tx, part, window.days),
          series: await loadSeriesOfListings(tx, part),
          gaps: await listMarketGaps(tx, range),
          fallbacks: new Fallbacks(await listFallbackChecks(tx, range)),
        };
      },
    );
    const gapsOf = Map.groupBy(gaps, ({ marketId }) => marketId);
    for (const [index, entries] of lists.entries()) {
      const { phrase, country, device, marketId } = part[index]!;
      const known = { examined, series, fallbacks, results, gaps: gapsOf.get(marketId) ?? [] };
      for (const page of chunk(entries, dailyRanksPerPage)) {
        yield toDailyRanks(window.days, page, known).map((rank) =>
          Object.assign(rank, { phrase, country, device }),
        );
      }
    }
  }
}

const listEntries = (days: readonly UtcDay[], row: VisibleRow): RankEntry[] =>
  listRankEntries(days, [row], { hasGaps: true, after: null, limit: days.length }).entries;

export const rankings = sourceOf<RankingItem>({ columns, hasDays: true, pages: readPages });
