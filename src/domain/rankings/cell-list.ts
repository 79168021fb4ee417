import type { z } from 'zod';
import type { cell } from '../../contract/rankings.ts';
import type { MarketGap } from '../../db/queries/market-gaps.ts';
import { startOfDayMs, type UtcDay } from '../../lib/dates.ts';
import { notChecked, positionOf } from './cells.ts';
import { paused, unseen } from './terms.ts';
import { secondsAt, type VisibleRow } from './visible.ts';
import type { DayWindow } from './window.ts';

export type Cell = z.input<typeof cell>;

/** A place in a list of cells: newest day first, then by keyword id. */
export interface CellPlace {
  date: UtcDay;
  keywordId: number;
}

export interface CellPage {
  items: Cell[];
  /** The last item, when more follow. */
  last: CellPlace | null;
  total: number;
}

/** Gaps are listed when `gaps` is given: days on which the keyword existed and was not checked. */
export function listCells(
  window: DayWindow,
  rows: readonly VisibleRow[],
  page: { gaps: readonly MarketGap[] | null; after: CellPlace | null; limit: number },
): CellPage {
  const reasons = page.gaps && indexGaps(page.gaps);
  const { days } = window;
  const result: CellPage = { items: [], last: null, total: 0 };
  for (let index = days.length - 1; index >= 0; index -= 1) {
    const date = days[index]!;
    for (const row of rows) {
      const isChecked = row.cells[index] !== notChecked;
      if (!isChecked && (reasons === null || row.terms[index] === unseen)) continue;
      result.total += 1;
      if (isAtOrBefore(date, row.keywordId, page.after)) continue;
      if (result.items.length < page.limit) result.items.push(isChecked ? checkedCell(row, window, index) : gapCell(row, date, index, reasons!));
      else result.last ??= placeOf(result.items.at(-1)!);
    }
  }
  return result;
}

function isAtOrBefore(date: UtcDay, keywordId: number, after: CellPlace | null): boolean {
  return after !== null && (date > after.date || (date === after.date && keywordId <= after.keywordId));
}

function placeOf(item: Cell): CellPlace {
  return { date: item.date, keywordId: item.keywordId };
}

function checkedCell(row: VisibleRow, window: DayWindow, index: number): Cell {
  const date = window.days[index]!;
  const position = positionOf(row.cells[index]!) ?? null;
  const checkedAt = new Date(startOfDayMs(date) + secondsAt(row, window, index) * 1000).toISOString();
  return { date, keywordId: row.keywordId, state: position === null ? 'not_found' : 'ranked', position, depth: row.depths[index]!, checkedAt };
}

function gapCell(row: VisibleRow, date: UtcDay, index: number, reasons: GapIndex): Cell {
  const reason = row.terms[index] === paused ? 'paused' : (reasons.get(row.marketId)?.get(date) ?? 'not_yet_run');
  return { date, keywordId: row.keywordId, state: 'not_checked', reason };
}

type GapIndex = Map<number, Map<UtcDay, MarketGap['reason']>>;

function indexGaps(gaps: readonly MarketGap[]): GapIndex {
  const index: GapIndex = new Map();
  for (const { marketId, date, reason } of gaps) {
    const byDate = index.get(marketId) ?? new Map<UtcDay, MarketGap['reason']>();
    index.set(marketId, byDate.set(date, reason));
  }
  return index;
}
