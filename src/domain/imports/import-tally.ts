import type { z } from 'zod';
import type { importReport } from '../../contract/imports.ts';

export type ImportReport = z.input<typeof importReport>;

const seenByStores = 'what the stores showed is for each instance to see itself';
const ofElsewhere = 'it happened elsewhere';

/** Why rows of a table are not taken over, all or some. */
const reasons: Record<string, string> = {
  apps: 'archived apps are left out',
  keywords: 'archived keywords, and those of archived apps, are left out',
  annotations: 'those of apps that are left out',
  keyword_fields: 'those of apps that are left out',
  rankings: 'those of keywords that are left out, or of days to come',
  competitors: 'their listings have to be read first: add them again',
  settings: 'set them again',
  alert_rules: 'set them again',
  review_marks: 'the reviews are not here',
  webhooks: 'their secrets are in no export: register them again',
  actions: ofElsewhere,
  events: ofElsewhere,
  audit: ofElsewhere,
  serp: seenByStores,
  reviews: seenByStores,
  changes: seenByStores,
  category_ranks: seenByStores,
  scores: seenByStores,
  snapshots: seenByStores,
};

/** Counts, table by table, what a file has and what of it was written. */
export class ImportTally {
  private readonly tables = new Map<string, { rows: number; imported: number }>();

  see(table: string): void {
    this.of(table).rows += 1;
  }

  count(table: string): void {
    this.of(table).imported += 1;
  }

  report(): ImportReport {
    const tables = [...this.tables].map(([table, { rows, imported }]) => ({
      table,
      rows,
      imported,
      reason: imported === rows ? null : (reasons[table] ?? 'this version does not know it'),
    }));
    return { tables, rows: [] };
  }

  private of(table: string): { rows: number; imported: number } {
    const known = this.tables.get(table) ?? { rows: 0, imported: 0 };
    this.tables.set(table, known);
    return known;
  }
}
