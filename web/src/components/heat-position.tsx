import type { ShownCell } from '../../../src/lib/format-position.ts';
import styles from './heat-position.module.css';
import { PositionText } from './position-text.tsx';

/** A position in a field as warm as the place is good; the number says it without the colour. */
export function HeatPosition({ cell }: { cell: ShownCell | null }) {
  return (
    <span className={styles.heat} data-heat={heatOf(cell)}>
      <PositionText cell={cell} />
    </span>
  );
}

function heatOf(cell: ShownCell | null): string {
  if (!cell) return 'unknown';
  if (cell.position === null) return 'out';
  return cell.position <= 3 ? '3' : cell.position <= 10 ? '10' : cell.position <= 50 ? '50' : '200';
}

/** A place sorts by its position, then what was not found, the deeper the later. */
export const heatOrder = ({ position, depth }: ShownCell): number => position ?? 1_000 + depth;
