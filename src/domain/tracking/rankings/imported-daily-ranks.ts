import type { Tx } from '#db/database.ts';
import {
  listImportedDailyRanks,
  type ImportedDailyRank,
} from '#db/queries/rankings/imported-daily-ranks.ts';
import { daysBetween } from '#lib/dates.ts';
import { encodePosition, notChecked } from './daily-rank-codec.ts';
import type { FollowedMarket, VisibleRow } from './visible-rows.ts';
import type { DayWindow } from '#domain/base/day-window.ts';

type ImportedRank = Awaited<ReturnType<typeof listImportedDailyRanks>>[number];

/** The imported ranks of keywords' own apps in a window. */
export async function loadImportedDailyRanks(
  tx: Tx,
  { days }: DayWindow,
  keywords: readonly FollowedMarket[],
): Promise<ImportedRank[]> {
  const [from, to] = [days[0], days.at(-1)];
  if (keywords.length === 0 || from === undefined || to === undefined) return [];
  return listImportedDailyRanks(tx, {
    keywordIds: keywords.map(({ id }) => id),
    listingIds: [...new Set(keywords.map(({ listingId }) => listingId))],
    from,
    to,
  });
}

/**
 * Merges a workspace's imported ranks into days without a rank of this instance. Rows follow the
 * order of `keywords`. A competitor's row of a keyword gets none.
 */
export function mergeImportedDailyRanks(
  { days }: DayWindow,
  keywords: readonly FollowedMarket[],
  rows: readonly VisibleRow[],
  ranks: readonly ImportedRank[],
): void {
  const [from] = days;
  if (ranks.length === 0 || from === undefined) return;
  const indexes = new Map(
    keywords.map(({ id, listingId }, index) => [`${id} ${listingId}`, index]),
  );
  for (const rank of ranks) {
    const index = indexes.get(`${rank.keywordId} ${rank.listingId}`);
    if (index !== undefined) lay(rows[index]!, daysBetween(from, rank.date), rank);
  }
}

function lay(
  row: VisibleRow,
  index: number,
  { position, depth, seconds, provider }: ImportedDailyRank,
): void {
  if (row.dailyRanks[index] !== notChecked) return;
  row.dailyRanks[index] = encodePosition(position);
  row.depths[index] = depth;
  row.imported ??= new Map();
  row.imported.set(index, { seconds: seconds ?? 0, provider });
}
