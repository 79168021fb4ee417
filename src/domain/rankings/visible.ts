import type { RankMonths } from '../../db/queries/rank-months.ts';
import type { UtcDay } from '../../lib/dates.ts';
import { daysPerMonth, maxPosition, notChecked, notFoundByte, positionOf } from './cells.ts';
import { isFollowed, termDepths, type Term } from './terms.ts';
import type { DayWindow, MonthPart } from './window.ts';

/** An app followed in a market, as the reading of its cells needs it. */
export interface FollowedMarket {
  id: number;
  listingId: number;
  marketId: number;
  terms: readonly Term[];
}

/** What a workspace may see of a keyword in a window; every array has one entry a day. */
export interface VisibleRow {
  keywordId: number;
  marketId: number;
  /** As in the packed months: 0 not checked, 1–200, 255 not found. */
  cells: Uint8Array;
  /** Places examined as far as this workspace follows them; 0 where the cell is not checked. */
  depths: Uint8Array;
  /** The depth followed, `paused`, `overQuota`, or `unseen` before the keyword existed. Keywords of the same terms share it. */
  terms: Readonly<Uint8Array>;
  /** Days whose cell was imported, with the seconds from midnight to its check. */
  importedAt?: Map<number, number>;
}

export interface RankPair {
  date: UtcDay;
  position: number | null;
  depth: number;
}

const idBytes = 4;
const recordBytes = idBytes + 2 * daysPerMonth;

/**
 * Lays packed months over a window, cut to what each keyword's terms allow: nothing before it existed, nothing
 * while paused, nothing deeper than it is followed. So a market shared with others never tells of them.
 */
export function visibleRows(
  window: DayWindow,
  keywords: readonly FollowedMarket[],
  months: readonly RankMonths[],
): VisibleRow[] {
  const rows = makeRows(window, keywords);
  const parts = new Map(window.parts.map((part) => [part.month, part]));
  const ofListing = indexByListing(keywords);
  for (const { listingId, month, records } of months) {
    const part = parts.get(month)!;
    const ofMarket = ofListing.get(listingId);
    for (let at = 0; at < records.length; at += recordBytes) {
      const index = ofMarket?.get(records.readInt32BE(at));
      if (index !== undefined)
        layMonth(rows[index]!, part, records, at + idBytes + part.firstInMonth);
    }
  }
  return rows;
}

/** Of one piece of memory for all rows: a thousand small ones would cost more to free than to fill. */
function makeRows(window: DayWindow, keywords: readonly FollowedMarket[]): VisibleRow[] {
  const count = window.days.length;
  const memory = new Uint8Array(2 * count * keywords.length);
  const termsOf = readerOfTermDepths(window.days);
  return keywords.map((keyword, index) => {
    const [cells, depths] = [
      memory.subarray(2 * index * count, (2 * index + 1) * count),
      memory.subarray((2 * index + 1) * count, 2 * (index + 1) * count),
    ];
    return {
      keywordId: keyword.id,
      marketId: keyword.marketId,
      cells,
      depths,
      terms: termsOf(keyword.terms),
    };
  });
}

/** Most keywords of an app began on a few days, with the same depth. */
function readerOfTermDepths(days: readonly UtcDay[]): (terms: readonly Term[]) => Uint8Array {
  const known = new Map<string, Uint8Array>();
  return (terms) => {
    const name = terms.join();
    const depths = known.get(name) ?? termDepths(terms, days);
    known.set(name, depths);
    return depths;
  };
}

/** Lays a month's cells, and its depths, which follow them and are 0 wherever there is no cell. */
function layMonth(
  { cells, depths, terms }: VisibleRow,
  { count, firstInWindow }: MonthPart,
  records: Uint8Array,
  from: number,
): void {
  if (followsAll(terms, firstInWindow, count)) {
    for (let step = 0; step < count; step += 1) {
      cells[firstInWindow + step] = records[from + step]!;
      depths[firstInWindow + step] = records[from + step + daysPerMonth]!;
    }
    return;
  }
  for (let step = 0; step < count; step += 1) {
    const seenAs = terms[firstInWindow + step]! << 8;
    cells[firstInWindow + step] = seenCells[seenAs + records[from + step]!]!;
    depths[firstInWindow + step] = seenDepths[seenAs + records[from + step + daysPerMonth]!]!;
  }
}

/** As deep as ever a store is searched, day by day: nothing is cut. */
function followsAll(terms: Readonly<Uint8Array>, from: number, count: number): boolean {
  for (let index = from; index < from + count; index += 1)
    if (terms[index] !== maxPosition) return false;
  return true;
}

/**
 * What becomes of a cell's byte, and of a depth's, under each of 256 terms. Whether a cell is checked, found or deeper
 * than followed changes from day to day: looking it up takes a fifth of the time of asking.
 */
const seenCells = tabulate((followed, cell) => (cell > followed ? notFoundByte : cell));
const seenDepths = tabulate((followed, depth) => Math.min(depth, followed));

function tabulate(see: (followed: number, byte: number) => number): Uint8Array {
  return Uint8Array.from({ length: 256 * 256 }, (_, index) => {
    const followed = index >> 8;
    return isFollowed(followed) ? see(followed, index & 0xff) : notChecked;
  });
}

/** Where a keyword stands among the others, by listing, then by market: together they name one keyword of a workspace. */
function indexByListing(keywords: readonly FollowedMarket[]): Map<number, Map<number, number>> {
  const byListing = new Map<number, Map<number, number>>();
  for (const [index, keyword] of keywords.entries()) {
    const byMarket = byListing.get(keyword.listingId) ?? new Map<number, number>();
    byListing.set(keyword.listingId, byMarket.set(keyword.marketId, index));
  }
  return byListing;
}

/** The pair of a day of the window; null when it was not checked. */
export function pairAt(row: VisibleRow, days: readonly UtcDay[], index: number): RankPair | null {
  const position = positionOf(row.cells[index] ?? notChecked);
  return position === undefined
    ? null
    : { date: days[index]!, position, depth: row.depths[index]! };
}

/** The newest checked day at `index` or at most `reach` days before it; -1 when there is none. */
export function findCheckedAtOrBefore(row: VisibleRow, index: number, reach: number): number {
  for (let at = Math.min(index, row.cells.length - 1); at >= 0 && at >= index - reach; at -= 1)
    if (row.cells[at] !== notChecked) return at;
  return -1;
}
