import { useTranslation } from 'react-i18next';
import styles from './chart.module.css';
import { groupEvents, type EventMark } from './event-marks.ts';
import type { Geometry } from './geometry.ts';
import type { DayEvent } from './spec.ts';

interface Props {
  events: readonly DayEvent[];
  days: readonly string[];
  geometry: Geometry;
}

/**
 * Dashed lines on days with events, and solid ones on boundaries. Events of neighbouring days are a
 * shade with one label.
 */
export function EventLines({ events, days, geometry }: Props) {
  const { t } = useTranslation();
  const { top } = geometry;
  return groupEvents(events, days, geometry, (count) => t('chart.events', { count })).map(
    (mark) => (
      <g key={mark.first}>
        <Days mark={mark} days={days} geometry={geometry} />
        {mark.isShort && <circle cx={mark.x} cy={top - 12} r={9} className={styles.badge} />}
        <text x={mark.labelX} y={top - 8} textAnchor="middle" className={styles.label}>
          {mark.isShort ? mark.events.length : mark.label}
        </text>
      </g>
    ),
  );
}

function Days({
  mark: { events, first, last },
  days,
  geometry: { top, bottom, x },
}: {
  mark: EventMark;
  days: readonly string[];
  geometry: Geometry;
}) {
  const boundaries = events
    .filter(({ isBoundary }) => isBoundary)
    .map(({ date }) => days.indexOf(date));
  const edges = new Set([first, last, ...boundaries]);
  return (
    <>
      {last > first && (
        <rect
          x={x(first)}
          y={top}
          width={x(last) - x(first)}
          height={bottom - top}
          className={styles.eventDays}
        />
      )}
      {[...edges].map((index) => (
        <line
          key={index}
          x1={x(index)}
          x2={x(index)}
          y1={top}
          y2={bottom}
          className={boundaries.includes(index) ? styles.boundary : styles.event}
        />
      ))}
    </>
  );
}
