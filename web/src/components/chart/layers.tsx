import { area, line } from 'd3-shape';
import styles from './chart.module.css';
import { colors } from './colors.ts';
import type { Geometry } from './geometry.ts';
import type {
  BarsLayer,
  ColumnRange,
  DotsLayer,
  DotShape,
  Layer,
  LineLayer,
  RangesLayer,
} from './spec.ts';

type Props<L> = L & { geometry: Geometry };

export function DrawnLayer({ layer, geometry }: { layer: Layer; geometry: Geometry }) {
  if (layer.kind === 'line') return <Line {...layer} geometry={geometry} />;
  if (layer.kind === 'bars') return <Bars {...layer} geometry={geometry} />;
  if (layer.kind === 'dots') return <Dots {...layer} geometry={geometry} />;
  return <Ranges {...layer} geometry={geometry} />;
}

/** Columns beside the shown ones are drawn too: a symbol reaches into its neighbour. */
const isNear = ({ shown }: Geometry, index: number): boolean =>
  index >= shown.first - 1 && index <= shown.last + 1;

interface Point {
  index: number;
  value: number | null;
}

function Line({
  values,
  color,
  width,
  dashes,
  isJoined,
  dot,
  shape = 'circle',
  hasAllDots,
  isHollow,
  hasArea,
  geometry,
}: Props<LineLayer>) {
  const { x, y, bottom } = geometry;
  const all = values.map((value, index): Point => ({ index, value }));
  const points = isJoined ? all.filter(({ value }) => value !== null) : all;
  const isDrawn = ({ value }: Point) => value !== null;
  const [xOf, yOf] = [({ index }: Point) => x(index), ({ value }: Point) => y(value!)];
  const path = line<Point>().defined(isDrawn).x(xOf).y(yOf)(points);
  const below = area<Point>().defined(isDrawn).x(xOf).y0(bottom).y1(yOf)(points);
  const isLone = (at: number) =>
    (points[at - 1]?.value ?? null) === null && (points[at + 1]?.value ?? null) === null;
  return (
    <g>
      {hasArea && <path d={below ?? ''} fill={color} opacity={0.08} />}
      <path
        d={path ?? ''}
        fill="none"
        stroke={color}
        strokeWidth={width}
        strokeDasharray={dashes}
        strokeLinejoin="round"
        strokeLinecap="round"
      />
      {points.map(({ index, value }, at) => {
        const hollow = isHollow?.(index) ?? false;
        if (value === null || !isNear(geometry, index)) return null;
        if (!hasAllDots && !hollow && !isLone(at)) return null;
        const fill = hollow ? colors.surface : color;
        const size = hollow ? dot + 2 : dot;
        return <Dot key={index} x={x(index)} y={y(value)} {...{ shape, size, fill, color }} />;
      })}
    </g>
  );
}

interface DotProps {
  x: number;
  y: number;
  shape: DotShape;
  size: number;
  fill: string;
  color: string;
}

function Dot({ x, y, shape, size, fill, color }: DotProps) {
  const half = size / 2;
  const look = { fill, stroke: color, strokeWidth: fill === color ? 0 : 1.5 };
  if (shape === 'circle') return <circle cx={x} cy={y} r={half} {...look} />;
  return (
    <path d={`M${x},${y - half}l${half},${half}l${-half},${half}l${-half},${-half}z`} {...look} />
  );
}

function Bars({ stacks, maxWidth, gap, geometry }: Props<BarsLayer>) {
  const { x, y, column, shown } = geometry;
  const width = Math.min(maxWidth, column * (1 - gap));
  const columns = Array.from({ length: shown.last - shown.first + 1 }, (_, at) => shown.first + at);
  return columns.map((index) => {
    let [above, below] = [0, 0];
    return stacks.map(({ color, values, isPickable }, stack) => {
      const value = values[index] ?? 0;
      if (value === 0) return null;
      const from = value > 0 ? above : below;
      const to = from + value;
      if (value > 0) above = to;
      else below = to;
      return (
        <rect
          key={`${index} ${stack}`}
          x={x(index) - width / 2}
          y={Math.min(y(from), y(to))}
          width={width}
          height={Math.abs(y(to) - y(from))}
          fill={color}
          className={isPickable ? styles.pickable : undefined}
          data-stack={stack}
        />
      );
    });
  });
}

function Dots({ points, shape, size, color, geometry }: Props<DotsLayer>) {
  const { x, y } = geometry;
  return points
    .filter(({ column }) => isNear(geometry, column))
    .map(({ column, value }) => (
      <Dot
        key={column}
        x={x(column)}
        y={y(value)}
        fill={colors.surface}
        {...{ shape, size, color }}
      />
    ));
}

function Ranges({ ranges, opacity, geometry }: Props<RangesLayer>) {
  const { x, y, column, left, right, top, bottom } = geometry;
  let labelledTo = Number.NEGATIVE_INFINITY;
  const layOut = ({ from, length, label = '' }: ColumnRange) => {
    const start = x(from) - column / 2;
    const end = start + length * column;
    const labelPx = label.length * 7 + 8;
    // The plot would clip a label that begins near its end.
    const labelX = Math.max(Math.min(start, right - labelPx), left);
    const hasLabel = label !== '' && labelX > labelledTo && start < right && end > left;
    if (hasLabel) labelledTo = labelX + labelPx;
    return { start, end, labelX, hasLabel };
  };
  return ranges.map((range) => {
    const { start, end, labelX, hasLabel } = layOut(range);
    const from = range.value === undefined ? top : y(range.value);
    return (
      <g key={range.from} fill={colors.muted}>
        <rect x={start} y={from} width={end - start} height={bottom - from} opacity={opacity} />
        {range.hasFoot && (
          <rect x={start + 1} y={bottom - 2} width={end - start - 2} height={2} opacity={0.8} />
        )}
        {hasLabel && (
          <text x={labelX + 3} y={from + 13} className={styles.rangeLabel}>
            {range.label}
          </text>
        )}
      </g>
    );
  });
}
