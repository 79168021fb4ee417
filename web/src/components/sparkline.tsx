import { line } from 'd3-shape';
import type { TFunction } from 'i18next';
import styles from './sparkline.module.css';

type Point = number | null | '-';
const width = 104;
const height = 26;
const pad = 3;

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
  const isLone = (index: number) =>
    typeof points[index - 1] !== 'number' && typeof points[index + 1] !== 'number';
  const label =
    ranked.length > 0
      ? t('spark.label', { first: ranked[0], last: ranked.at(-1), best })
      : t('spark.notFound');
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
      {points.map((point, index) => {
        if (point === null)
          return (
            <circle key={index} cx={x(index)} cy={height - pad} r={1.3} className={styles.out} />
          );
        if (typeof point === 'number' && (index === points.length - 1 || isLone(index)))
          return (
            <circle
              key={index}
              cx={x(index)}
              cy={y(point)}
              r={index === points.length - 1 ? 2.2 : 1.3}
              className={styles.dot}
            />
          );
        return null;
      })}
    </svg>
  );
}
