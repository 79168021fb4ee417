import type { MarketMonths } from '../../db/queries/market-months.ts';
import type { RankMonths } from '../../db/queries/rank-months.ts';
import type { UtcDay } from '../../lib/dates.ts';
import { bytesPerDay, daysPerMonth, decodeDay, notChecked, notFoundByte, positionOf } from './cells.ts';
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
  /** For each part of the window where the market's days lie, for `secondsAt`; most readings never ask. */
  sources: ({ days: Buffer; start: number } | undefined)[];
  /** The depth followed, `paused`, or `unseen` before the keyword existed. */
  terms: Uint8Array;
}

export interface RankPair {
  date: UtcDay;
  position: number | null;
  depth: number;
}

const idBytes = 4;
const bytesPerMonth = daysPerMonth * bytesPerDay;

/**
 * Lays packed months over a window, cut to what each keyword's terms allow: nothing before it existed, nothing
 * while paused, nothing deeper than it is followed. So a market shared with others never tells of them.
 */
export function visibleRows(
  window: DayWindow,
  keywords: readonly FollowedMarket[],
  months: { examined: readonly MarketMonths[]; ranked: readonly RankMonths[] },
): VisibleRow[] {
  const rows = makeRows(window, keywords);
  const parts = new Map(window.parts.map((part, number) => [part.month, { ...part, number }]));
  const ofMarket = Map.groupBy(rows, (row) => row.marketId);
  for (const { month, marketIds, days } of months.examined) {
    const part = parts.get(month)!;
    for (let at = 0; at * idBytes < marketIds.length; at += 1) {
      for (const row of ofMarket.get(marketIds.readInt32BE(at * idBytes)) ?? []) {
        row.sources[part.number] = { days, start: at * bytesPerMonth };
        layExamined(row, part, days, at * bytesPerMonth);
      }
    }
  }
  const ofListing = indexByListing(keywords, rows);
  for (const { listingId, month, marketIds, cells } of months.ranked) {
    const part = parts.get(month)!;
    const ofItsMarket = ofListing.get(listingId);
    for (let at = 0; at * idBytes < marketIds.length; at += 1) {
      const row = ofItsMarket?.get(marketIds.readInt32BE(at * idBytes));
      if (row) layRanked(row, part, cells, at * daysPerMonth);
    }
  }
  for (const row of rows) clearUnranked(row);
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
    return { keywordId: keyword.id, marketId: keyword.marketId, cells: own(cells), depths: own(depths), sources: [], terms: followed };
  });
}

function layExamined({ depths, terms }: VisibleRow, part: MonthPart, days: Buffer, start: number): void {
  const [first, count] = [part.firstInWindow, part.count];
  const word = start + part.firstInMonth * bytesPerDay;
  for (let step = 0; step < count; step += 1) {
    const followed = terms[first + step]!;
    const examined = days[word + step * bytesPerDay]!;
    if (followed !== paused && followed !== unseen) depths[first + step] = examined < followed ? examined : followed;
  }
}

function layRanked({ cells, depths, terms }: VisibleRow, part: MonthPart, ranks: Buffer, start: number): void {
  const [first, count] = [part.firstInWindow, part.count];
  const from = start + part.firstInMonth;
  for (let step = 0; step < count; step += 1) {
    const rank = ranks[from + step]!;
    if (rank !== notChecked && depths[first + step] !== 0) cells[first + step] = rank > terms[first + step]! ? notFoundByte : rank;
  }
}

/** A market is examined for whoever follows it; a listing that began later that day has no cell of it. */
function clearUnranked({ cells, depths }: VisibleRow): void {
  for (let index = 0; index < cells.length; index += 1) if (cells[index] === notChecked) depths[index] = 0;
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

/** From the midnight of a checked day to its answer. */
export function secondsAt(row: VisibleRow, window: DayWindow, index: number): number {
  const number = window.parts.findIndex((part) => index < part.firstInWindow + part.count);
  const [part, source] = [window.parts[number], row.sources[number]];
  if (!part || !source) return 0;
  const inMonth = part.firstInMonth + index - part.firstInWindow;
  return decodeDay(source.days.subarray(source.start, source.start + bytesPerMonth), inMonth)?.seconds ?? 0;
}

/** The newest checked day at `index` or at most `reach` days before it; -1 when there is none. */
export function findCheckedAtOrBefore(row: VisibleRow, index: number, reach: number): number {
  for (let at = Math.min(index, row.cells.length - 1); at >= 0 && at >= index - reach; at -= 1) if (row.cells[at] !== notChecked) return at;
  return -1;
}
