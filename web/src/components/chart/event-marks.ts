import type { ColumnWindow, Geometry } from './geometry.ts';
import type { DayEvent } from './spec.ts';

/** Marks are at least this far apart, so that each can be touched. */
const markPx = 26;
const characterPx = 6;
const minLabelPx = 62;

/** Events of a day or of neighbouring days. */
export interface EventMark {
  events: readonly DayEvent[];
  /** The columns of its first and of its last day. */
  first: number;
  last: number;
  x: number;
  /** The event itself, or how many there are. */
  label: string;
  /** The label has no space, and the number of events is shown instead. */
  isShort: boolean;
  /** The middle and the width of what is shown. */
  labelX: number;
  width: number;
}

type Plot = Pick<Geometry, 'x' | 'width' | 'column'> & { shown: ColumnWindow };

/**
 * The marks of the shown days, in order. Events that would overlap share one: those of a day and of
 * neighbouring days, up to twice the width of a mark.
 */
export function groupEvents(
  events: readonly DayEvent[],
  days: readonly string[],
  plot: Plot,
  nameGroup: (count: number) => string,
): EventMark[] {
  const groups = collect(events, days, plot);
  let takenTo = 0;
  return groups.map((group, number): EventMark => {
    const { first, last } = group;
    const x = (plot.x(first) + plot.x(last)) / 2;
    const label = nameOf(group.events, nameGroup);
    const half = Math.max(minLabelPx, label.length * characterPx) / 2;
    const labelX = Math.min(Math.max(x, half), plot.width - half);
    const next = groups[number + 1];
    const freeTo = next ? (plot.x(next.first) + plot.x(next.last) - markPx) / 2 : plot.width;
    const isShort = labelX - half < takenTo || labelX + half > freeTo;
    const [middle, width] = isShort ? [x, markPx] : [labelX, 2 * half];
    takenTo = middle + width / 2;
    return { ...group, x, label, isShort, labelX: middle, width };
  });
}

type Group = Pick<EventMark, 'events' | 'first' | 'last'>;

function collect(
  events: readonly DayEvent[],
  days: readonly string[],
  { shown, column }: Plot,
): Group[] {
  const placed = events
    .map((event) => ({ event, index: days.indexOf(event.date) }))
    .filter(({ index }) => index >= shown.first && index <= shown.last)
    .toSorted((a, b) => a.index - b.index);
  const groups: (Group & { events: DayEvent[] })[] = [];
  const widest = Math.max(1, Math.floor((2 * markPx) / column));
  for (const { event, index } of placed) {
    const group = groups.at(-1);
    const isNear = group && (index - group.last) * column < Math.max(markPx, column + 1);
    if (isNear && index - group.first <= widest) {
      group.events.push(event);
      group.last = index;
    } else groups.push({ events: [event], first: index, last: index });
  }
  return groups;
}

/** A boundary is named in any case. */
function nameOf(events: readonly DayEvent[], nameGroup: (count: number) => string): string {
  const boundary = events.find(({ isBoundary }) => isBoundary);
  if (events.length === 1) return events[0]!.label;
  return boundary ? `${boundary.label} +${events.length - 1}` : nameGroup(events.length);
}
