import type { MarketMonths } from '../../db/queries/market-months.ts';
import { dayIndexInMonth, monthOf, type UtcDay } from '../../lib/dates.ts';
import { bytesPerDay, daysPerMonth, decodeDay, notChecked } from './cells.ts';
import type { VisibleRow } from './visible.ts';

const idBytes = 4;
const bytesPerMonth = daysPerMonth * bytesPerDay;

/** The days of markets as they were examined, for everyone who follows them. */
export class ExaminedDays {
  private readonly months = new Map<UtcDay, Map<number, Buffer>>();

  constructor(months: readonly MarketMonths[]) {
    for (const { month, marketIds, days } of months) {
      const ofMarket = new Map<number, Buffer>();
      for (let at = 0; at * idBytes < marketIds.length; at += 1) {
        ofMarket.set(marketIds.readInt32BE(at * idBytes), days.subarray(at * bytesPerMonth, (at + 1) * bytesPerMonth));
      }
      this.months.set(month, ofMarket);
    }
  }

  /** Null when the market was not examined that day, or its month was not read. */
  find(marketId: number, day: UtcDay): { depth: number; seconds: number } | null {
    const days = this.months.get(monthOf(day))?.get(marketId);
    return days ? decodeDay(days, dayIndexInMonth(day)) : null;
  }
}

/** A cell whose depth was not written beside it. */
export function lacksDepth({ cells, depths }: VisibleRow): boolean {
  for (let index = 0; index < cells.length; index += 1) if (cells[index] !== notChecked && depths[index] === 0) return true;
  return false;
}

/** Takes missing depths from the markets' days; a cell that nobody knows the depth of is no cell. */
export function fillDepths(rows: readonly VisibleRow[], days: readonly UtcDay[], examined: ExaminedDays): void {
  for (const row of rows) {
    for (const [index, day] of days.entries()) {
      if (row.cells[index] === notChecked || row.depths[index] !== 0) continue;
      const depth = examined.find(row.marketId, day)?.depth ?? 0;
      row.depths[index] = Math.min(depth, row.terms[index]!);
      if (depth === 0) row.cells[index] = notChecked;
    }
  }
}
