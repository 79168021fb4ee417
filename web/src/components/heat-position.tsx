import type { PositionAtDepth } from '#lib/format-position.ts';
import styles from './heat-position.module.css';
import { PositionText } from './position-text.tsx';

/**
 * A position in a cell whose background shows how good it is. The number says the same without
 * colour.
 */
export function HeatPosition({ cell }: { cell: PositionAtDepth | null }) {
  return (
    <span className={styles.heat} data-heat={heatOf(cell)}>
      <PositionText cell={cell} />
    </span>
  );
}

function heatOf(cell: PositionAtDepth | null): string {
  if (!cell) return 'unknown';
  if (cell.position === null) return 'out';
  return cell.position <= 3 ? '3' : cell.position <= 10 ? '10' : cell.position <= 50 ? '50' : '200';
}

/** Sorts positions first, then not found by depth. */
export const heatOrder = ({ position, depth }: PositionAtDepth): number =>
  position ?? 1_000 + depth;
