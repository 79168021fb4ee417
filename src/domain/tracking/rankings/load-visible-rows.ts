import { readTogether, type Tx } from '#db/database.ts';
import { listMarketMonths } from '#db/queries/rankings/market-months.ts';
import { listRankMonths } from '#db/queries/rankings/rank-months.ts';
import { monthOf, type UtcDay } from '#lib/dates.ts';
import { ExaminedDays } from './examined-days.ts';
import { loadImportedDailyRanks, mergeImportedDailyRanks } from './imported-daily-ranks.ts';
import { addProviders, loadChangedListings } from './row-providers.ts';
import { visibleRows, type FollowedMarket, type VisibleRow } from './visible-rows.ts';
import type { DayWindow } from '#domain/base/day-window.ts';

/** The visible rows of keywords in a window, in the order of `keywords`. */
export function loadVisibleRows(
  tx: Tx,
  window: DayWindow,
  keywords: readonly FollowedMarket[],
): Promise<VisibleRow[]> {
  return loadRows(tx, window, keywords, () => loadImportedDailyRanks(tx, window, keywords));
}

/**
 * The same without imported ranks that name no search provider, such as those of other tools: no
 * alert and no action is drawn from them.
 */
export function loadOwnRows(
  tx: Tx,
  window: DayWindow,
  keywords: readonly FollowedMarket[],
): Promise<VisibleRow[]> {
  return loadRows(tx, window, keywords, async () =>
    (await loadImportedDailyRanks(tx, window, keywords)).filter(
      ({ provider }) => provider !== null,
    ),
  );
}

async function loadRows(
  tx: Tx,
  window: DayWindow,
  keywords: readonly FollowedMarket[],
  readImported: () => ReturnType<typeof loadImportedDailyRanks>,
): Promise<VisibleRow[]> {
  const listingIds = [...new Set(keywords.map((keyword) => keyword.listingId))];
  const marketIds = keywords.map((keyword) => keyword.marketId);
  const months = window.parts.map((part) => part.month);
  const isEmpty = keywords.length === 0 || months.length === 0;
  const [ranks, imported, changed] = await readTogether(
    tx,
    async () => (isEmpty ? [] : listRankMonths(tx, { listingIds, marketIds, months })),
    readImported,
    () => loadChangedListings(tx, window, listingIds),
  );
  const rows = visibleRows(window, keywords, ranks);
  mergeImportedDailyRanks(window, keywords, rows, imported);
  await addProviders(tx, window, rows, changed);
  return rows;
}

/** Times and depths of the markets in the months of some days. */
export async function loadExaminedDays(
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
