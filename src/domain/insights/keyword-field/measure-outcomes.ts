import type { z } from 'zod';
import type { keywordFieldVersion } from '#contract/keyword-field.ts';
import type { Tx } from '#db/database.ts';
import { addDays, minDay, type UtcDay } from '#lib/dates.ts';
import { decodePosition } from '#domain/tracking/rankings/daily-rank-codec.ts';
import { loadVisibleRows } from '#domain/tracking/rankings/load-visible-rows.ts';
import { isFollowed } from '#domain/tracking/rankings/tracking-periods.ts';
import {
  keepProviderOf,
  type FollowedMarket,
  type VisibleRow,
} from '#domain/tracking/rankings/visible-rows.ts';
import { windowOf } from '#domain/base/day-window.ts';

type Version = z.input<typeof keywordFieldVersion>;
type Outcome = Pick<Version, 'before' | 'after'>;
const windowDays = 14;

/**
 * Positions of the affected keywords in the 14 days before a save and in those after, without the
 * day itself.
 */
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
    const rows = await loadVisibleRows(tx, window, affected);
    const after =
      savedOn < last
        ? { ...sumDailyRanks(rows, windowDays + 1), from: addDays(savedOn, 1), to: last }
        : null;
    outcomes.push({
      before: { ...sumDailyRanks(rows, 0, windowDays), from: first, to: addDays(savedOn, -1) },
      after,
    });
  }
  return outcomes;
}

/** Positions of the last day's provider, which alone can be compared, and the checks of all. */
function sumDailyRanks(
  rows: readonly VisibleRow[],
  from: number,
  to?: number,
): Omit<Version['before'], 'from' | 'to'> {
  const bytesOf = (row: VisibleRow) => [...row.dailyRanks.subarray(from, to)];
  const positions = rows
    .flatMap((row) => bytesOf(keepProviderOf(row, row.dailyRanks.length - 1)))
    .flatMap((byte) => decodePosition(byte) ?? []);
  const sum = positions.reduce((total, position) => total + position, 0);
  return {
    averagePosition:
      positions.length === 0 ? null : Math.round((sum / positions.length) * 100) / 100,
    ranked: positions.length,
    checked: rows.flatMap(bytesOf).filter((byte) => decodePosition(byte) !== undefined).length,
    followed: rows.reduce(
      (total, row) => total + row.trackedDepths.subarray(from, to).filter(isFollowed).length,
      0,
    ),
  };
}
