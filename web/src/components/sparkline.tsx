import { line } from 'd3-shape';
import type { TFunction } from 'i18next';
import styles from './sparkline.module.css';

type Point = number | null | '-';
const width = 104;
const height = 26;
const pad = 3;

/** All dots of a kind are one element: a keyword that is never found has thirty. */
function drawDot(x: number, y: number, radius: number): string {
  const arc = `a${radius} ${radius} 0 1 0`;
  return `M${x - radius} ${y}${arc} ${2 * radius} 0${arc} ${-2 * radius} 0z`;
}

/**
 * A 30-day sparkline for table rows. Higher is better, unchecked days are gaps, and not found is a
 * hollow dot at the bottom. A plain function, because a component would look up its texts in each
 * row of a table.
 */
export function drawSparkline(points: readonly Point[] | undefined, t: TFunction) {
  const ranked = (points ?? []).filter((point) => typeof point === 'number');
  if (!points || ranked.length + points.filter((point) => point === null).length === 0) {
    return <span className="sr-only">{t('spark.none')}</span>;
  }
  const best = Math.min(...ranked);
  const worst = Math.max(...ranked, best + 4);
  const x = (index: number) => pad + (index * (width - 2 * pad)) / Math.max(1, points.length - 1);
  const y = (position: number) => pad + ((position - best) / (worst - best)) * (height - 4 * pad);
  const path = line<Point>()
    .defined((point) => typeof point === 'number')
    .x((_point, index) => x(index))
    .y((point) => y(point as number))(points as Point[]);
  const last = points.length - 1;
  const isLone = (index: number) =>
    typeof points[index - 1] !== 'number' && typeof points[index + 1] !== 'number';
  const dots = points.flatMap((point, index) =>
    typeof point === 'number' && (index === last || isLone(index))
      ? [drawDot(x(index), y(point), index === last ? 2.2 : 1.3)]
      : [],
  );
  const missing = points.flatMap((point, index) =>
    point === null ? [drawDot(x(index), height - pad, 1.3)] : [],
  );
  const newest = points.findLast((point) => point !== '-');
  const label =
    ranked.length === 0
      ? t('spark.notFound')
      : t(newest === null ? 'spark.left' : 'spark.label', { first: ranked[0], last: newest, best });
  return (
    <svg
      className={styles.spark}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={label}
    >
      {path && <path d={path} className={styles.line} />}
      {missing.length > 0 && <path d={missing.join('')} className={styles.out} />}
      {dots.length > 0 && <path d={dots.join('')} className={styles.dot} />}
    </svg>
  );
}
