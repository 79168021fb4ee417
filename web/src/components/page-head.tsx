import type { ReactNode } from 'react';
import styles from './page-head.module.css';
import { useTitle } from './use-title.ts';

interface Props {
  title: ReactNode;
  /** Title of the browser tab if the heading is not plain text. */
  tab?: string;
  lead?: ReactNode;
  /** The lead says no more than the part of the page below, and is left out on a phone. */
  isLeadOptional?: boolean;
  children?: ReactNode;
}

export function PageHead({ title, tab, lead, isLeadOptional = false, children }: Props) {
  useTitle(tab ?? (typeof title === 'string' ? title : undefined));
  return (
    <div className={styles.head}>
      <div className={styles.words}>
        <h1>{title}</h1>
        {lead && (
          <div className={styles.lead} data-optional={isLeadOptional || undefined}>
            {lead}
          </div>
        )}
      </div>
      {children && (
        <div className={styles.actions} data-print="hidden">
          {children}
        </div>
      )}
    </div>
  );
}
