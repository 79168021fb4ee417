import type { PackedMonth } from '../../db/queries/rank-months.ts';
import type { UtcDay } from '../../lib/dates.ts';
import { bytesPerDay, daysPerMonth, notChecked, notFoundByte, positionOf } from './cells.ts';
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
  /** From the day's midnight to the answer. */
  seconds: Uint32Array;
  /** The depth followed, `paused`, or `unseen` before the keyword existed. */
  terms: Uint8Array;
}

export interface RankPair {
  date: UtcDay;
  position: number | null;
  depth: number;
}

const idBytes = 4;
const cellsAt = 2 * idBytes;
const daysAt = cellsAt + daysPerMonth;
const recordBytes = daysAt + daysPerMonth * bytesPerDay;

/**
 * Lays packed months over a window, cut to what each keyword's terms allow: nothing before it existed, nothing
 * while paused, nothing deeper than it is followed. So a market shared with others never tells of them.
 */
export function visibleRows(window: DayWindow, keywords: readonly FollowedMarket[], months: readonly PackedMonth[]): VisibleRow[] {
  const count = window.days.length;
  const rows = keywords.map((keyword) => ({
    keywordId: keyword.id,
    marketId: keyword.marketId,
    cells: new Uint8Array(count),
    depths: new Uint8Array(count),
    seconds: new Uint32Array(count),
    terms: termDepths(keyword.terms, window.from, count),
  }));
  const rowOf = indexByMarket(keywords, rows);
  const parts = new Map(window.parts.map((part) => [part.month, part]));
  for (const { month, records } of months) {
    const part = parts.get(month);
    if (!part) continue;
    for (let at = 0; at < records.length; at += recordBytes) {
      const row = rowOf.get(records.readInt32BE(at))?.get(records.readInt32BE(at + idBytes));
      if (row) layMonth(row, part, records, at);
    }
  }
  return rows;
}

function layMonth(row: VisibleRow, part: MonthPart, records: Buffer, at: number): void {
  for (let step = 0; step < part.count; step += 1) {
    const index = part.firstInWindow + step;
    const followed = row.terms[index]!;
    const cell = records[at + cellsAt + part.firstInMonth + step]!;
    const word = at + daysAt + (part.firstInMonth + step) * bytesPerDay;
    const examined = records[word]!;
    if (followed === paused || followed === unseen || cell === notChecked || examined === 0) continue;
    row.cells[index] = cell > followed ? notFoundByte : cell;
    row.depths[index] = Math.min(examined, followed);
    row.seconds[index] = (records[word + 1]! << 16) | (records[word + 2]! << 8) | records[word + 3]!;
  }
}

/** By listing, then by market: together they name one keyword of a workspace. */
function indexByMarket(keywords: readonly FollowedMarket[], rows: readonly VisibleRow[]): Map<number, Map<number, VisibleRow>> {
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
