import type { Sheet, SheetRow } from '#domain/base/ports.ts';
import { monthOf, type UtcDay } from '#lib/dates.ts';
import { FileHead, noHeader } from './find-header.ts';
import { RefusedRows } from './refused-rows.ts';
import { readTermRow, type ReadingRules, type TermRow } from './term-rows.ts';

const anyMonth = '2000-01-01';

/** A monthly file whose terms are read without being imported, also of months that are not kept. */
export class MonthFile {
  readonly refused = new RefusedRows();
  readonly #sheet: Sheet;
  readonly #today: UtcDay;
  readonly #months = new Set<string>();
  rowsRead = 0;

  constructor(sheet: Sheet, today: UtcDay) {
    this.#sheet = sheet;
    this.#today = today;
  }

  /** The months of the terms that were read, such as `2026-10`. */
  months(): string[] {
    return [...this.#months].toSorted();
  }

  /** The terms in batches; rows that cannot be read are refused. Throws RefusedFile, SheetError. */
  async *terms(): AsyncGenerator<readonly TermRow[]> {
    const head = new FileHead();
    const newest = monthOf(this.#today);
    for await (const rows of this.#sheet.rows()) {
      const terms: TermRow[] = [];
      for (const row of rows) {
        if (!head.columns) {
          head.read(row);
          continue;
        }
        const { columns } = head;
        const read = (column: Parameters<typeof columns.get>[0]) =>
          row.cells[columns.get(column) ?? -1] ?? '';
        const term = this.#read(row, read, { month: head.month, oldest: anyMonth, newest });
        if (term) terms.push(term);
      }
      if (terms.length > 0) yield terms;
    }
    if (!head.columns) throw noHeader();
  }

  #read(
    { line }: SheetRow,
    read: Parameters<typeof readTermRow>[0],
    rules: ReadingRules,
  ): TermRow | null {
    this.rowsRead += 1;
    const term = readTermRow(read, rules);
    if ('reason' in term) {
      this.refused.add(term.reason, line, term.value);
      return null;
    }
    this.#months.add(term.month.slice(0, 7));
    return term;
  }
}
