import type { ChartSpec, ValueAxis } from './spec.ts';

/** The first and the last column that are shown. */
export interface ColumnWindow {
  first: number;
  last: number;
}

/** Where values are drawn, in pixels of the chart. */
export interface Geometry {
  width: number;
  height: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
  shown: ColumnWindow;
  /** The width of a column. */
  column: number;
  /** The middle of a column. */
  x: (index: number) => number;
  y: (value: number) => number;
}

const margin = { left: 44, right: 16, bottom: 30, top: 14, topWithEvents: 30 };

export function measurePlot(
  { axis, events }: Pick<ChartSpec, 'axis' | 'events'>,
  { width, height }: { width: number; height: number },
  shown: ColumnWindow,
): Geometry {
  const left = margin.left;
  const right = Math.max(left + 1, width - margin.right);
  const top = events ? margin.topWithEvents : margin.top;
  const bottom = height - margin.bottom;
  const column = (right - left) / Math.max(1, shown.last - shown.first + 1);
  const shareOf = createShare(axis);
  return {
    width,
    height,
    left,
    right,
    top,
    bottom,
    shown,
    column,
    x: (index) => left + (index - shown.first + 0.5) * column,
    y: (value) => top + shareOf(value) * (bottom - top),
  };
}

/** The distance of a value from the top: 0 to 1. */
function createShare({ min, max, isLog, isInverse }: ValueAxis): (value: number) => number {
  const scaled = isLog ? Math.log : (value: number) => value;
  const [from, length] = [scaled(min), scaled(max) - scaled(min) || 1];
  return (value) => {
    const share = (scaled(value) - from) / length;
    return isInverse ? share : 1 - share;
  };
}

/** The column below a point, null beside the plot. */
export function columnAt({ left, right, column, shown }: Geometry, x: number): number | null {
  if (x < left || x > right) return null;
  return Math.min(shown.last, shown.first + Math.floor((x - left) / column));
}
