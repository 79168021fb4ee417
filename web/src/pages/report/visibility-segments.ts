import type { ReportContent } from '#web/queries/reports.ts';
import type { Change } from '../overview/delta.tsx';
import type { DrawnMark } from '../overview/visibility-chart.ts';

type Facts = Pick<ReportContent, 'visibility' | 'segments'>;

/**
 * The change of the visibility since the first day with a value, or null without one. Positions
 * before the last segment are of another search provider, and nothing is compared with them.
 */
export function compareVisibility({ visibility, segments }: Facts): Change | null {
  const boundary = segments.at(-1)?.from ?? '';
  const first = visibility.find(({ date, index }) => date >= boundary && index !== null);
  const last = visibility.at(-1);
  if (first?.index == null || last?.index == null || first === last) return null;
  return { change: last.index - first.index, since: first.date, digits: 1 };
}

/** The days on which another search provider begins. */
export function markProviders(segments: ReportContent['segments']): DrawnMark[] {
  return segments.slice(1).map(({ from: date, provider: after }, index) => ({
    kind: 'provider',
    date,
    title: '',
    text: null,
    fact: { kind: 'provider', before: segments[index]!.provider, after },
    competitorId: null,
  }));
}
