import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { formatClock, formatCount } from '../../format.ts';
import { useHasPlans } from '../../queries/billing.ts';
import { usageQuery, type Usage } from '../../queries/workspace.ts';
import { spanOf } from '../../scope.ts';
import styles from './discover-page.module.css';

/** How much may still be asked for; nothing where there is no limit. Mounted anew with each list, and so read anew. */
export function Allowance() {
  const { data } = useQuery({ ...usageQuery(spanOf(1)), staleTime: 0, enabled: useHasPlans() });
  return (
    <div role="status">
      <Left usage={data} kind="suggestions" text="discover.left" />
      <Left usage={data} kind="score" text="discover.scoresLeft" />
    </div>
  );
}

interface LeftProps {
  usage: Usage | undefined;
  kind: Usage['onDemand'][number]['kind'];
  text: 'discover.left' | 'discover.scoresLeft';
}

function Left({ usage, kind, text }: LeftProps) {
  const { t } = useTranslation();
  const allowance = usage?.onDemand.find((one) => one.kind === kind);
  if (!allowance || allowance.limit === null) return null;
  const left = Math.max(0, allowance.limit - allowance.used);
  return (
    <p className={styles.allowance}>
      {t(text, {
        shown: formatCount(left),
        limit: formatCount(allowance.limit),
        at: formatClock(allowance.resetAt),
      })}
    </p>
  );
}
