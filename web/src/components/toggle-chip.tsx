import type { ReactNode } from 'react';
import styles from './toggle-chip.module.css';

interface Props {
  pressed: boolean;
  onPress: () => void;
  children: ReactNode;
  /** Colour of its line or area in the chart. */
  color?: string | undefined;
  disabled?: boolean;
  hasFocus?: boolean;
}

export function ToggleChip({ pressed, onPress, children, color, disabled, hasFocus }: Props) {
  return (
    <button
      type="button"
      className={styles.chip}
      aria-pressed={pressed}
      disabled={disabled}
      autoFocus={hasFocus}
      data-print={color === undefined ? undefined : 'shown'}
      onClick={onPress}
    >
      {color && (
        <span
          className={styles.swatch}
          style={pressed ? { background: color, borderColor: color } : { borderColor: color }}
          aria-hidden
        />
      )}
      <span className={styles.text}>{children}</span>
    </button>
  );
}
