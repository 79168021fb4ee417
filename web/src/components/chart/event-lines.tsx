import styles from './chart.module.css';
import type { Geometry } from './geometry.ts';
import type { DayEvent } from './spec.ts';

const minLabelPx = 62;
const characterPx = 6;

/**
 * Dashed lines on days with events, solid ones on boundaries. A label too close to the previous one
 * is shown only in the tooltip.
 */
export function EventLines({
  events,
  days,
  geometry,
}: {
  events: readonly DayEvent[];
  days: readonly string[];
  geometry: Geometry;
}) {
  const { shown, top, bottom, x } = geometry;
  return layOutEvents(events, days, geometry)
    .filter(({ index }) => index >= shown.first && index <= shown.last)
    .map(({ date, label, isBoundary, index, labelX }) => (
      <g key={`${date} ${label}`}>
        <line
          x1={x(index)}
          x2={x(index)}
          y1={top}
          y2={bottom}
          className={isBoundary ? styles.boundary : styles.event}
        />
        {labelX !== null && (
          <text x={labelX} y={top - 8} textAnchor="middle" className={styles.label}>
            {label}
          </text>
        )}
      </g>
    ));
}

export interface EventLayout extends DayEvent {
  index: number;
  /** Null if there is no space for the label. */
  labelX: number | null;
}

/** Events on days of the chart, in order. Of several on a day the first one has the label. */
export function layOutEvents(
  events: readonly DayEvent[],
  days: readonly string[],
  { x, width }: Pick<Geometry, 'x' | 'width'>,
): EventLayout[] {
  let labelledTo = Number.NEGATIVE_INFINITY;
  return events
    .map((event) => ({ ...event, index: days.indexOf(event.date) }))
    .filter(({ index }) => index >= 0)
    .toSorted((a, b) => a.index - b.index)
    .map((event) => {
      const half = Math.max(minLabelPx, event.label.length * characterPx) / 2;
      const labelX = Math.min(Math.max(x(event.index), half), width - half);
      if (labelX - half < labelledTo) return { ...event, labelX: null };
      labelledTo = labelX + half;
      return { ...event, labelX };
    });
}
