import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { focusPage, watchRemoval } from '#web/focus-origin.ts';
import styles from './empty-state.module.css';

interface Props {
  icon: LucideIcon;
  title: string;
  text: string;
  children?: ReactNode;
}

const keepFocus = (element: HTMLDivElement | null) =>
  element ? watchRemoval(element, focusPage) : undefined;

/** An empty state: the reason and one action, which goes when there is something to show. */
export function EmptyState({ icon: Icon, title, text, children }: Props) {
  return (
    <div className={styles.empty}>
      <span className={styles.icon} aria-hidden>
        <Icon size={22} strokeWidth={1.7} />
      </span>
      <h2>{title}</h2>
      <p className="muted">{text}</p>
      {children && (
        <div ref={keepFocus} className={styles.action}>
          {children}
        </div>
      )}
    </div>
  );
}
