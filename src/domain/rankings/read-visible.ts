import type { Tx } from '../../db/database.ts';
import { listMarketMonths } from '../../db/queries/market-months.ts';
import { listRankMonths } from '../../db/queries/rank-months.ts';
import { monthOf, type UtcDay } from '../../lib/dates.ts';
import { ExaminedDays } from './examined-days.ts';
import { layImportedCells } from './imported-cells.ts';
import { visibleRows, type FollowedMarket, type VisibleRow } from './visible.ts';
import type { DayWindow } from './window.ts';

/** The visible rows of keywords in a window, in the order of `keywords`. */
export async function readVisibleRows(
  tx: Tx,
  window: DayWindow,
  keywords: readonly FollowedMarket[],
): Promise<VisibleRow[]> {
  const listingIds = [...new Set(keywords.map((keyword) => keyword.listingId))];
  const marketIds = keywords.map((keyword) => keyword.marketId);
  const months = window.parts.map((part) => part.month);
  const isEmpty = keywords.length === 0 || months.length === 0;
  const rows = visibleRows(
    window,
    keywords,
    isEmpty ? [] : await listRankMonths(tx, { listingIds, marketIds, months }),
  );
  await layImportedCells(tx, window, keywords, rows);
  return rows;
}

/** When and how deep markets were examined in the months of some days. */
export async function readExaminedDays(
  tx: Tx,
  markets: readonly { marketId: number }[],
  days: readonly UtcDay[],
): Promise<ExaminedDays> {
  const [marketIds, months] = [
    [...new Set(markets.map((market) => market.marketId))],
    [...new Set(days.map(monthOf))],
  ];
  return new ExaminedDays(
    marketIds.length === 0 || months.length === 0
      ? []
      : await listMarketMonths(tx, { marketIds, months }),
  );
}
