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

/**
 * Lays packed months over a window, cut to what each keyword's terms allow: nothing before it existed, nothing
 * while paused, nothing deeper than it is followed. So a market shared with others never tells of them.
 */
export function visibleRows(window: DayWindow, keywords: readonly FollowedMarket[], months: readonly RankMonths[]): VisibleRow[] {
  const rows = makeRows(window, keywords);
  const parts = new Map(window.parts.map((part) => [part.month, part]));
  const ofListing = indexByListing(keywords, rows);
  for (const { listingId, month, marketIds, cells, depths } of months) {
    const part = parts.get(month)!;
    const ofMarket = ofListing.get(listingId);
    for (let at = 0; at * idBytes < marketIds.length; at += 1) {
      const row = ofMarket?.get(marketIds.readInt32BE(at * idBytes));
      if (row) layMonth(row, part, { cells, depths, start: at * daysPerMonth });
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

function layMonth(row: VisibleRow, part: MonthPart, month: { cells: Buffer; depths: Buffer; start: number }): void {
  const { cells, depths, terms } = row;
  const [first, count, from] = [part.firstInWindow, part.count, month.start + part.firstInMonth];
  for (let step = 0; step < count; step += 1) {
    const cell = month.cells[from + step]!;
    const followed = terms[first + step]!;
    if (cell === notChecked || followed === paused || followed === unseen) continue;
    const examined = month.depths[from + step]!;
    cells[first + step] = cell > followed ? notFoundByte : cell;
    depths[first + step] = examined < followed ? examined : followed;
  }
}

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
