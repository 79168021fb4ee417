import { ArrowDown, ArrowUp, Equal, type LucideIcon } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Action } from '#web/queries/actions.ts';
import styles from './action-list.module.css';

const icons: Record<Action['severity'], LucideIcon> = {
  high: ArrowUp,
  medium: Equal,
  low: ArrowDown,
};

/** The severity as a shape and a word, not by colour alone. */
export function SeverityBadge({ severity }: { severity: Action['severity'] }) {
  const { t } = useTranslation();
  const Icon = icons[severity];
  return (
    <span className={styles.severity} data-severity={severity}>
      <Icon size={12} strokeWidth={2.4} aria-hidden />
      {t(`actions.severity.${severity}`)}
    </span>
  );
}
