import type { EventData } from '#contract/events.ts';
import type { UtcDay } from '#lib/dates.ts';
import type { AlertKeyword } from '#domain/alerting/alerts/evaluate-keyword-alerts.ts';
import { notChecked, decodePosition } from '#domain/tracking/rankings/daily-rank-codec.ts';
import { classifyChange, positionsGained } from '#domain/tracking/rankings/rank-change.ts';
import { isTracked } from '#domain/tracking/rankings/tracking-periods.ts';
import {
  findCheckedAtOrBefore,
  keepProviderOf,
  pairAt,
  type RankPair,
  type VisibleRow,
} from '#domain/tracking/rankings/visible-rows.ts';
import type { DayWindow } from '#domain/base/day-window.ts';
import { findSameKeywords } from '../visibility/find-same-keywords.ts';
import {
  DayTally,
  keywordWeights,
  roundDay,
  type DayIndex,
} from '../visibility/visibility-index.ts';

type DigestApp = EventData['digest.weekly']['apps'][number];
type Move = DigestApp['gained'][number];
type Figures = Omit<
  DigestApp,
  | 'appId'
  | 'store'
  | 'name'
  | 'rating'
  | 'newReviews'
  | 'negativeReviews'
  | 'metadataChanges'
  | 'openActions'
>;

const movesMax = 10;
/**
 * A side may be this many days older than the week's first and last day, as in GET
 * /apps/{id}/rankings/movers.
 */
const lookbackDays = 3;
/** Days with less coverage are not compared, as on the overview: their keywords differ. */
const fullCoverage = 0.95;

/**
 * An app's week: positions at its end, their moves since its first day, and daily visibility, all
 * of the last day's provider, and the coverage of all checks. The window ends with the week and
 * begins before it; `checked` follows the order of `keywords`. Pure.
 */
export function measureApp(
  window: DayWindow,
  keywords: readonly AlertKeyword[],
  checked: readonly VisibleRow[],
  week: UtcDay,
): { figures: Figures; trend: (number | null)[] } {
  const last = window.days.length - 1;
  const first = window.days.indexOf(week);
  const rows = checked.map((row) => keepProviderOf(row, last));
  const current = rows
    .filter((row) => isTracked(row.trackedDepths[last]!))
    .map((row) => pairAt(row, window.days, findCheckedAtOrBefore(row, last, lookbackDays)));
  const positions = current.flatMap((pair) => pair?.position ?? []);
  const moves = rows.flatMap((row, index) => findMove(window, row, keywords[index]!, first) ?? []);
  const tracked = rows.map((row, index) => ({ keyword: keywords[index]!, row }));
  const days = measureDays(tracked, window.days.length);
  const ofWeek = tracked.map(({ keyword, row }) => ({ keyword, row: cutTo(row, first) }));
  const sameDays = measureDays(findSameKeywords(ofWeek), window.days.length - first);
  return {
    figures: {
      keywords: current.length,
      ranked: positions.length,
      notFound: current.filter((pair) => pair?.position === null).length,
      notChecked: current.filter((pair) => pair === null).length,
      top3: positions.filter((position) => position <= 3).length,
      top10: positions.filter((position) => position <= 10).length,
      averagePosition:
        positions.length === 0
          ? null
          : round(positions.reduce((sum, position) => sum + position, 0) / positions.length, 2),
      improved: moves.filter(({ weight }) => weight > 0).length,
      dropped: moves.filter(({ weight }) => weight < 0).length,
      visibility: compareVisibility(sameDays, days.slice(first)),
      coverage: coverageOf(checked, first),
      gained: pick(moves.filter(({ weight }) => weight > 0)),
      lost: pick(moves.filter(({ weight }) => weight < 0)),
    },
    trend: days.map(({ index }) => index),
  };
}

interface WeightedMove {
  move: Move;
  /** Positions gained. An entry or exit counts as from just below the examined depth. */
  weight: number;
}

function findMove(
  { days }: DayWindow,
  row: VisibleRow,
  { id, phrase, country, device }: AlertKeyword,
  first: number,
): WeightedMove | null {
  const [fromIndex, toIndex] = [
    findCheckedAtOrBefore(row, first, lookbackDays),
    findCheckedAtOrBefore(row, days.length - 1, lookbackDays),
  ];
  const [from, to] = [pairAt(row, days, fromIndex), pairAt(row, days, toIndex)];
  if (!from || !to || fromIndex >= toIndex) return null;
  const kind = classifyChange(from, to);
  if (kind === 'same' || kind === 'unknown') return null;
  const positionOf = ({ position, depth }: RankPair) => position ?? depth + 1;
  return {
    move: {
      keywordId: id,
      phrase,
      country,
      device,
      from,
      to,
      positionsGained: positionsGained(from, to),
    },
    weight: positionOf(from) - positionOf(to),
  };
}

function pick(moves: readonly WeightedMove[]): Move[] {
  return moves
    .toSorted(
      (a, b) => Math.abs(b.weight) - Math.abs(a.weight) || a.move.keywordId - b.move.keywordId,
    )
    .slice(0, movesMax)
    .map(({ move }) => move);
}

interface TrackedKeyword {
  keyword: AlertKeyword;
  row: Pick<VisibleRow, 'dailyRanks' | 'trackedDepths'>;
}

const cutTo = (
  { dailyRanks, trackedDepths }: VisibleRow,
  first: number,
): TrackedKeyword['row'] => ({
  dailyRanks: dailyRanks.subarray(first),
  trackedDepths: trackedDepths.subarray(first),
});

function measureDays(tracked: readonly TrackedKeyword[], days: number): DayIndex[] {
  const weights = keywordWeights(tracked.map(({ keyword }) => keyword.traffic));
  return Array.from({ length: days }, (_, day) => {
    const tally = new DayTally();
    for (const [index, { row }] of tracked.entries())
      if (isTracked(row.trackedDepths[day]!))
        tally.add(decodePosition(row.dailyRanks[day]!), weights[index]!);
    return roundDay(tally.measure());
  });
}

/**
 * Only days of the same keywords are compared, so that only positions move the visibility. Without
 * two full ones there is a value at most, of all keywords on the last full or else checked day.
 */
function compareVisibility(
  sameDays: readonly DayIndex[],
  allDays: readonly DayIndex[],
): Figures['visibility'] {
  const full = sameDays.filter(isFull);
  if (full.length >= 2) return { from: full[0]!.index, to: full.at(-1)!.index };
  const last = allDays.findLast(isFull) ?? allDays.findLast(({ index }) => index !== null);
  return { from: null, to: last?.index ?? null };
}

const isFull = ({ coverage }: DayIndex): boolean => coverage !== null && coverage >= fullCoverage;

function coverageOf(rows: readonly VisibleRow[], first: number): number | null {
  let [followed, checked] = [0, 0];
  for (const row of rows) {
    for (let day = first; day < row.dailyRanks.length; day += 1) {
      if (!isTracked(row.trackedDepths[day]!)) continue;
      followed += 1;
      if (row.dailyRanks[day] !== notChecked) checked += 1;
    }
  }
  return followed === 0 ? null : round(checked / followed, 4);
}

function round(value: number, digits: number): number {
  return Math.round(value * 10 ** digits) / 10 ** digits;
}
