import { useRef, type KeyboardEvent, type PointerEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { ColumnWindow } from './geometry.ts';
import { columnSteps, moveEnd } from './zoom.ts';
import styles from './zoom-slider.module.css';

interface Props {
  columns: readonly string[];
  nameColumn: (column: string) => string;
  shown: ColumnWindow;
  onZoom: (shown: ColumnWindow) => void;
}

type Grip = 'first' | 'last' | 'both';

/** The shown columns among all of them: its ends and the part between them can be moved. */
export function ZoomSlider({ columns, nameColumn, shown, onZoom }: Props) {
  const { t } = useTranslation();
  const track = useRef<HTMLDivElement>(null);
  const grip = useRef<{ of: Grip; x: number; shown: ColumnWindow } | null>(null);
  const count = columns.length;

  const take = (of: Grip) => (event: PointerEvent<HTMLElement>) => {
    event.stopPropagation();
    event.currentTarget.setPointerCapture(event.pointerId);
    grip.current = { of, x: event.clientX, shown };
  };
  const move = (event: PointerEvent) => {
    if (!grip.current) return;
    const { of, x, shown: before } = grip.current;
    const by = Math.round(((event.clientX - x) / track.current!.clientWidth) * count);
    onZoom(
      of === 'both'
        ? { first: before.first + by, last: before.last + by }
        : moveEnd(before, of, before[of] + by, count),
    );
  };
  const drop = () => {
    grip.current = null;
  };
  const press = (end: 'first' | 'last') => (event: KeyboardEvent) => {
    const step = columnSteps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    onZoom(moveEnd(shown, end, shown[end] + step, count));
  };

  const percent = (columnCount: number) => `${(columnCount / count) * 100}%`;
  const end = (of: 'first' | 'last') => (
    <div
      role="slider"
      tabIndex={0}
      className={styles.grip}
      style={{ left: percent(of === 'first' ? shown.first : shown.last + 1) }}
      aria-label={t(`chart.${of}Shown`)}
      aria-valuemin={0}
      aria-valuemax={count - 1}
      aria-valuenow={shown[of]}
      aria-valuetext={nameColumn(columns[shown[of]]!)}
      onPointerDown={take(of)}
      onPointerMove={move}
      onPointerUp={drop}
      onPointerCancel={drop}
      onKeyDown={press(of)}
    />
  );
  return (
    <div ref={track} className={styles.track} data-print="hidden">
      <div
        className={styles.shown}
        style={{ left: percent(shown.first), width: percent(shown.last - shown.first + 1) }}
        onPointerDown={take('both')}
        onPointerMove={move}
        onPointerUp={drop}
        onPointerCancel={drop}
      />
      {end('first')}
      {end('last')}
    </div>
  );
}
