import type { ReactNode } from 'react';
import styles from './page-head.module.css';
import { useTitle } from './use-title.ts';

interface Props {
  title: ReactNode;
  /** For the browser's tab, when the title is no plain text. */
  tab?: string;
  lead?: ReactNode;
  children?: ReactNode;
}

export function PageHead({ title, tab, lead, children }: Props) {
  useTitle(tab ?? (typeof title === 'string' ? title : undefined));
  return (
    <div className={styles.head}>
      <div className={styles.words}>
        <h1>{title}</h1>
        {lead && <div className={styles.lead}>{lead}</div>}
      </div>
      {children && <div className={styles.actions}>{children}</div>}
    </div>
  );
}
