import type { CsvCell } from '../../lib/csv-writer.ts';
import type { UtcDay } from '../../lib/dates.ts';
import type { Ctx } from '../context.ts';
import type { StoreName } from '../ports.ts';

/** What is exported: an app, and the days both of which are included. */
export interface ExportScope {
  ctx: Ctx;
  app: { id: number; listingId: number; store: StoreName };
  from: UtcDay;
  to: UtcDay;
  /** Deleted keywords too: what can be brought back is the workspace's still. */
  withArchived?: boolean;
}

/** A column of the CSV; JSON has the items as they are. */
export type Columns<Item> = Record<string, (item: Item) => CsvCell>;

/**
 * One kind of data, page by page: each page is read in a transaction of its own, so that a slow reader holds none open,
 * and by the rules of the reads, which say what the workspace may see.
 */
export interface ExportSource<Item extends object = object> {
  columns: Columns<Item>;
  /** False for what is exported as it stands now. */
  hasDays: boolean;
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
