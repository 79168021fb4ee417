import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { PositionAtDepth } from '#lib/format-position.ts';
import styles from './position-text.module.css';
import { formatPositionText, formatShortPosition } from './format-position-text.ts';

interface Props {
  cell: PositionAtDepth | null | undefined;
  size?: 'sm' | 'md' | 'lg';
}

export function PositionText(props: Props) {
  return drawPosition(props, useTranslation().t);
}

/**
 * `7`, `>30` with the row's own depth, `not in 12` for fewer results, or `–` if not checked, with
 * text for screen readers. A plain function, for tables with thousands of rows.
 */
export function drawPosition({ cell, size = 'md' }: Props, t: TFunction) {
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
