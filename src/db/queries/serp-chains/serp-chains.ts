import { addDays, maxDay, monthOf } from '#lib/dates.ts';
import { findSmallerDifference, type SerpLists } from './serp-difference.ts';

/** A list is a difference from the one before at most so many days after a whole one. */
const maxChainDays = 15;

/** The first day of a list that a list of `day` can depend on. A chain stays within its month. */
export const firstDayOfChain = (day: string): string =>
  maxDay(monthOf(day), addDays(day, -maxChainDays));

/** The last results of a market: what the next ones may be a difference from. */
export interface LastSerp extends SerpLists {
  /** The day of the whole list with which their chain begins. */
  wholeOn: string;
  /** Changes with every write of the row. */
  version: string;
}

/** Results as the difference from the market's last ones. */
export interface SerpLink extends SerpLists {
  wholeOn: string;
  lastVersion: string;
}

/** Null where results of the day are stored as they are. */
export function linkToLast(last: LastSerp | null, day: string, next: SerpLists): SerpLink | null {
  if (last === null || last.wholeOn < firstDayOfChain(day)) return null;
  const difference = findSmallerDifference(last, next);
  return difference && { ...difference, wholeOn: last.wholeOn, lastVersion: last.version };
}

interface Link {
  marketId: number;
  date: string;
  /** The day of the whole list that its chain begins with; null for a whole list. */
  wholeOn: string | null;
}

/**
 * The rows as whole lists: each difference is applied to the row before it. The rows are by market
 * and then by day, and each chain begins with its whole list. Rows without it are omitted.
 */
export function resolveChains<Row extends Link>(
  rows: readonly Row[],
  apply: (base: Row, difference: Row) => Row,
): Row[] {
  const resolved: Row[] = [];
  let base: Row | undefined;
  for (const row of rows) {
    if (row.wholeOn === null) base = row;
    else if (base && isNext(base, row)) base = apply(base, row);
    else continue;
    resolved.push(base);
  }
  return resolved;
}

const isNext = (base: Link, row: Link): boolean =>
  base.marketId === row.marketId && (base.wholeOn ?? base.date) === row.wholeOn;
