import { printable } from '#lib/text.ts';
import { cutText, textWidth } from './text-width.ts';

export interface Column<Row> {
  title: string;
  value: (row: Row) => string | number | null;
  /** Numbers are aligned at their right. */
  isRight?: true;
  /** It may be cut when the terminal is too narrow. */
  isFlexible?: true;
}

interface TableOptions {
  /** Columns of the terminal; null leaves every text whole. */
  columns: number | null;
  hasColor: boolean;
}

const gap = 2;
const minFlexible = 8;

/** Rows as aligned text, with a head. */
export function formatTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  options: TableOptions,
): string {
  const cells = rows.map((row) =>
    columns.map(({ value }) => {
      const cell = value(row);
      return cell === null ? '–' : printable(String(cell));
    }),
  );
  const widths = fit(columns, cells, options.columns);
  const line = (texts: readonly string[]) =>
    texts
      .map((text, index) => {
        const cut = cutText(text, widths[index]!);
        const space = ' '.repeat(Math.max(0, widths[index]! - textWidth(cut)));
        return columns[index]!.isRight ? space + cut : cut + space;
      })
      .join(' '.repeat(gap))
      .trimEnd();
  const head = line(columns.map(({ title }) => title));
  return [options.hasColor ? `\u001b[1m${head}\u001b[22m` : head, ...cells.map(line)].join('\n');
}

/** The widths of columns; flexible ones share the columns that are missing. */
function fit<Row>(
  columns: readonly Column<Row>[],
  cells: readonly (readonly string[])[],
  available: number | null,
): number[] {
  const widths = columns.map(({ title }, index) =>
    cells.reduce((width, row) => Math.max(width, textWidth(row[index]!)), textWidth(title)),
  );
  if (available === null) return widths;
  let excess = widths.reduce((sum, width) => sum + width, gap * (widths.length - 1)) - available;
  while (excess > 0) {
    const [widest] = columns
      .map(({ isFlexible }, index) => ({ isFlexible, index }))
      .filter(({ isFlexible, index }) => isFlexible && widths[index]! > minFlexible)
      .toSorted((one, other) => widths[other.index]! - widths[one.index]!);
    if (!widest) break;
    widths[widest.index]! -= 1;
    excess -= 1;
  }
  return widths;
}
