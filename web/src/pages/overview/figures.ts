import type { ComparedKeyword, DistributionDay } from '../../queries/rankings.ts';
import type { VisibilityDay } from '../../queries/visibility.ts';
import { checkedOf, followedOf } from '../distribution/bands.ts';

/** A day of which less was checked is no day to compare with: its counts are smaller for that alone. */
const fullShare = 0.95;

const isFull = (day: DistributionDay): boolean =>
  checkedOf(day) > 0 && checkedOf(day) >= fullShare * followedOf(day);

/** The first and the last day of the span that were checked as good as whole; null with fewer than two. */
export function findFullDays(
  days: readonly DistributionDay[],
): { first: DistributionDay; last: DistributionDay } | null {
  const full = days.filter(isFull);
  const [first, last] = [full[0], full.at(-1)];
  return first && last && first !== last ? { first, last } : null;
}

/** The newest checked day and the checked day before it, whole ones where there are two of them; null with fewer than two. */
export function findLastDays(
  days: readonly DistributionDay[],
): { first: DistributionDay; last: DistributionDay } | null {
  const full = days.filter(isFull);
  const [first, last] = (full.length > 1 ? full : days.filter((day) => checkedOf(day) > 0)).slice(
    -2,
  );
  return first && last ? { first, last } : null;
}

/** The day whose figures stand for a span: the newest whole one, else the newest of which anything was checked. */
export const findShownDay = (days: readonly DistributionDay[]): DistributionDay | null =>
  days.findLast(isFull) ?? days.findLast((day) => checkedOf(day) > 0) ?? null;

/** How the app stood on a day. `rows`: the keywords, `b` being that day. */
export function countDay(day: DistributionDay, rows: readonly ComparedKeyword[]) {
  const top3 = day.top1 + day.top2to3;
  const top10 = top3 + day.top4to10;
  const places = rows.flatMap(({ b }) => b?.position ?? []);
  return {
    tracked: followedOf(day),
    ranked: checkedOf(day) - day.notFound,
    notFound: day.notFound,
    notChecked: day.notChecked,
    top3,
    top10,
    top50: top10 + day.top11to50,
    averagePosition:
      places.length === 0 ? null : places.reduce((sum, place) => sum + place, 0) / places.length,
  };
}

export type Figures = ReturnType<typeof countDay>;

export type Top = 3 | 10 | 50;

export interface TopMove {
  /** Keywords more (above 0) within the top. */
  change: number;
  keywords: number;
}

/** Only keywords of which both days know whether they stood within: one newly added is no gain. */
export function compareTop(rows: readonly ComparedKeyword[], top: Top): TopMove {
  const known = rows.flatMap(({ a, b }) =>
    a && b && tells(a, top) && tells(b, top) ? [{ a, b }] : [],
  );
  const change = known.reduce(
    (sum, { a, b }) => sum + Number(isWithin(b, top)) - Number(isWithin(a, top)),
    0,
  );
  return { change, keywords: known.length };
}

type Place = NonNullable<ComparedKeyword['a']>;
const isWithin = ({ position }: Place, top: Top): boolean => position !== null && position <= top;
const tells = ({ position, depth }: Place, top: Top): boolean => position !== null || depth >= top;

/** The first and the last index of days checked as good as whole; the last one alone when there is no other. */
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
  /** Places gained (above 0) by the mean of the keywords found on both days. */
  gain: number;
  keywords: number;
}

/** Only keywords that were found on both days: who newly came in at 180 makes no average worse. */
export function compareMeans(rows: readonly ComparedKeyword[]): MeanMove | null {
  const moves = rows.flatMap(({ delta }) => delta ?? []);
  return moves.length === 0
    ? null
    : { gain: moves.reduce((sum, move) => sum + move, 0) / moves.length, keywords: moves.length };
}
