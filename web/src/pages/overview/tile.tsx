import type { ReactNode } from 'react';
import styles from './tiles.module.css';

interface Props {
  label: ReactNode;
  value: ReactNode;
  delta?: ReactNode;
  note: ReactNode;
}

/** A number with its change and its base. */
export function Tile({ label, value, delta, note }: Props) {
  return (
    <div>
      <dt>{label}</dt>
      <dd className={styles.value}>
        {value}
        {delta}
      </dd>
      <dd className="muted">{note}</dd>
    </div>
  );
}
