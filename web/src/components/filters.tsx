import type { ReactNode } from 'react';
import styles from './filters.module.css';

/** Labelled fields in a row that filter the list below. */
export function Filters({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={styles.filters} role="search" aria-label={label}>
      {children}
    </div>
  );
}
