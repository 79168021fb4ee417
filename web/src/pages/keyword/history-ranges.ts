import type { PositionAtDepth } from '#lib/format-position.ts';
import type { Cell } from '#web/api.ts';
import type { ColumnRange, RangesLayer } from '#web/components/chart/spec.ts';

/** Ranges of neighbouring days with an equal key; days without a cell or a key have none. */
function groupDays(
  cells: readonly (Cell | undefined)[],
  keyOf: (cell: Cell) => number | null,
): (ColumnRange & { key: number })[] {
  const ranges: (ColumnRange & { key: number })[] = [];
  for (const [index, cell] of cells.entries()) {
    const key = cell ? keyOf(cell) : null;
    const last = ranges.at(-1);
    if (key === null) continue;
    if (last && last.key === key && last.from + last.length === index) last.length += 1;
    else ranges.push({ from: index, length: 1, key });
  }
  return ranges;
}

/**
 * Shades the area below the checked depth, in which the app must be. The label is at the start of
 * each range.
 */
export const notFoundRanges = (
  cells: readonly (Cell | undefined)[],
  label: (cell: PositionAtDepth) => string,
): RangesLayer => ({
  kind: 'ranges',
  opacity: 0.12,
  ranges: groupDays(cells, (cell) =>
    cell.state === 'not_found' ? (cell.resultCount ?? cell.depth) : null,
  ).map(({ key: value, ...range }) => {
    const cell = cells[range.from];
    return { ...range, value, label: cell?.state === 'not_found' ? label(cell) : '' };
  }),
});

/** A day without a check: a pale column, no dot and a gap in the line. */
export const uncheckedRanges = (cells: readonly (Cell | undefined)[]): RangesLayer => ({
  kind: 'ranges',
  opacity: 0.06,
  ranges: groupDays(cells, (cell) => (cell.state === 'not_checked' ? 0 : null)).map(
    ({ from, length }) => ({ from, length, hasFoot: true }),
  ),
});
