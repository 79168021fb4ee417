import { Progress } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ErrorEnvelope } from '#contract/errors.ts';
import { formatCount } from '../format.ts';
import styles from './error-notice.module.css';
import { usePlanName } from './plan-name.ts';

/** Details of the limit in an error: used and allowed amounts. */
export function LimitFacts({ envelope }: { envelope: ErrorEnvelope }) {
  const { t } = useTranslation();
  const nameOf = usePlanName();
  const { quota, rateLimit } = envelope;
  if (quota) {
    const { used, limit, requested, plan } = quota;
    return (
      <div className={styles.quota}>
        <Progress
          value={Math.min(100, (used / Math.max(1, limit)) * 100)}
          aria-label={t('error.quotaLabel')}
        />
        <span className="num">
          {`${nameOf(plan)}: `}
          {t('error.quota', {
            used: formatCount(used),
            limit: formatCount(limit),
            requested: formatCount(requested),
          })}
        </span>
      </div>
    );
  }
  if (!rateLimit) return null;
  return (
    <p className="num">
      {t(`limit.${limitSpanOf(envelope.code, rateLimit.window)}`, {
        plan: nameOf(rateLimit.plan),
        limit: formatCount(rateLimit.limit),
      })}
    </p>
  );
}

/** The API reports an hour as `minute`. On-demand allowances are hourly or daily. */
export function limitSpanOf(
  code: ErrorEnvelope['code'],
  window: NonNullable<ErrorEnvelope['rateLimit']>['window'],
) {
  return window === 'minute' && code === 'on_demand_cap' ? 'hour' : window;
}

/** The address of the plans, or null if a larger plan would not help. */
export function findBillingPath({ entitlement, quota, rateLimit }: ErrorEnvelope): string | null {
  if (entitlement) return entitlement.upgradePath;
  return quota || rateLimit?.upgradeTo ? '/settings/billing' : null;
}
