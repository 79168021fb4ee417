import type { Tx } from '#db/database.ts';
import {
  listImportedDailyRanks,
  type ImportedDailyRank,
} from '#db/queries/rankings/imported-daily-ranks.ts';
import { daysBetween } from '#lib/dates.ts';
import { encodePosition, notChecked } from './daily-rank-codec.ts';
import type { FollowedMarket, VisibleRow } from './visible-rows.ts';
import type { DayWindow } from '#domain/base/day-window.ts';

/**
 * Merges a workspace's imported ranks into days without a rank of this instance. Rows follow the
 * order of `keywords`. A competitor's row of a keyword gets none.
 */
export async function mergeImportedDailyRanks(
  tx: Tx,
  window: DayWindow,
  keywords: readonly FollowedMarket[],
  rows: readonly VisibleRow[],
): Promise<void> {
  const [from, to] = [window.days[0], window.days.at(-1)];
  if (keywords.length === 0 || from === undefined || to === undefined) return;
  const asked = {
    keywordIds: keywords.map(({ id }) => id),
    listingIds: [...new Set(keywords.map(({ listingId }) => listingId))],
  };
  const ranks = await listImportedDailyRanks(tx, { ...asked, from, to });
  if (ranks.length === 0) return;
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
