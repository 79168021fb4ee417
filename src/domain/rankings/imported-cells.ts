import type { Tx } from '../../db/database.ts';
import { listImportedCells, type ImportedCell } from '../../db/queries/imported-cells.ts';
import { daysBetween } from '../../lib/dates.ts';
import { cellByte, notChecked } from './cells.ts';
import type { FollowedMarket, VisibleRow } from './visible.ts';
import type { DayWindow } from './window.ts';

/**
 * Lays what a workspace imported over days that have no cell of this instance. Rows are those of `keywords`, in their
 * order; a rival's row beside a keyword is no row of the keyword's app and gets nothing.
 */
export async function layImportedCells(
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
  const cells = await listImportedCells(tx, { ...asked, from, to });
  if (cells.length === 0) return;
  const indexes = new Map(
    keywords.map(({ id, listingId }, index) => [`${id} ${listingId}`, index]),
  );
  for (const cell of cells) {
    const index = indexes.get(`${cell.keywordId} ${cell.listingId}`);
    if (index !== undefined) lay(rows[index]!, daysBetween(from, cell.date), cell);
  }
}

function lay(row: VisibleRow, index: number, { position, depth, seconds }: ImportedCell): void {
  if (row.cells[index] !== notChecked) return;
  row.cells[index] = cellByte(position);
  row.depths[index] = depth;
  row.importedAt = (row.importedAt ?? new Map<number, number>()).set(index, seconds ?? 0);
}
