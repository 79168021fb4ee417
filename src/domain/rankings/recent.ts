import type { Tx } from '../../db/database.ts';
import type { UtcDay } from '../../lib/dates.ts';
import { positionOf } from './cells.ts';
import { changeWindowStart, rankChanges, type RankChanges } from './rank-change.ts';
import { readVisibleRows } from './read-visible.ts';
import { readTerms } from './terms.ts';
import type { VisibleRow } from './visible.ts';
import { windowOf } from './window.ts';

export type { RankChange } from './rank-change.ts';

/** What the reading of a keyword's cells needs; `terms` as stored in keywords.terms. */
export interface FollowedKeyword {
  id: number;
  marketId: number;
  listingId: number;
  terms: unknown;
}

export interface RecentCells extends RankChanges {
  /** The last 30 days, oldest first, today last: a position, null for not found, "-" for not checked. */
  spark: (number | null | '-')[];
}

const sparkDays = 30;

/** The recent cells of keywords by their ids, as far as their terms let this workspace see them. One statement. */
export function recentCells(
  tx: Tx,
  keywords: readonly FollowedKeyword[],
  today: UtcDay,
): Promise<Map<number, RecentCells>> {
  return readRecent(tx, keywords, today, (row, days) => ({
    spark: sparkOf(row.cells),
    ...rankChanges(row, days),
  }));
}

/** The changes alone, by which hundreds of keywords are sorted to show some. */
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
  const followed = keywords.map((keyword) => ({ ...keyword, terms: readTerms(keyword.terms) }));
  const rows = await readVisibleRows(tx, window, followed);
  return new Map(rows.map((row) => [row.keywordId, read(row, window.days)]));
}

function sparkOf(cells: Uint8Array): RecentCells['spark'] {
  return Array.from(cells.subarray(-sparkDays), (byte) => {
    const position = positionOf(byte);
    return position === undefined ? '-' : position;
  });
}
