import type { ReactNode } from 'react';
import { Delta, DeltaBase, type Change } from './delta.tsx';
import styles from './tiles.module.css';

interface Props {
  label: ReactNode;
  value: ReactNode;
  change?: Change | false | null | undefined;
  note: ReactNode;
}

/** A number with its change, and the bases of both. */
export function Tile({ label, value, change, note }: Props) {
  return (
    <div>
      <dt>{label}</dt>
      <dd className={styles.value}>
        {value}
        {change && <Delta {...change} />}
      </dd>
      <dd className="muted">
        {note}
        {change && <DeltaBase {...change} />}
      </dd>
    </div>
  );
}
