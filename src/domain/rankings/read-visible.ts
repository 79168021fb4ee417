import type { Tx } from '../../db/database.ts';
import { listMarketMonths } from '../../db/queries/market-months.ts';
import { listRankMonths } from '../../db/queries/rank-months.ts';
import { visibleRows, type FollowedMarket, type VisibleRow } from './visible.ts';
import type { DayWindow } from './window.ts';

/** The visible rows of keywords in a window, in the order of `keywords`. Two statements. */
export async function readVisibleRows(tx: Tx, window: DayWindow, keywords: readonly FollowedMarket[]): Promise<VisibleRow[]> {
  const listingIds = [...new Set(keywords.map((keyword) => keyword.listingId))];
  const marketIds = [...new Set(keywords.map((keyword) => keyword.marketId))];
  const months = window.parts.map((part) => part.month);
  if (keywords.length === 0 || months.length === 0) return visibleRows(window, keywords, { examined: [], ranked: [] });
  // Two reads of what lies together are faster than a join that looks up each month of each market.
  const examined = await listMarketMonths(tx, { marketIds, months });
  return visibleRows(window, keywords, { examined, ranked: await listRankMonths(tx, { listingIds, marketIds, months }) });
}
