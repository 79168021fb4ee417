import type { ResponseOf } from '#web/api.ts';
import type { DistributionDay, Segments } from '#web/queries/rankings.ts';
import type { Visibility, VisibilityDay } from '#web/queries/visibility.ts';
import { checkedOf, followedOf } from '../distribution/bands.ts';
import { fullShare, providerSince } from '../distribution/complete-days.ts';

type Overview = ResponseOf<'GET /apps/{id}/overview'>;

/** The figures of the app on a day. */
export function countDay(day: DistributionDay, averagePosition: number | null) {
  const top3 = day.top1 + day.top2to3;
  const top10 = top3 + day.top4to10;
  return {
    tracked: followedOf(day),
    ranked: checkedOf(day) - day.notFound,
    notFound: day.notFound,
    notChecked: day.notChecked,
    top3,
    top10,
    top50: top10 + day.top11to50,
    averagePosition,
    newestCheck: null,
  };
}

export type Figures = Omit<ReturnType<typeof countDay>, 'newestCheck'> & {
  newestCheck: Overview['newestCheck'];
};

/**
 * Indexes of the first and last almost completely checked day by one search provider; only the
 * last if there is no other.
 */
export function findIndexes(
  days: readonly VisibilityDay[],
  segments: Segments,
): {
  first: VisibilityDay | null;
  last: VisibilityDay | null;
} {
  const known = days.filter((day) => day.index !== null && (day.coverage ?? 0) >= fullShare);
  const last = known.at(-1) ?? days.findLast((day) => day.index !== null) ?? null;
  const boundary = providerSince(segments, last?.date ?? '');
  const since = known.find(({ date }) => date >= boundary) ?? null;
  const first = since === last ? null : since;
  return { first, last };
}

/**
 * Whether no keyword was tracked on both the first and the last day, although some were in between.
 * In a period without any keyword, none was added.
 */
export const lacksSameKeywords = ({
  inputs,
  items,
}: Pick<Visibility, 'inputs' | 'items'>): boolean =>
  inputs.keywords === 0 && items.some(({ added }) => added > 0);
