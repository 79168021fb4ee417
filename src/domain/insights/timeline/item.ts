import type { z } from 'zod';
import type { timelineItem } from '#contract/timeline.ts';
import type { UtcDay } from '#lib/dates.ts';

export type TimelineItem = z.input<typeof timelineItem>;
export type TimelineKind = TimelineItem['kind'];

/** Omitted members are empty. */
export function toItem(
  item: {
    kind: TimelineKind;
    key: string | number;
    date: UtcDay;
    title: string;
  } & Partial<TimelineItem>,
): TimelineItem {
  const {
    kind,
    key,
    date,
    title,
    text = null,
    fact = null,
    countries = [],
    competitorId = null,
    keywordIds = [],
    links = {},
  } = item;
  return {
    id: `${kind}:${key}`,
    kind,
    date,
    title,
    text,
    fact,
    countries,
    competitorId,
    keywordIds,
    links,
  };
}
