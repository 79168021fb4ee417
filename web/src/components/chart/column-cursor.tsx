import { useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './chart.module.css';
import type { ColumnWindow, Geometry } from './geometry.ts';
import type { ChartSpec } from './spec.ts';
import { columnSteps, zoomAround } from './zoom.ts';

export interface ColumnCursorProps {
  spec: ChartSpec;
  geometry: Geometry;
  /** The chosen column; null until the chart has the focus. */
  index: number | null;
  onMove: (index: number | null) => void;
  onZoom: ((shown: ColumnWindow) => void) | undefined;
  /** Opens the annotations of the column. */
  onOpen: ((index: number) => void) | undefined;
}

const zoomFactors: Readonly<Record<string, number>> = { '+': 0.5, '=': 0.5, '-': 2 };

/** Reads a chart by keyboard: arrow keys move over the columns, and their values are read out. */
export function ColumnCursor({ spec, geometry, index, onMove, onZoom, onOpen }: ColumnCursorProps) {
  const { t } = useTranslation();
  // The focus comes back to the same column, for example from the annotations of a day.
  const [latest, setLatest] = useState<number | null>(null);
  const columns = spec.selectable ?? [...spec.columns.keys()];
  if (columns.length === 0) return null;
  const { shown, left, right, top, bottom } = geometry;
  const newest = columns.findLast((column) => column <= shown.last) ?? columns.at(-1)!;
  // The columns may have changed since one was chosen.
  const at =
    [index, latest].find((column) => column !== null && columns.includes(column)) ?? newest;
  const move = (by: number) => {
    const to = Math.min(Math.max(0, columns.indexOf(at) + by), columns.length - 1);
    const next = columns[to]!;
    setLatest(next);
    onMove(next);
    const beyond = Math.min(0, next - shown.first) + Math.max(0, next - shown.last);
    if (beyond !== 0) onZoom?.({ first: shown.first + beyond, last: shown.last + beyond });
  };
  const press = (event: KeyboardEvent) => {
    const step = columnSteps[event.key];
    const factor = zoomFactors[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (step !== undefined) move(step);
    else if (factor !== undefined && onZoom) onZoom(zoomAround(shown, at, factor));
    else if (event.key === 'Escape' && index !== null) onMove(null);
    else if (event.key === 'Enter' && onOpen) onOpen(at);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      role="slider"
      tabIndex={0}
      className={styles.keyboard}
      style={{ left, top, width: right - left, height: bottom - top }}
      aria-label={t('chart.values')}
      aria-valuemin={0}
      aria-valuemax={columns.length - 1}
      aria-valuenow={columns.indexOf(at)}
      aria-valuetext={spec
        .describe(at)
        .map(([, text]) => text)
        .join('; ')}
      aria-description={onOpen ? t('chart.annotateHint') : undefined}
      data-print="hidden"
      onFocus={() => onMove(at)}
      onBlur={() => onMove(null)}
      onKeyDown={press}
    />
  );
}
