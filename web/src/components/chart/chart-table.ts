import type { CsvValue } from '#lib/csv-writer.ts';

export type ChartValue = Exclude<CsvValue, boolean>;

export interface ChartTable {
  head: string[];
  rows: ChartValue[][];
  /** Formats the cells of a column for display. The CSV contains the plain values. */
  formats?: Readonly<Record<number, (value: ChartValue) => string>>;
}
