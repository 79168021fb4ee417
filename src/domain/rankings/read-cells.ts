import type { Tx } from '../../db/database.ts';
import { listMarketGaps } from '../../db/queries/market-gaps.ts';
import type { UtcDay } from '../../lib/dates.ts';
import { listSpots, toCells, type Cell, type CellPlace } from './cell-list.ts';
import { notChecked } from './cells.ts';
import { readExaminedDays, readVisibleRows } from './read-visible.ts';
import type { FollowedMarket } from './visible.ts';
import type { DayWindow } from './window.ts';

export interface CellPage {
  items: Cell[];
  /** The last item, when more follow. */
  last: CellPlace | null;
  total: number;
}

/** A page of the cells of keywords, newest day first. Times and reasons are read for the page alone. */
export async function readCells(
  tx: Tx,
  window: DayWindow,
  keywords: readonly FollowedMarket[],
  page: { hasGaps: boolean; after: CellPlace | null; limit: number },
): Promise<CellPage> {
  const rows = await readVisibleRows(tx, window, keywords);
  const { spots, hasMore, total } = listSpots(window.days, rows, page);
  const dayOf = ({ index }: { index: number }): UtcDay => window.days[index]!;
  const [checked, open] = [
    spots.filter(({ row, index }) => row.cells[index] !== notChecked),
    spots.filter(({ row, index }) => row.cells[index] === notChecked),
  ];
  const items = toCells(window.days, spots, {
    examined: await readExaminedDays(
      tx,
      checked.map(({ row }) => row),
      checked.map(dayOf),
    ),
    gaps:
      open.length === 0
        ? []
        : await listMarketGaps(tx, {
            marketIds: open.map(({ row }) => row.marketId),
            from: dayOf(open.at(-1)!),
            to: dayOf(open[0]!),
          }),
  });
  const end = items.at(-1);
  return {
    items,
    last: hasMore && end ? { date: end.date, keywordId: end.keywordId } : null,
    total,
  };
}
