import type { Tx } from '#db/database.ts';
import type { UtcDay } from '#lib/dates.ts';
import { decodePosition } from './daily-rank-codec.ts';
import { changeWindowStart, rankChanges, type RankChanges } from './rank-change.ts';
import { loadVisibleRows } from './load-visible-rows.ts';
import { parseTrackingPeriods } from './tracking-periods.ts';
import { keepProviderOf, type VisibleRow } from './visible-rows.ts';
import { windowOf } from '#domain/base/day-window.ts';

export type { RankChange } from './rank-change.ts';

/** The fields needed to load a keyword's ranks. */
export interface FollowedKeyword {
  id: number;
  marketId: number;
  listingId: number;
  trackingPeriods: unknown;
}

export interface RecentRanks extends RankChanges {
  /**
   * The last 30 days, oldest first, today last: a position, null for not found, "-" for not
   * checked. A function, because few lists show them.
   */
  spark: () => (number | null | '-')[];
}

const sparkDays = 30;

/** The recent ranks of keywords by id, of today's provider, as far as tracking periods allow. */
export function loadRecentRanks(
  tx: Tx,
  keywords: readonly FollowedKeyword[],
  today: UtcDay,
): Promise<Map<number, RecentRanks>> {
  return readRecent(tx, keywords, today, (row, days) => ({
    spark: () => sparkOf(row.dailyRanks),
    ...rankChanges(row, days),
  }));
}

/** Returns only the changes, for sorting hundreds of keywords of which some are shown. */
export function recentChanges(
  tx: Tx,
  keywords: readonly FollowedKeyword[],
  today: UtcDay,
): Promise<Map<number, RankChanges>> {
  return readRecent(tx, keywords, today, rankChanges);
}

async function readRecent<Recent>(
  tx: Tx,
  keywords: readonly FollowedKeyword[],
  today: UtcDay,
  read: (row: VisibleRow, days: readonly UtcDay[]) => Recent,
): Promise<Map<number, Recent>> {
  const window = windowOf(changeWindowStart(today), today);
  const followed = keywords.map((keyword) => ({
    ...keyword,
    trackingPeriods: parseTrackingPeriods(keyword.trackingPeriods),
  }));
  const rows = await loadVisibleRows(tx, window, followed);
  const last = window.days.length - 1;
  return new Map(rows.map((row) => [row.keywordId, read(keepProviderOf(row, last), window.days)]));
}

function sparkOf(dailyRanks: Uint8Array): ReturnType<RecentRanks['spark']> {
  return Array.from(dailyRanks.subarray(-sparkDays), (byte) => {
    const position = decodePosition(byte);
    return position === undefined ? '-' : position;
  });
}
