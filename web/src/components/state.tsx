import type { ReactNode } from 'react';
import styles from './state.module.css';

export type Tone = 'good' | 'busy' | 'warn' | 'bad' | 'off' | 'idle';

interface Props {
  tone: Tone;
  /** Where what is said may be long. */
  wraps?: boolean;
  children: ReactNode;
}

/** How something stands, in words behind a dot: its shape differs as well as its colour. */
export function State({ tone, wraps = false, children }: Props) {
  return (
    <span className={styles.state} data-wraps={wraps || undefined}>
      <span className={styles.dot} data-tone={tone} aria-hidden />
      {children}
    </span>
  );
}
