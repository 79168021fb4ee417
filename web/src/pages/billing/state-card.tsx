import { Button } from '@mantine/core';
import { CreditCard } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Card } from '#web/components/card.tsx';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { formatCount, formatInstant } from '#web/format.ts';
import { countDaysLeft, type Billing } from '#web/queries/billing.ts';
import styles from './billing-page.module.css';
import { usePortal } from './use-payment.ts';
import { useCanPay } from './use-can-pay.ts';
import { useDeleteAt } from './use-delete-at.ts';

/** The status of the plan alone, even if the workspace is suspended. */
function usePlanStatus({ planStatus, plan, trialEndsAt }: Billing): string {
  const { t } = useTranslation();
  if (planStatus === 'trial' && trialEndsAt)
    return t('billing.trialUntil', {
      at: formatInstant(trialEndsAt),
      count: countDaysLeft(trialEndsAt),
    });
  if (planStatus === 'lapsed') return t('billing.lapsed');
  return plan ? t('billing.live', { plan: t(`planName.${plan}`) }) : t('billing.liveWithout');
}

function useOverLimit({ overLimitSince, checkedMarkets, usage }: Billing): string | null {
  const { t } = useTranslation();
  const count = usage.keywordMarkets.used - usage.keywordMarkets.limit;
  if (!overLimitSince || count <= 0) return null;
  const since = t('billing.overSince', {
    count,
    shown: formatCount(count),
    at: formatInstant(overLimitSince),
  });
  const checked =
    checkedMarkets === null
      ? t('billing.overStill')
      : t('billing.overChecked', { shown: formatCount(checkedMarkets) });
  return `${since} ${checked}`;
}

export function StateCard({ billing }: { billing: Billing }) {
  const { t } = useTranslation();
  const planStatus = usePlanStatus(billing);
  const overLimit = useOverLimit(billing);
  const { canPay, reason } = useCanPay(billing);
  const portal = usePortal();
  const deleteAt = useDeleteAt(billing);
  return (
    <Card
      title={t(`billing.state.${deleteAt === null ? billing.state : 'deleted'}`)}
      action={
        billing.canManage &&
        canPay && (
          <Button
            className="touch"
            variant="default"
            leftSection={<CreditCard size={15} aria-hidden />}
            loading={portal.isPending}
            onClick={() => portal.mutate()}
          >
            {t('billing.manage')}
          </Button>
        )
      }
    >
      <div className={styles.words}>
        {deleteAt !== null ? (
          <p>{t('billing.deleted', { at: formatInstant(deleteAt) })}</p>
        ) : (
          <>
            {billing.state === 'suspended' && <p>{t('billing.suspended')}</p>}
            <p>{planStatus}</p>
            {overLimit && <p className={styles.over}>{overLimit}</p>}
          </>
        )}
        {reason && <p className="muted">{reason}</p>}
        {portal.error && <ErrorNotice error={portal.error} />}
      </div>
    </Card>
  );
}
