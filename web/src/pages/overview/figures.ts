import type { ComparedKeyword, DistributionDay } from '../../queries/rankings.ts';
import type { VisibilityDay } from '../../queries/visibility.ts';
import { checkedOf, followedOf } from '../distribution/bands.ts';

/** A day of which less was checked is no day to compare with: its counts are smaller for that alone. */
const fullShare = 0.95;

const isFull = (day: DistributionDay): boolean => checkedOf(day) > 0 && checkedOf(day) >= fullShare * followedOf(day);

/** The first and the last day of the span that were checked as good as whole; null with fewer than two. */
export function findFullDays(days: readonly DistributionDay[]): { first: DistributionDay; last: DistributionDay } | null {
  const full = days.filter(isFull);
  const [first, last] = [full[0], full.at(-1)];
  return first && last && first !== last ? { first, last } : null;
}

/** The newest checked day and the checked day before it, whole ones where there are two of them; null with fewer than two. */
export function findLastDays(days: readonly DistributionDay[]): { first: DistributionDay; last: DistributionDay } | null {
  const full = days.filter(isFull);
  const [first, last] = (full.length > 1 ? full : days.filter((day) => checkedOf(day) > 0)).slice(-2);
  return first && last ? { first, last } : null;
}

export type Top = 3 | 10 | 50;

export function countWithin(day: DistributionDay, top: Top): number {
  const top3 = day.top1 + day.top2to3;
  return top === 3 ? top3 : top === 10 ? top3 + day.top4to10 : top3 + day.top4to10 + day.top11to50;
}

/** The first and the last index of days checked as good as whole; the last one alone when there is no other. */
export function findIndexes(days: readonly VisibilityDay[]): { first: VisibilityDay | null; last: VisibilityDay | null } {
  const known = days.filter((day) => day.index !== null && (day.coverage ?? 0) >= fullShare);
  const last = known.at(-1) ?? days.findLast((day) => day.index !== null) ?? null;
  const first = known[0] && known[0] !== last ? known[0] : null;
  return { first, last };
}

export interface MeanMove {
  /** Places gained (above 0) by the mean of the keywords found on both days. */
  gain: number;
  keywords: number;
}

/** Only keywords that were found on both days: who newly came in at 180 makes no average worse. */
export function compareMeans(rows: readonly ComparedKeyword[]): MeanMove | null {
  const moves = rows.flatMap(({ delta }) => delta ?? []);
  return moves.length === 0 ? null : { gain: moves.reduce((sum, move) => sum + move, 0) / moves.length, keywords: moves.length };
}
