import type { ChartColumn, Pivot } from '#web/queries/charts.ts';

export interface SelectedCell {
  country: string;
  column: ChartColumn;
}

const all = 'all';

/** `us.6013.free` identifies a cell of the pivot in the address. */
export const writeCell = (country: string, { category, chart }: ChartColumn): string =>
  [country, category?.id ?? all, chart].join('.');

/** The cell of the address, otherwise the one with the best position of the day. */
export function readCell(text: string | null, { columns, rows }: Pivot): SelectedCell | null {
  for (const { country } of rows) {
    const column = columns.find((other) => writeCell(country, other) === text);
    if (column) return { country, column };
  }
  const positions = rows.flatMap(({ country, cells }) =>
    cells.flatMap((cell, index) =>
      cell?.state === 'ranked' && cell.position !== null
        ? [{ country, column: columns[index]!, position: cell.position }]
        : [],
    ),
  );
  const [best] = positions.toSorted((a, b) => a.position - b.position);
  if (best) return { country: best.country, column: best.column };
  const [row] = rows;
  return row && columns[0] ? { country: row.country, column: columns[0] } : null;
}
