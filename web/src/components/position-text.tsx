import { useTranslation } from 'react-i18next';
import { formatPosition, type ShownCell } from '../../../src/lib/format-position.ts';
import styles from './position-text.module.css';
import { describePlace } from './position-words.ts';

/** `7`, `>30` from the row's own depth, `–` for not checked; in words for screen readers. */
export function PositionText({
  cell,
  size = 'md',
}: {
  cell: ShownCell | null | undefined;
  size?: 'sm' | 'md' | 'lg';
}) {
  const { t } = useTranslation();
  const state = !cell ? 'none' : cell.position === null ? 'out' : 'in';
  const words = describePlace(cell, t);
  return (
    <span
      className={styles.position}
      data-state={state}
      data-size={size}
      title={state === 'in' ? undefined : words}
    >
      <span aria-hidden>{formatPosition(cell)}</span>
      <span className="sr-only">{words}</span>
    </span>
  );
}
