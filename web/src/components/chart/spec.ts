import type { TipLine } from './tip.tsx';

/** The content of a chart. Values of layers have one entry for each column. */
export interface ChartSpec {
  /** The keys of the columns, in order: days, or groups. */
  columns: readonly string[];
  /** The label of a column on the axis. */
  nameColumn: (column: string) => string;
  axis: ValueAxis;
  /** The first layer is at the back. */
  layers: readonly Layer[];
  /** Labelled vertical lines, for charts over days. */
  events?: readonly DayEvent[];
  /** The tooltip of a column; none if it is empty. */
  describe: (index: number) => TipLine[];
  /** The columns that the pointer selects, in order; all of them without it. */
  selectable?: readonly number[];
  /** With a slider for the shown days. */
  isZoomable: boolean;
}

export interface ValueAxis {
  min: number;
  max: number;
  /** The smallest value is at the top, as for positions. */
  isInverse?: boolean;
  isLog?: boolean;
  ticks: readonly number[];
  format: (value: number) => string;
}

export type Layer = LineLayer | BarsLayer | DotsLayer | RangesLayer;

export type DotShape = 'circle' | 'diamond';

/** A column without a value breaks the line. */
export interface LineLayer {
  kind: 'line';
  name?: string;
  values: readonly (number | null)[];
  color: string;
  width: number;
  /** The lengths of dashes and gaps; a solid line without it. */
  dashes?: string;
  /** Joins the values on both sides of columns without one. */
  isJoined?: boolean;
  /** The diameter of dots. */
  dot: number;
  shape?: DotShape;
  /** Without it only columns between two gaps have a dot. */
  hasAllDots: boolean;
  /** Columns whose dot is hollow. */
  isHollow?: (index: number) => boolean;
  /** The area below the line is tinted. */
  hasArea?: boolean;
}

/** Positive values are stacked above zero, and negative ones below it. */
export interface BarsLayer {
  kind: 'bars';
  stacks: readonly Stack[];
  maxWidth: number;
  /** The share of a column that stays empty. */
  gap: number;
}

export interface Stack {
  color: string;
  values: readonly (number | null)[];
  isPickable?: boolean;
}

export interface DotsLayer {
  kind: 'dots';
  shape: DotShape;
  size: number;
  color: string;
  points: readonly { column: number; value: number }[];
}

/** Shaded columns. */
export interface RangesLayer {
  kind: 'ranges';
  opacity: number;
  ranges: readonly ColumnRange[];
}

export interface ColumnRange {
  from: number;
  length: number;
  /** Where the shade begins; at the edge of the axis without it. */
  value?: number;
  label?: string;
  /** With a line on the axis. */
  hasFoot?: boolean;
}

export interface DayEvent {
  date: string;
  label: string;
  /** Values before and after are not comparable: a solid line. */
  isBoundary?: true;
}
