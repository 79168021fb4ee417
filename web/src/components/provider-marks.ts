import type { Segments } from '#web/queries/rankings.ts';
import type { TimelineItem } from '#web/queries/timeline.ts';
import type { FormattableItem } from './format-timeline-item.ts';

export type DrawnMark = FormattableItem & Pick<TimelineItem, 'date' | 'kind'>;

/** The days on which another search provider begins. */
export const markProviders = (segments: Segments): DrawnMark[] =>
  segments.slice(1).map(({ from: date, provider: after }, index) => ({
    kind: 'provider',
    date,
    title: '',
    text: null,
    fact: { kind: 'provider', before: segments[index]!.provider, after },
    competitorId: null,
  }));
