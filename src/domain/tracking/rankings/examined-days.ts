import type { MarketMonths } from '#db/queries/rankings/market-months.ts';
import { dayIndexInMonth, monthOf, type UtcDay } from '#lib/dates.ts';
import { bytesPerDay, daysPerMonth, decodeDay } from './daily-rank-codec.ts';

const idBytes = 4;
const bytesPerMonth = daysPerMonth * bytesPerDay;

/** The examined days of markets, shared by everyone who tracks them. */
export class ExaminedDays {
  private readonly months = new Map<UtcDay, Map<number, Buffer>>();

  constructor(months: readonly MarketMonths[]) {
    for (const { month, marketIds, days } of months) {
      const ofMarket = new Map<number, Buffer>();
      for (let at = 0; at * idBytes < marketIds.length; at += 1) {
        ofMarket.set(
          marketIds.readInt32BE(at * idBytes),
          days.subarray(at * bytesPerMonth, (at + 1) * bytesPerMonth),
        );
      }
      this.months.set(month, ofMarket);
    }
  }

  /** Null when the market was not examined that day, or its month was not loaded. */
  find(marketId: number, day: UtcDay): { depth: number; seconds: number } | null {
    const days = this.months.get(monthOf(day))?.get(marketId);
    return days ? decodeDay(days, dayIndexInMonth(day)) : null;
  }
}
