import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { formatClock, formatCount } from '../../format.ts';
import { useHasPlans } from '../../queries/billing.ts';
import { usageQuery } from '../../queries/workspace.ts';
import { spanOf } from '../../scope.ts';
import styles from './discover-page.module.css';

/** How often the store may still be asked this hour; nothing where there is no limit. Mounted anew with each answer, and so read anew. */
export function Allowance() {
  const { t } = useTranslation();
  const { data } = useQuery({ ...usageQuery(spanOf(1)), staleTime: 0, enabled: useHasPlans() });
  const allowance = data?.onDemand.find(({ kind }) => kind === 'suggestions');
  if (!allowance || allowance.limit === null) return null;
  const left = Math.max(0, allowance.limit - allowance.used);
  return (
    <p className={styles.allowance} role="status">
      {t('discover.left', { shown: formatCount(left), limit: formatCount(allowance.limit), at: formatClock(allowance.resetAt) })}
    </p>
  );
}
