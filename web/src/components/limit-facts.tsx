import { Progress } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ErrorEnvelope } from '#contract/errors.ts';
import { formatCount } from '../format.ts';
import styles from './error-notice.module.css';
import { usePlanName } from './plan-name.ts';

/** Details of the limit in an error: used and allowed amounts. */
export function LimitFacts({ envelope: { quota, rateLimit } }: { envelope: ErrorEnvelope }) {
  const { t } = useTranslation();
  const nameOf = usePlanName();
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
      {t(`limit.${spanOf(rateLimit)}`, {
        plan: nameOf(rateLimit.plan),
        limit: formatCount(rateLimit.limit),
      })}
    </p>
  );
}

/** The API reports an hour as `minute`, with more seconds to wait than a minute has. */
function spanOf({ window, resetSeconds }: NonNullable<ErrorEnvelope['rateLimit']>) {
  return window === 'minute' && resetSeconds > 60 ? 'hour' : window;
}

/** The address of the plans, or null if a larger plan would not help. */
export function findBillingPath({ entitlement, quota, rateLimit }: ErrorEnvelope): string | null {
  if (entitlement) return entitlement.upgradePath;
  return quota || rateLimit?.upgradeTo ? '/settings/billing' : null;
}
