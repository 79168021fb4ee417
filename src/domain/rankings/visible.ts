import type { RankMonths } from '../../db/queries/rank-months.ts';
import type { UtcDay } from '../../lib/dates.ts';
import { daysPerMonth, notChecked, notFoundByte, positionOf } from './cells.ts';
import { paused, termDepths, unseen, type Term } from './terms.ts';
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
  /** The depth followed, `paused`, or `unseen` before the keyword existed. */
  terms: Uint8Array;
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
export function visibleRows(window: DayWindow, keywords: readonly FollowedMarket[], months: readonly RankMonths[]): VisibleRow[] {
  const rows = makeRows(window, keywords);
  const parts = new Map(window.parts.map((part) => [part.month, part]));
  const ofListing = indexByListing(keywords, rows);
  for (const { listingId, month, records } of months) {
    const part = parts.get(month)!;
    const ofMarket = ofListing.get(listingId);
    for (let at = 0; at < records.length; at += recordBytes) {
      const row = ofMarket?.get(records.readInt32BE(at));
      if (row) layMonth(row, part, records, at + idBytes);
    }
  }
  return rows;
}

/** All rows share three pieces of memory: a thousand small ones would cost more to free than to fill. */
function makeRows(window: DayWindow, keywords: readonly FollowedMarket[]): VisibleRow[] {
  const count = window.days.length;
  const [cells, depths, terms] = [
    new Uint8Array(count * keywords.length),
    new Uint8Array(count * keywords.length),
    new Uint8Array(count * keywords.length),
  ];
  return keywords.map((keyword, index) => {
    const own = (bytes: Uint8Array) => bytes.subarray(index * count, (index + 1) * count);
    const followed = termDepths(keyword.terms, window.days, own(terms));
    return { keywordId: keyword.id, marketId: keyword.marketId, cells: own(cells), depths: own(depths), terms: followed };
  });
}

/** `start` is where the month's cells begin; its depths follow them, 0 wherever there is no cell. */
function layMonth(row: VisibleRow, part: MonthPart, records: Uint8Array, start: number): void {
  const { cells, depths, terms } = row;
  const { firstInWindow, count } = part;
  const from = start + part.firstInMonth;
  for (let step = 0; step < count; step += 1) {
    const at = firstInWindow + step;
    const view = views[terms[at]!]!;
    cells[at] = view.cells[records[from + step]!]!;
    depths[at] = view.depths[records[from + step + daysPerMonth]!]!;
  }
}

/**
 * What becomes of a cell's byte and of a depth's byte under each term. Whether a cell is checked, found or deeper than
 * followed changes from day to day: looking it up takes a fifth of the time of asking.
 */
const views = Array.from({ length: 256 }, (_, followed) => {
  const isFollowed = followed !== paused && followed !== unseen;
  const depths = Uint8Array.from({ length: 256 }, (__, depth) => (isFollowed ? Math.min(depth, followed) : 0));
  const cells = Uint8Array.from({ length: 256 }, (__, cell) => (!isFollowed ? notChecked : cell > followed ? notFoundByte : cell));
  return { cells, depths };
});

/** By listing, then by market: together they name one keyword of a workspace. */
function indexByListing(keywords: readonly FollowedMarket[], rows: readonly VisibleRow[]): Map<number, Map<number, VisibleRow>> {
  const byListing = new Map<number, Map<number, VisibleRow>>();
  for (const [index, keyword] of keywords.entries()) {
    const byMarket = byListing.get(keyword.listingId) ?? new Map<number, VisibleRow>();
    byListing.set(keyword.listingId, byMarket.set(keyword.marketId, rows[index]!));
  }
  return byListing;
}

/** The pair of a day of the window; null when it was not checked. */
export function pairAt(row: VisibleRow, days: readonly UtcDay[], index: number): RankPair | null {
  const position = positionOf(row.cells[index] ?? notChecked);
  return position === undefined ? null : { date: days[index]!, position, depth: row.depths[index]! };
}

/** The newest checked day at `index` or at most `reach` days before it; -1 when there is none. */
export function findCheckedAtOrBefore(row: VisibleRow, index: number, reach: number): number {
  for (let at = Math.min(index, row.cells.length - 1); at >= 0 && at >= index - reach; at -= 1) if (row.cells[at] !== notChecked) return at;
  return -1;
}
