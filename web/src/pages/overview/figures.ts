import type { ComparedKeyword, DistributionDay } from '#web/queries/rankings.ts';
import type { VisibilityDay } from '#web/queries/visibility.ts';
import { checkedOf, followedOf } from '../distribution/bands.ts';
import { fullShare } from '../distribution/complete-days.ts';

/** The figures of the app on a day. `rows` are the keywords, and `b` is that day. */
export function countDay(day: DistributionDay, rows: readonly ComparedKeyword[]) {
  const top3 = day.top1 + day.top2to3;
  const top10 = top3 + day.top4to10;
  const positions = rows.flatMap(({ b }) => b?.position ?? []);
  return {
    tracked: followedOf(day),
    ranked: checkedOf(day) - day.notFound,
    notFound: day.notFound,
    notChecked: day.notChecked,
    top3,
    top10,
    top50: top10 + day.top11to50,
    averagePosition:
      positions.length === 0
        ? null
        : positions.reduce((sum, position) => sum + position, 0) / positions.length,
  };
}

export type Figures = ReturnType<typeof countDay>;

export type Top = 3 | 10 | 50;

export interface TopMove {
  /** The change in the number of keywords within the top; above 0 is a gain. */
  change: number;
  keywords: number;
}

/** Counts only keywords with a known result on both days, so that a new keyword is not a gain. */
export function compareTop(rows: readonly ComparedKeyword[], top: Top): TopMove {
  const known = rows.flatMap(({ a, b }) =>
    a && b && isConclusive(a, top) && isConclusive(b, top) ? [{ a, b }] : [],
  );
  const change = known.reduce(
    (sum, { a, b }) => sum + Number(isWithin(b, top)) - Number(isWithin(a, top)),
    0,
  );
  return { change, keywords: known.length };
}

type Found = NonNullable<ComparedKeyword['a']>;
const isWithin = ({ position }: Found, top: Top): boolean => position !== null && position <= top;
const isConclusive = ({ position, depth }: Found, top: Top): boolean =>
  position !== null || depth >= top;

/**
 * Indexes of the first and last almost completely checked day; only the last if there is no other.
 */
export function findIndexes(days: readonly VisibilityDay[]): {
  first: VisibilityDay | null;
  last: VisibilityDay | null;
} {
  const known = days.filter((day) => day.index !== null && (day.coverage ?? 0) >= fullShare);
  const last = known.at(-1) ?? days.findLast((day) => day.index !== null) ?? null;
  const first = known[0] && known[0] !== last ? known[0] : null;
  return { first, last };
}

export interface MeanMove {
  /** The change of the average position of keywords found on both days; above 0 is a gain. */
  gain: number;
  keywords: number;
}

/**
 * Counts only keywords found on both days, so that an app that enters at 180 does not worsen the
 * average.
 */
export function compareMeans(rows: readonly ComparedKeyword[]): MeanMove | null {
  const moves = rows.flatMap(({ delta }) => delta ?? []);
  return moves.length === 0
    ? null
    : { gain: moves.reduce((sum, move) => sum + move, 0) / moves.length, keywords: moves.length };
}
