import type { SheetRow } from '#domain/base/ports.ts';
import type { FileRefusal } from './refused-rows.ts';
import { columnNames, readMonth, requiredColumns, type Column } from './term-rows.ts';

/** Lines before the header, which are read for the month. */
const headLines = 50;
/** A row with at least so many known names is the header. */
const enoughNames = 3;

export class RefusedFile extends Error {
  readonly refusal: FileRefusal;

  constructor(reason: FileRefusal['reason'], message: string) {
    super(message);
    this.refusal = { reason, message };
  }
}

const namesOfColumns = new Map(
  (Object.entries(columnNames) as [Column, string][]).map(([column, name]) => [fold(name), column]),
);

/**
 * Finds the month in the lines above the header (`Month = YYYY-MM`) and the columns by their names,
 * in any order. Rows are given one by one, until there is a header. Throws RefusedFile.
 */
export class FileHead {
  month: string | null = null;
  columns: ReadonlyMap<Column, number> | null = null;
  #line = 0;

  read(row: SheetRow): void {
    this.#line = row.line;
    const columns = new Map<Column, number>();
    for (const [index, cell] of row.cells.entries()) {
      const column = namesOfColumns.get(fold(cell));
      if (column !== undefined && !columns.has(column)) columns.set(column, index);
    }
    if (columns.size >= enoughNames) return this.#take(columns);
    for (const cell of row.cells) {
      const stated = /^\s*month\s*=\s*(\S{4,20})\s*$/i.exec(cell.slice(0, 100))?.[1];
      if (stated !== undefined) this.month = readMonth(stated) ?? this.month;
    }
    if (row.line >= headLines) throw noHeader();
  }

  #take(columns: ReadonlyMap<Column, number>): void {
    const missing = requiredColumns.filter((column) => !columns.has(column));
    if (missing.length > 0)
      throw new RefusedFile(
        'columns_missing',
        `The header in line ${this.#line} has no column ${missing
          .map((column) => `“${columnNames[column]}”`)
          .join(', ')}. Export the file with all columns and in English.`,
      );
    if (this.month === null && !columns.has('month'))
      throw new RefusedFile(
        'no_month',
        'The file states no month: neither a line “Month = YYYY-MM” above the header, nor a ' +
          'column “Month”.',
      );
    this.columns = columns;
  }
}

export function noHeader(): RefusedFile {
  return new RefusedFile(
    'no_header',
    'The file has no header with the columns of Apple’s monthly search terms, such as “Search ' +
      'Term” and “Rank in Genre”. Export it in English.',
  );
}

function fold(name: string): string {
  return name
    .slice(0, 100)
    .toLowerCase()
    .replaceAll(/[\s‐-―-]+/g, ' ')
    .trim();
}
