import { Button } from '@mantine/core';
import { CreditCard } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../components/card.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { formatCount, formatInstant } from '../../format.ts';
import { countDaysLeft, type Billing } from '../../queries/billing.ts';
import styles from './plan-page.module.css';
import { usePortal } from './use-payment.ts';
import { useMayPay } from './use-may-pay.ts';

/** What the plan alone says, whether or not the workspace is suspended. */
function useStanding({ standing, plan, trialEndsAt }: Billing): string {
  const { t } = useTranslation();
  if (standing === 'trial' && trialEndsAt)
    return t('plan.trialUntil', {
      at: formatInstant(trialEndsAt),
      count: countDaysLeft(trialEndsAt),
    });
  if (standing === 'lapsed') return t('plan.lapsed');
  return plan ? t('plan.live', { plan: t(`planName.${plan}`) }) : t('plan.liveWithout');
}

function useOverLimit({ overLimitSince, checkedMarkets, usage }: Billing): string | null {
  const { t } = useTranslation();
  const count = usage.keywordMarkets.used - usage.keywordMarkets.limit;
  if (!overLimitSince || count <= 0) return null;
  const since = t('plan.overSince', {
    count,
    shown: formatCount(count),
    at: formatInstant(overLimitSince),
  });
  return `${since} ${checkedMarkets === null ? t('plan.overStill') : t('plan.overChecked', { shown: formatCount(checkedMarkets) })}`;
}

export function StateCard({ billing }: { billing: Billing }) {
  const { t } = useTranslation();
  const standing = useStanding(billing);
  const overLimit = useOverLimit(billing);
  const { mayPay, reason } = useMayPay(billing);
  const portal = usePortal();
  return (
    <Card
      title={t(`plan.state.${billing.state}`)}
      action={
        billing.canManage &&
        mayPay && (
          <Button
            className="touch"
            variant="default"
            leftSection={<CreditCard size={15} aria-hidden />}
            loading={portal.isPending}
            onClick={() => portal.mutate()}
          >
            {t('plan.manage')}
          </Button>
        )
      }
    >
      <div className={styles.words}>
        {billing.state === 'suspended' && <p>{t('plan.suspended')}</p>}
        <p>{standing}</p>
        {overLimit && <p className={styles.over}>{overLimit}</p>}
        {reason && <p className="muted">{reason}</p>}
        {portal.error && <ErrorNotice error={portal.error} />}
      </div>
    </Card>
  );
}
