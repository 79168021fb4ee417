import type { z } from 'zod';
import type { cell } from '../../contract/rankings.ts';
import type { MarketGap } from '../../db/queries/market-gaps.ts';
import { startOfDayMs, type UtcDay } from '../../lib/dates.ts';
import { notChecked, positionOf } from './cells.ts';
import { overQuota, paused, unseen } from './terms.ts';
import type { ExaminedDays } from './examined-days.ts';
import type { VisibleRow } from './visible.ts';

export type Cell = z.input<typeof cell>;

/** A place in a list of cells: newest day first, then by keyword id. */
export interface CellPlace {
  date: UtcDay;
  keywordId: number;
}

/** A cell to be shown: the row and the day's index in it. */
export interface CellSpot {
  row: VisibleRow;
  index: number;
}

export interface SpotPage {
  spots: CellSpot[];
  /** More follow after the last. */
  hasMore: boolean;
  total: number;
}

/** The cells of a page; with `hasGaps` also the days on which a keyword existed and was not checked. */
export function listSpots(
  days: readonly UtcDay[],
  rows: readonly VisibleRow[],
  page: { hasGaps: boolean; after: CellPlace | null; limit: number },
): SpotPage {
  const spots: CellSpot[] = [];
  let [total, passed] = [0, 0];
  for (let index = days.length - 1; index >= 0; index -= 1) {
    const date = days[index]!;
    for (const row of rows) {
      if (row.cells[index] === notChecked && (!page.hasGaps || row.terms[index] === unseen))
        continue;
      total += 1;
      if (isAtOrBefore(date, row.keywordId, page.after)) passed += 1;
      else if (spots.length < page.limit) spots.push({ row, index });
    }
  }
  return { spots, hasMore: total > passed + spots.length, total };
}

function isAtOrBefore(date: UtcDay, keywordId: number, after: CellPlace | null): boolean {
  return (
    after !== null && (date > after.date || (date === after.date && keywordId <= after.keywordId))
  );
}

/** Spots as the API shows them. */
export function toCells(
  days: readonly UtcDay[],
  spots: readonly CellSpot[],
  known: { examined: ExaminedDays; gaps: readonly MarketGap[] },
): Cell[] {
  const reasons = indexGaps(known.gaps);
  return spots.map(({ row, index }) => {
    const [date, position] = [days[index]!, positionOf(row.cells[index]!)];
    const { keywordId, marketId } = row;
    if (position === undefined) {
      const reason =
        reasonOf(row.terms[index]!) ?? reasons.get(marketId)?.get(date) ?? 'not_yet_run';
      return { date, keywordId, state: 'not_checked', reason };
    }
    const seconds = row.importedAt?.get(index) ?? known.examined.find(marketId, date)?.seconds ?? 0;
    const checkedAt = new Date(startOfDayMs(date) + seconds * 1000).toISOString();
    return {
      date,
      keywordId,
      state: position === null ? 'not_found' : 'ranked',
      position,
      depth: row.depths[index]!,
      checkedAt,
    };
  });
}

/** Of days on which nobody searched the market for this workspace. */
function reasonOf(term: number): 'paused' | 'over_quota' | null {
  return term === paused ? 'paused' : term === overQuota ? 'over_quota' : null;
}

function indexGaps(gaps: readonly MarketGap[]): Map<number, Map<UtcDay, MarketGap['reason']>> {
  const index = new Map<number, Map<UtcDay, MarketGap['reason']>>();
  for (const { marketId, date, reason } of gaps) {
    const byDate = index.get(marketId) ?? new Map<UtcDay, MarketGap['reason']>();
    index.set(marketId, byDate.set(date, reason));
  }
  return index;
}
