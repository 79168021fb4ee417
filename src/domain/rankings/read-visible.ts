import type { Tx } from '../../db/database.ts';
import { listPackedMonths } from '../../db/queries/rank-months.ts';
import { visibleRows, type FollowedMarket, type VisibleRow } from './visible.ts';
import type { DayWindow } from './window.ts';

/** The visible rows of keywords in a window, in the order of `keywords`. One statement. */
export async function readVisibleRows(tx: Tx, window: DayWindow, keywords: readonly FollowedMarket[]): Promise<VisibleRow[]> {
  const listingIds = [...new Set(keywords.map((keyword) => keyword.listingId))];
  const marketIds = [...new Set(keywords.map((keyword) => keyword.marketId))];
  const months = window.parts.map((part) => part.month);
  const isEmpty = keywords.length === 0 || months.length === 0;
  return visibleRows(window, keywords, isEmpty ? [] : await listPackedMonths(tx, { listingIds, marketIds, months }));
}
