import type { EventData } from '../../contract/events.ts';
import type { UtcDay } from '../../lib/dates.ts';
import type { AlertKeyword } from '../alerts/judge-keywords.ts';
import { notChecked, positionOf } from '../rankings/cells.ts';
import { kindOfChange, placesGained } from '../rankings/rank-change.ts';
import { isFollowed } from '../rankings/terms.ts';
import {
  findCheckedAtOrBefore,
  pairAt,
  type RankPair,
  type VisibleRow,
} from '../rankings/visible.ts';
import type { DayWindow } from '../rankings/window.ts';
import { DayTally, keywordWeights } from '../visibility/visibility-index.ts';

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
/** A side may be so many days older than the week's first and last day, as in GET /apps/{id}/rankings/movers. */
const reachDays = 3;

/**
 * An app's week: where its keywords stand at its end, how they moved since its first day, and its visibility day by day.
 * The window ends with the week and begins before it; `rows` are in the order of `keywords`. Pure.
 */
export function measureApp(
  window: DayWindow,
  keywords: readonly AlertKeyword[],
  rows: readonly VisibleRow[],
  week: UtcDay,
): { figures: Figures; trend: (number | null)[] } {
  const last = window.days.length - 1;
  const first = window.days.indexOf(week);
  const standing = rows
    .filter((row) => isFollowed(row.terms[last]!))
    .map((row) => pairAt(row, window.days, findCheckedAtOrBefore(row, last, reachDays)));
  const positions = standing.flatMap((pair) => pair?.position ?? []);
  const moves = rows.flatMap((row, index) => findMove(window, row, keywords[index]!, first) ?? []);
  const trend = visibilityOf(window, keywords, rows);
  const ofWeek = trend.slice(first).filter((value) => value !== null);
  return {
    figures: {
      keywords: standing.length,
      ranked: positions.length,
      notFound: standing.filter((pair) => pair?.position === null).length,
      notChecked: standing.filter((pair) => pair === null).length,
      top3: positions.filter((position) => position <= 3).length,
      top10: positions.filter((position) => position <= 10).length,
      averagePosition:
        positions.length === 0
          ? null
          : round(positions.reduce((sum, position) => sum + position, 0) / positions.length, 2),
      improved: moves.filter(({ weight }) => weight > 0).length,
      dropped: moves.filter(({ weight }) => weight < 0).length,
      visibility: { from: ofWeek[0] ?? null, to: ofWeek.at(-1) ?? null },
      coverage: coverageOf(rows, first),
      gained: pick(moves.filter(({ weight }) => weight > 0)),
      lost: pick(moves.filter(({ weight }) => weight < 0)),
    },
    trend,
  };
}

interface WeighedMove {
  move: Move;
  /** Places gained; for one that came in or went out, as if it stood just beyond what was examined. */
  weight: number;
}

function findMove(
  { days }: DayWindow,
  row: VisibleRow,
  { id, phrase, country }: AlertKeyword,
  first: number,
): WeighedMove | null {
  const [fromIndex, toIndex] = [
    findCheckedAtOrBefore(row, first, reachDays),
    findCheckedAtOrBefore(row, days.length - 1, reachDays),
  ];
  const [from, to] = [pairAt(row, days, fromIndex), pairAt(row, days, toIndex)];
  if (!from || !to || fromIndex >= toIndex) return null;
  const kind = kindOfChange(from, to);
  if (kind === 'same' || kind === 'unknown') return null;
  const placeOf = ({ position, depth }: RankPair) => position ?? depth + 1;
  return {
    move: { keywordId: id, phrase, country, from, to, places: placesGained(from, to) },
    weight: placeOf(from) - placeOf(to),
  };
}

function pick(moves: readonly WeighedMove[]): Move[] {
  return moves
    .toSorted(
      (a, b) => Math.abs(b.weight) - Math.abs(a.weight) || a.move.keywordId - b.move.keywordId,
    )
    .slice(0, movesMax)
    .map(({ move }) => move);
}

function visibilityOf(
  window: DayWindow,
  keywords: readonly AlertKeyword[],
  rows: readonly VisibleRow[],
): (number | null)[] {
  const weights = keywordWeights(keywords.map((keyword) => keyword.traffic));
  return window.days.map((_, day) => {
    const tally = new DayTally();
    for (const [index, row] of rows.entries())
      if (isFollowed(row.terms[day]!)) tally.add(positionOf(row.cells[day]!), weights[index]!);
    const { index } = tally.measure();
    return index === null ? null : round(index, 2);
  });
}

function coverageOf(rows: readonly VisibleRow[], first: number): number | null {
  let [followed, checked] = [0, 0];
  for (const row of rows) {
    for (let day = first; day < row.cells.length; day += 1) {
      if (!isFollowed(row.terms[day]!)) continue;
      followed += 1;
      if (row.cells[day] !== notChecked) checked += 1;
    }
  }
  return followed === 0 ? null : round(checked / followed, 4);
}

function round(value: number, digits: number): number {
  return Math.round(value * 10 ** digits) / 10 ** digits;
}
