import { useState } from 'react';
import type { ColumnWindow } from './geometry.ts';

const minColumns = 2;
/** Charts with fewer days need no slider. */
const minZoomableDays = 15;

export const isLong = (days: readonly string[]): boolean => days.length >= minZoomableDays;

/** How far a key moves over the columns. */
export const columnSteps: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -7,
  PageUp: 7,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

/** The shown columns: all of them until somebody zooms, and again when the columns change. */
export function useZoom(
  columns: readonly string[],
): [shown: ColumnWindow, zoom: (shown: ColumnWindow) => void] {
  const of = `${columns[0]} ${columns.at(-1)}`;
  const [zoomed, setZoomed] = useState<{ of: string; shown: ColumnWindow } | null>(null);
  const shown = zoomed?.of === of ? zoomed.shown : { first: 0, last: columns.length - 1 };
  return [shown, (next) => setZoomed({ of, shown: limitWindow(next, columns.length) })];
}

/** At least two columns, within the chart. */
function limitWindow({ first, last }: ColumnWindow, count: number): ColumnWindow {
  const length = Math.min(count, Math.max(minColumns, last - first + 1));
  const start = Math.min(Math.max(0, first), count - length);
  return { first: start, last: start + length - 1 };
}

/** Moves one end, not beyond the other. */
export const moveEnd = (
  shown: ColumnWindow,
  end: 'first' | 'last',
  to: number,
  count: number,
): ColumnWindow =>
  end === 'first'
    ? { ...shown, first: Math.max(0, Math.min(to, shown.last - minColumns + 1)) }
    : { ...shown, last: Math.min(count - 1, Math.max(to, shown.first + minColumns - 1)) };

/** Zooms by a factor around a column. */
export function zoomAround(shown: ColumnWindow, index: number, factor: number): ColumnWindow {
  const first = Math.round(index - (index - shown.first) * factor);
  const last = Math.round(index + (shown.last - index) * factor);
  return { first, last };
}
