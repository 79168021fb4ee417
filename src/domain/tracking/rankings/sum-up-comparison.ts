import type { RankPair } from './visible-rows.ts';
import type { Comparison } from './compare-days.ts';

/** A keyword on two days; `isComparable` if one provider has both positions. */
export interface ComparedPair {
  a: RankPair | null;
  b: RankPair | null;
  delta: number | null;
  isComparable: boolean;
}

/**
 * Counts only keywords with a known result on both days, so that a new keyword is no gain, and an
 * app that enters at 180 does not worsen the average.
 */
export function sumUpComparison(pairs: readonly ComparedPair[]): Comparison['totals'] {
  const moves = pairs.flatMap(({ delta }) => delta ?? []);
  return {
    checkedOnBoth: pairs.filter(({ a, b }) => a && b).length,
    top3: compareTop(pairs, 3),
    top10: compareTop(pairs, 10),
    top50: compareTop(pairs, 50),
    averagePosition: {
      a: averageOf(pairs.flatMap(({ a }) => a?.position ?? [])),
      b: averageOf(pairs.flatMap(({ b }) => b?.position ?? [])),
      change: averageOf(moves),
      keywords: moves.length,
    },
  };
}

function compareTop(pairs: readonly ComparedPair[], top: number) {
  const known = pairs.flatMap(({ a, b, isComparable }) =>
    isComparable && a && b && isConclusive(a, top) && isConclusive(b, top) ? [{ a, b }] : [],
  );
  const change = known.reduce(
    (sum, { a, b }) => sum + Number(isWithin(b, top)) - Number(isWithin(a, top)),
    0,
  );
  return { change, keywords: known.length };
}

const isWithin = ({ position }: RankPair, top: number): boolean =>
  position !== null && position <= top;
const isConclusive = ({ position, depth }: RankPair, top: number): boolean =>
  position !== null || depth >= top;

const averageOf = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
