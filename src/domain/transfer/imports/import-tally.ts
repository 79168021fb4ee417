import type { z } from 'zod';
import type { importReport } from '#contract/imports.ts';
import { factTables, omittedTables, tenantTables } from '../exports/exported-tables.ts';

export type ImportReport = z.input<typeof importReport>;

const laterThanFile =
  'facts about apps, keywords or competitors that were added meanwhile, of future days, or that ' +
  'the file has twice';

/** Counts by table: rows of the file and written rows. */
export class ImportTally {
  private readonly tables = new Map<string, { rows: number; imported: number }>();

  see(table: string, rows: number): void {
    this.of(table).rows += rows;
  }

  count(table: string, imported: number): void {
    this.of(table).imported += imported;
  }

  report(): ImportReport {
    const tables = [...this.tables].map(([table, { rows, imported }]) => ({
      table,
      rows,
      imported,
      reason: imported === rows ? null : whyNotAll(table),
      anew: listAnew(table),
    }));
    return {
      tables,
      rows: [],
      omitted: Object.entries(omittedTables).map(([table, reason]) => ({ table, reason })),
    };
  }

  private of(table: string): { rows: number; imported: number } {
    const known = this.tables.get(table) ?? { rows: 0, imported: 0 };
    this.tables.set(table, known);
    return known;
  }
}

function whyNotAll(name: string): string {
  if (factTables.includes(name)) return laterThanFile;
  const table = tenantTables.find((one) => one.name === name);
  if (table?.is === 'read_only') return table.why;
  return (table?.is === 'restored' && table.lacking) || 'this version does not know it';
}

/** The columns that start fresh with the import, with the reason. */
function listAnew(name: string): { member: string; reason: string }[] {
  const table = tenantTables.find((one) => one.name === name);
  if (table?.is !== 'restored') return [];
  return Object.entries(table.anew ?? {}).map(([member, reason]) => ({ member, reason }));
}
