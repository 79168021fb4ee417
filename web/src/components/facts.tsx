import type { ReactNode } from 'react';
import styles from './facts.module.css';

export type Fact = readonly [name: string, value: ReactNode];

interface Props {
  facts: readonly Fact[];
  /** Sets the `--facts-…` variables for columns, gap, size and weight. */
  className?: string | undefined;
}

export function Facts({ facts, className }: Props) {
  return (
    <dl className={`${styles.facts} ${className ?? ''}`}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
