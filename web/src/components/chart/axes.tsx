import styles from './chart.module.css';
import type { Geometry } from './geometry.ts';
import type { ChartSpec, ValueAxis } from './spec.ts';

const characterPx = 6.2;
const labelGapPx = 14;

/** Grid lines with the values beside them. */
export function ValueLines({ axis, geometry }: { axis: ValueAxis; geometry: Geometry }) {
  const { left, right, y } = geometry;
  return axis.ticks.map((tick) => (
    <g key={tick}>
      <line x1={left} x2={right} y1={y(tick)} y2={y(tick)} className={styles.grid} />
      <text x={left - 8} y={y(tick)} dy="0.35em" textAnchor="end" className={styles.label}>
        {axis.format(tick)}
      </text>
    </g>
  ));
}

/** The names of columns. Of names that would overlap every second, third … is shown. */
export function ColumnNames({
  spec: { columns, nameColumn },
  geometry,
}: {
  spec: Pick<ChartSpec, 'columns' | 'nameColumn'>;
  geometry: Geometry;
}) {
  const { left, right, bottom, width, shown, column, x } = geometry;
  const names = columns
    .slice(shown.first, shown.last + 1)
    .map((key, at) => ({ key, index: shown.first + at, name: nameColumn(key) }));
  const widest = Math.max(0, ...names.map(({ name }) => widthOf(name)));
  const step = Math.max(1, Math.ceil((widest + labelGapPx) / column));
  return (
    <>
      <line x1={left} x2={right} y1={bottom} y2={bottom} className={styles.axis} />
      {names
        .filter(({ index }) => (shown.last - index) % step === 0)
        .map(({ key, index, name }) => (
          <text
            key={key}
            x={Math.min(Math.max(x(index), widthOf(name) / 2), width - widthOf(name) / 2)}
            y={bottom + 18}
            textAnchor="middle"
            className={styles.label}
          >
            {name}
          </text>
        ))}
    </>
  );
}

const widthOf = (text: string): number =>
  Array.from(text).reduce((sum, sign) => sum + (sign > '\u2e80' ? 2 : 1), 0) * characterPx;
