import type { ReactNode } from 'react';
import styles from './facts.module.css';

export type Fact = readonly [name: string, value: ReactNode];

interface Props {
  facts: readonly Fact[];
  /** Sets the page's own `--facts-…`: columns, gap, size, weight. */
  className?: string | undefined;
}

/** Names and their figures. */
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
