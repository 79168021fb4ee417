import type { z } from 'zod';
import type { keywordFieldVersion } from '../../contract/keyword-field.ts';
import type { Tx } from '../../db/database.ts';
import { addDays, minDay, type UtcDay } from '../../lib/dates.ts';
import { positionOf } from '../rankings/cells.ts';
import { readVisibleRows } from '../rankings/read-visible.ts';
import { isFollowed } from '../rankings/terms.ts';
import type { FollowedMarket, VisibleRow } from '../rankings/visible.ts';
import { windowOf } from '../rankings/window.ts';

type Version = z.input<typeof keywordFieldVersion>;
type Outcome = Pick<Version, 'before' | 'after'>;
const windowDays = 14;

/** Where the affected keywords stood in the 14 days before a save and in those after it; the day itself is in neither. */
export async function measureOutcomes(
  tx: Tx,
  saves: readonly { savedOn: UtcDay; affected: readonly FollowedMarket[] }[],
  today: UtcDay,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const { savedOn, affected } of saves) {
    const [first, last] = [
      addDays(savedOn, -windowDays),
      minDay(addDays(savedOn, windowDays), today),
    ];
    const window = windowOf(first, last);
    const rows = await readVisibleRows(tx, window, affected);
    const after =
      savedOn < last
        ? { ...sumCells(rows, windowDays + 1), from: addDays(savedOn, 1), to: last }
        : null;
    outcomes.push({
      before: { ...sumCells(rows, 0, windowDays), from: first, to: addDays(savedOn, -1) },
      after,
    });
  }
  return outcomes;
}

function sumCells(
  rows: readonly VisibleRow[],
  from: number,
  to?: number,
): Omit<Version['before'], 'from' | 'to'> {
  const bytes = rows.flatMap((row) => [...row.cells.subarray(from, to)]);
  const positions = bytes.flatMap((byte) => positionOf(byte) ?? []);
  const sum = positions.reduce((total, position) => total + position, 0);
  return {
    averagePosition:
      positions.length === 0 ? null : Math.round((sum / positions.length) * 100) / 100,
    ranked: positions.length,
    checked: bytes.filter((byte) => positionOf(byte) !== undefined).length,
    followed: rows.reduce(
      (total, row) => total + row.terms.subarray(from, to).filter(isFollowed).length,
      0,
    ),
  };
}
