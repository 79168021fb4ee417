import { useTranslation } from 'react-i18next';
import type { PositionAtDepth } from '#lib/format-position.ts';
import styles from './position-text.module.css';
import { formatPositionText, formatShortPosition } from './format-position-text.ts';

/**
 * `7`, `>30` with the row's own depth, `not in 12` for fewer results, or `–` if not checked, with
 * text for screen readers.
 */
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
      data-short={cell?.resultCount !== undefined || undefined}
      title={state === 'in' ? undefined : words}
    >
      <span aria-hidden>{formatShortPosition(cell, t)}</span>
      <span className="sr-only">{words}</span>
    </span>
  );
}
