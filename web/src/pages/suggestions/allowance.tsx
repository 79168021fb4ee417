import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { formatClock, formatCount } from '#web/format.ts';
import { useHasPlans } from '#web/queries/billing.ts';
import { usageQuery, type Usage } from '#web/queries/workspace.ts';
import { spanOf } from '#web/scope.ts';
import styles from './suggestions-page.module.css';

/**
 * The remaining allowance; nothing if there is no limit. It is mounted anew with each list, so that
 * it is current.
 */
export function Allowance() {
  const { data } = useQuery({ ...usageQuery(spanOf(1)), staleTime: 0, enabled: useHasPlans() });
  return (
    <div role="status">
      <Left usage={data} kind="suggestions" text="suggestions.left" />
      <Left usage={data} kind="score" text="suggestions.scoresLeft" />
    </div>
  );
}

interface LeftProps {
  usage: Usage | undefined;
  kind: Usage['onDemand'][number]['kind'];
  text: 'suggestions.left' | 'suggestions.scoresLeft';
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
