import type { CsvValue } from '#lib/csv-writer.ts';
import type { UtcDay } from '#lib/dates.ts';
import type { Ctx } from '#domain/base/context.ts';
import type { StoreName } from '#domain/base/ports.ts';

/** The export's app and days, both included. */
export interface ExportScope {
  ctx: Ctx;
  app: { id: number; listingId: number; store: StoreName };
  from: UtcDay;
  to: UtcDay;
  /** Includes deleted keywords, because they can be restored. */
  withArchived?: boolean;
}

/** A column of the CSV; JSON has the items unchanged. */
export type Columns<Item> = Record<string, (item: Item) => CsvValue>;

/**
 * One kind of data, page by page. Each page has a transaction of its own, so that a slow reader
 * holds none open. The visibility rules are those of the API's reads.
 */
export interface ExportSource<Item extends object = object> {
  columns: Columns<Item>;
  /** False for data that is exported in its current state. */
  hasDays: boolean;
  /** Facts from before the app was tracked are visible; one scope may have all days. */
  hasEarlierDays?: true;
  pages(scope: ExportScope): AsyncIterable<Item[]>;
}

export function sourceOf<Item extends object>(source: ExportSource<Item>): ExportSource {
  return source as unknown as ExportSource;
}

export function chunk<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
