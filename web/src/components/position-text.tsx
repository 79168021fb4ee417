import { useTranslation } from 'react-i18next';
import { formatPosition, type PositionAtDepth } from '#lib/format-position.ts';
import styles from './position-text.module.css';
import { formatPositionText } from './format-position-text.ts';

/** `7`, `>30` with the row's own depth or `–` if not checked, with text for screen readers. */
export function PositionText({
  cell,
  size = 'md',
}: {
  cell: PositionAtDepth | null | undefined;
  size?: 'sm' | 'md' | 'lg';
}) {
  const { t } = useTranslation();
  const state = !cell ? 'none' : cell.position === null ? 'out' : 'in';
  const words = formatPositionText(cell, t);
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
