import type { ReportContent } from '#web/queries/reports.ts';
import type { VisibilityDay } from '#web/queries/visibility.ts';
import { fullShare } from '../distribution/complete-days.ts';
import type { Change } from '../overview/delta.tsx';

type Facts = Pick<ReportContent, 'visibility' | 'segments'>;

const isFull = ({ index, coverage }: VisibilityDay): boolean =>
  index !== null && (coverage ?? 0) >= fullShare;

/**
 * The change of the visibility on the last day since the first almost completely checked one, or
 * null if one of them is missing. Positions before the last segment are of another search provider,
 * and nothing is compared with them.
 */
export function compareVisibility({ visibility, segments }: Facts): Change | null {
  const boundary = segments.at(-1)?.from ?? '';
  const first = visibility.find((day) => day.date >= boundary && isFull(day));
  const last = visibility.at(-1);
  if (!first || !last || !isFull(last) || first === last) return null;
  return { change: last.index! - first.index!, since: first.date, digits: 1 };
}
