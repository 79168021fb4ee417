import type { z } from 'zod';
import type { dailyRank } from '#contract/rankings.ts';
import type { MarketGap } from '#db/queries/rankings/market-gaps.ts';
import { startOfDayMs, type UtcDay } from '#lib/dates.ts';
import { notChecked, notFoundByte, decodePosition } from './daily-rank-codec.ts';
import { awaitedByte, overQuota, paused, toOwnInstant, unseen } from './tracking-periods.ts';
import type { Fallbacks } from './fallbacks.ts';
import type { ExaminedDays } from './examined-days.ts';
import type { ProviderSeries } from './provider-series.ts';
import type { ResultCounts } from './result-counts.ts';
import type { VisibleRow } from './visible-rows.ts';

export type DailyRank = z.input<typeof dailyRank>;

/** A cursor of a list of daily ranks: newest day first, then by keyword id. */
export interface DailyRankCursor {
  date: UtcDay;
  keywordId: number;
}

/** A daily rank of a page: the row and the day's index in it. */
export interface RankEntry {
  row: VisibleRow;
  index: number;
}

export interface RankEntryPage {
  entries: RankEntry[];
  /** True when more follow. */
  hasMore: boolean;
  total: number;
}

/**
 * The daily ranks of a page; with `hasGaps` also the days on which a keyword existed and was not
 * checked.
 */
export function listRankEntries(
  days: readonly UtcDay[],
  rows: readonly VisibleRow[],
  page: { hasGaps: boolean; after: DailyRankCursor | null; limit: number },
): RankEntryPage {
  const entries: RankEntry[] = [];
  let [total, passed] = [0, 0];
  for (let index = days.length - 1; index >= 0; index -= 1) {
    const date = days[index]!;
    for (const row of rows) {
      if (
        row.dailyRanks[index] === notChecked &&
        (!page.hasGaps || row.trackedDepths[index] === unseen)
      )
        continue;
      total += 1;
      if (isAtOrBefore(date, row.keywordId, page.after)) passed += 1;
      else if (entries.length < page.limit) entries.push({ row, index });
    }
  }
  return { entries, hasMore: total > passed + entries.length, total };
}

function isAtOrBefore(date: UtcDay, keywordId: number, after: DailyRankCursor | null): boolean {
  return (
    after !== null && (date > after.date || (date === after.date && keywordId <= after.keywordId))
  );
}

/** Rank entries in the form of the API. */
export function toDailyRanks(
  days: readonly UtcDay[],
  entries: readonly RankEntry[],
  known: {
    examined: ExaminedDays;
    gaps: readonly MarketGap[];
    fallbacks: Fallbacks;
    series: ProviderSeries;
    results: ResultCounts;
  },
): DailyRank[] {
  const reasons = indexGaps(known.gaps);
  return entries.map(({ row, index }) => {
    const [date, position] = [days[index]!, decodePosition(row.dailyRanks[index]!)];
    const { keywordId, listingId, marketId } = row;
    if (position === undefined) {
      const trackedDepth = row.trackedDepths[index]!;
      const reason = reasonOf(trackedDepth) ?? reasons.get(marketId)?.get(date) ?? 'not_yet_run';
      const fallback = known.fallbacks.find(row, { date, trackedDepth });
      return { date, keywordId, state: 'not_checked', reason, fallback };
    }
    const imported = row.imported?.get(index);
    const seconds = imported?.seconds ?? known.examined.find(marketId, date)?.seconds ?? 0;
    const checkedAt = new Date(startOfDayMs(date) + seconds * 1000);
    return {
      date,
      keywordId,
      state: position === null ? 'not_found' : 'ranked',
      position,
      depth: row.depths[index]!,
      ...(!imported &&
        known.results.of({ marketId, date }, { position, depth: row.depths[index]! })),
      checkedAt: (imported
        ? checkedAt
        : toOwnInstant(row.trackingPeriods, checkedAt)
      ).toISOString(),
      provider: imported ? imported.provider : known.series.find(listingId, date),
    };
  });
}

/** The days of entries on which the app was checked and not found. */
export const listNotFoundSpots = (
  days: readonly UtcDay[],
  entries: readonly RankEntry[],
): { marketId: number; date: UtcDay }[] =>
  entries
    .filter(({ row, index }) => row.dailyRanks[index] === notFoundByte)
    .map(({ row, index }) => ({ marketId: row.marketId, date: days[index]! }));

/** Reasons for days without a search for this workspace. */
function reasonOf(trackedDepth: number): 'paused' | 'over_quota' | 'not_yet_run' | null {
  if (trackedDepth === awaitedByte) return 'not_yet_run';
  return trackedDepth === paused ? 'paused' : trackedDepth === overQuota ? 'over_quota' : null;
}

function indexGaps(gaps: readonly MarketGap[]): Map<number, Map<UtcDay, MarketGap['reason']>> {
  const index = new Map<number, Map<UtcDay, MarketGap['reason']>>();
  for (const { marketId, date, reason } of gaps) {
    const byDate = index.get(marketId) ?? new Map<UtcDay, MarketGap['reason']>();
    index.set(marketId, byDate.set(date, reason));
  }
  return index;
}
