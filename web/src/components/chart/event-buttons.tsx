import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { formatDay, formatSpan } from '#web/format.ts';
import styles from './event-buttons.module.css';
import { groupEvents, type EventMark } from './event-marks.ts';
import type { Geometry } from './geometry.ts';
import type { ChartSpec } from './spec.ts';

const mostListed = 12;
/** As in the style sheet. */
const [heightPx, widestPx] = [28, 288];

/**
 * A button over each mark of a chart. It lists the events of its days at hover, focus and click;
 * arrow keys move between the marks.
 */
export function EventButtons({ spec, geometry }: { spec: ChartSpec; geometry: Geometry }) {
  const { t } = useTranslation();
  const id = useId();
  const group = useRef<HTMLDivElement>(null);
  const [latest, setLatest] = useState(0);
  const [opened, setOpened] = useState<number | null>(null);
  const isOpened = opened !== null;
  useEffect(() => {
    if (!isOpened) return;
    const leave = ({ target }: Event) => {
      if (!group.current?.contains(target as Node)) setOpened(null);
    };
    document.addEventListener('pointerdown', leave);
    return () => document.removeEventListener('pointerdown', leave);
  }, [isOpened]);
  const marks = groupEvents(spec.events ?? [], spec.columns, geometry, (count) =>
    t('chart.events', { count }),
  );
  if (marks.length === 0) return null;
  const entry = Math.min(latest, marks.length - 1);
  const press = (event: KeyboardEvent) => {
    const to = neighbourOf(event.key, entry, marks.length);
    if (to !== null) group.current?.querySelectorAll('button')[to]?.focus();
    else if (event.key === 'Escape' && isOpened) setOpened(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const mark = opened === null ? undefined : marks[opened];
  return (
    <div
      ref={group}
      role="group"
      aria-label={t('chart.eventMarks')}
      data-print="hidden"
      onKeyDown={press}
      onPointerLeave={({ pointerType }) => pointerType === 'mouse' && setOpened(null)}
    >
      {marks.map(({ labelX, width, ...of }, index) => (
        <button
          key={of.first}
          type="button"
          className={styles.mark}
          style={{ left: labelX - width / 2, top: geometry.top - heightPx, width }}
          tabIndex={index === entry ? 0 : -1}
          aria-label={`${of.label}, ${formatDays(of, spec.columns)}`}
          aria-describedby={opened === index ? id : undefined}
          onPointerEnter={() => setOpened(index)}
          onFocus={() => {
            setLatest(index);
            setOpened(index);
          }}
          onBlur={() => setOpened(null)}
          onClick={() => setOpened(index)}
        />
      ))}
      {mark && <EventList id={id} mark={mark} spec={spec} geometry={geometry} />}
    </div>
  );
}

function neighbourOf(key: string, index: number, count: number): number | null {
  if (key === 'ArrowRight') return Math.min(index + 1, count - 1);
  if (key === 'ArrowLeft') return Math.max(index - 1, 0);
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : null;
}

function formatDays({ first, last }: Pick<EventMark, 'first' | 'last'>, days: readonly string[]) {
  const [from, to] = [days[first]!, days[last]!];
  return from === to ? formatDay(from, true) : formatSpan({ from, to });
}

interface ListProps {
  id: string;
  mark: EventMark;
  spec: ChartSpec;
  geometry: Geometry;
}

/** The events of a mark by day, as the tooltips of its days name them. */
function EventList({ id, mark, spec, geometry: { top, width } }: ListProps) {
  const { t } = useTranslation();
  const half = Math.min(widestPx, width) / 2;
  const days = [...new Set(mark.events.map(({ date }) => date))];
  const entries = days.flatMap((day) => {
    const named = spec.describe(spec.columns.indexOf(day)).filter(([kind]) => kind === 'mark');
    const texts =
      named.length > 0
        ? named.map(([, text]) => text)
        : mark.events.filter(({ date }) => date === day).map(({ label }) => label);
    return texts.map((text) => ({ day, text }));
  });
  const left = entries.length - mostListed;
  return (
    <div
      role="tooltip"
      id={id}
      className={styles.list}
      style={{ top: top - 2, left: Math.min(Math.max(mark.x, half), Math.max(half, width - half)) }}
    >
      {entries.slice(0, mostListed).map(({ day, text }, index) => (
        // oxlint-disable-next-line react/no-array-index-key
        <p key={`${day} ${index}`}>
          <span className="muted">{formatDay(day)}</span> <span dir="auto">{text}</span>
        </p>
      ))}
      {left > 0 && <p className="muted">{t('chart.moreEvents', { count: left })}</p>}
    </div>
  );
}
