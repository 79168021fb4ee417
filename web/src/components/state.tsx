import type { ReactNode } from 'react';
import styles from './state.module.css';

export type Tone = 'good' | 'busy' | 'warn' | 'bad' | 'off' | 'idle';

interface Props {
  tone: Tone;
  /** Allows long text to wrap. */
  wraps?: boolean;
  children: ReactNode;
}

/** A status as text with a dot that differs in shape and colour. */
export function State({ tone, wraps = false, children }: Props) {
  return (
    <span className={styles.state} data-wraps={wraps || undefined}>
      <span className={styles.dot} data-tone={tone} aria-hidden />
      {children}
    </span>
  );
}
